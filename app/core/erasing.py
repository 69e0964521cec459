"""What erasing a person does to each table: said beside its model, carried out for all of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, runtime_checkable
from uuid import UUID

from sqlalchemy import ColumnElement, Table, any_, literal, or_, select, update
from sqlalchemy.orm import Mapper, Session, configure_mappers

from app.core.db import Base, OrgRow, as_eraser


@dataclass(frozen=True, slots=True)
class Gone:
    """Whom it is about, and what their rows are found by."""

    member_id: UUID
    user_id: UUID | None = None
    """Their login, where they aren't at work here as well."""
    addresses: tuple[str, ...] = ()
    """Phones as E.164, e-mail addresses in lower case."""


Where = Callable[[type[OrgRow], Gone], ColumnElement[bool]]


class _Pseudonym:
    """Stands for a text that is a row's own, where a column can't be empty or must be unique."""


PSEUDONYM: Final = _Pseudonym()


@dataclass(frozen=True, slots=True)
class Erasure:
    """What becomes of a person's rows of one table: `__erase__` of its model."""

    where: Where
    deletes: bool = False
    blank: Mapping[str, Any] = field(default_factory=dict)
    """Columns that are written over, and with what: a value, or a function of the row."""
    keeps: frozenset[str] = frozenset()
    """Texts that stay, since they tell nothing of the person."""
    sealed: bool = False
    """The app may not change rows of this table: it takes a role that may, for this alone."""


@runtime_checkable
class Erasable(Protocol):
    __erase__: Erasure


@dataclass(frozen=True, slots=True)
class Erased:
    """The rows that were the person's, by table; those that stay are among them."""

    ids: Mapping[str, tuple[UUID, ...]]

    @property
    def all(self) -> frozenset[UUID]:
        return frozenset(row_id for ids in self.ids.values() for row_id in ids)


def of_member(column: str = "member_id") -> Where:
    """Rows that say so themselves."""
    return lambda model, gone: getattr(model, column) == gone.member_id


def within(column: str) -> Where:
    """Rows that belong to a row of theirs: `column` refers to one of a table that is erased too."""

    def where(model: type[OrgRow], gone: Gone) -> ColumnElement[bool]:
        parent = _referred(model, column)
        found = select(parent.id).where(erasure_of(parent).where(parent, gone))
        return getattr(model, column).in_(found)  # type: ignore[no-any-return] # a mapped column

    return where


def among(column: str) -> Where:
    """Rows with a list of members that they are on."""
    return lambda model, gone: literal(gone.member_id) == any_(getattr(model, column))


def addressed(column: str) -> Where:
    """Rows that know them by phone or e-mail alone."""
    return lambda model, gone: getattr(model, column).in_(gone.addresses)


def either(*wheres: Where) -> Where:
    return lambda model, gone: or_(*(where(model, gone) for where in wheres))


def deleted(where: Where | None = None) -> Erasure:
    """Nothing of it is kept."""
    return Erasure(where or of_member(), deletes=True)


def blanked(
    where: Where | None = None,
    *,
    keeps: tuple[str, ...] = (),
    sealed: bool = False,
    **columns: Any,  # noqa: ANN401 - whatever the columns hold
) -> Erasure:
    """The row stays, for its count or its dates; these columns are written over."""
    return Erasure(where or of_member(), blank=columns, keeps=frozenset(keeps), sealed=sealed)


def kept(*texts: str, where: Where | None = None) -> Erasure:
    """The row stays as it is: it tells nothing of a person but by the member's id."""
    return Erasure(where or of_member(), keeps=frozenset(texts))


def erasure_of(model: type[OrgRow]) -> Erasure:
    """Raises TypeError for a model that doesn't say."""
    said = getattr(model, "__erase__", None)
    if not isinstance(said, Erasure):
        raise TypeError(f"{model.__name__} doesn't say what erasing a person does to it")
    return said


def erase_rows(session: Session, org_id: UUID, gone: Gone) -> Erased:
    """Carry out what every table says of this person, what refers to others first."""
    session.flush()
    found = {model: _matching(session, model, gone) for model in _erasable()}
    for model, ids in found.items():
        if ids:
            _carry_out(session, org_id, model, ids)
    session.expire_all()
    return Erased({_table(model).name: tuple(ids) for model, ids in found.items()})


def _matching(session: Session, model: type[OrgRow], gone: Gone) -> list[UUID]:
    return list(session.scalars(select(model.id).where(erasure_of(model).where(model, gone))))


def _carry_out(session: Session, org_id: UUID, model: type[OrgRow], ids: list[UUID]) -> None:
    """Row by row, as a domain may watch its rows; what is sealed, in one statement."""
    erasure = erasure_of(model)
    theirs = model.id.in_(ids)
    if erasure.sealed:
        values = {**erasure.blank, "version": model.version + 1}
        with as_eraser(session, org_id):
            session.execute(update(model).where(theirs).values(values))
        return
    for row in session.scalars(select(model).where(theirs)).all():
        if erasure.deletes:
            session.delete(row)
        for name, value in erasure.blank.items():
            setattr(row, name, _value(row, value))
    session.flush()


def _value(row: OrgRow, value: object) -> object:
    if value is PSEUDONYM:
        return pseudonym(row.id)
    return value(row) if callable(value) else value


def pseudonym(row_id: UUID) -> str:
    """What somebody without a name is called, in any language."""
    return f"#{row_id.hex[-8:]}"


def _erasable() -> Iterator[type[OrgRow]]:
    configure_mappers()
    mappers: list[Mapper[Any]] = list(Base.registry.mappers)
    by_table = {mapper.local_table: mapper.class_ for mapper in mappers}
    for table in reversed(Base.metadata.sorted_tables):
        model = by_table.get(table)
        if model is not None and issubclass(model, OrgRow) and hasattr(model, "__erase__"):
            yield model


def _referred(model: type[OrgRow], column: str) -> type[OrgRow]:
    (key,) = _table(model).c[column].foreign_keys
    found = (mapper.class_ for mapper in Base.registry.mappers)
    return next(one for one in found if one.__table__ is key.column.table)


def _table(model: type[OrgRow]) -> Table:
    table = model.__table__
    if not isinstance(table, Table):
        raise TypeError(f"{model.__name__} isn't mapped to one table")
    return table
