"""Rows as images, read and restored by the server itself, exact for every type of column."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Column,
    ColumnElement,
    CursorResult,
    ForeignKeyConstraint,
    Table,
    TableValuedAlias,
    bindparam,
    column,
    delete,
    func,
    insert,
    literal_column,
    select,
    text,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapper, Session, configure_mappers

from app.core.db import Base, OrgRow

Image = dict[str, Any]
"""A whole row as JSON, by column name, as PostgreSQL writes it."""


def undo_kind(model: type[OrgRow]) -> str:
    """What an undo does with rows of a model: `snapshot`, `reverse` (append-only) or `ignore`."""
    return getattr(model, "__undo__", "snapshot")


def model_of(table_name: str) -> type[OrgRow]:
    """The model of an org's table. Raises KeyError where the table is gone from the code."""
    return _models()[table_name]


def table_of(model: type[OrgRow]) -> Table:
    table = model.__table__
    if not isinstance(table, Table):
        raise TypeError(f"{model.__name__} isn't mapped to one table")
    return table


def read_images(session: Session, table: Table, ids: Iterable[UUID]) -> dict[UUID, Image]:
    """Images of the rows that exist, by id; they are locked until the end of the transaction."""
    wanted = table.c.id.in_(bindparam("ids", expanding=True))
    query = select(table.c.id, func.to_jsonb(table.table_valued())).where(wanted)
    query = query.order_by(table.c.id).with_for_update()
    found = session.connection().execute(query, {"ids": sorted(set(ids))})
    return dict(found.all())


def read_versions(session: Session, table: Table, ids: Collection[UUID]) -> dict[UUID, int]:
    query = select(table.c.id, table.c.version).where(table.c.id.in_(sorted(ids)))
    return dict(session.connection().execute(query).all())


def matching(session: Session, table: Table, condition: ColumnElement[Any] | None) -> list[UUID]:
    """Ids of the rows that meet a condition; None is met by all."""
    query = select(table.c.id).where(true() if condition is None else condition)
    return list(session.connection().execute(query).scalars())


def write_back(session: Session, table: Table, images: Sequence[Image]) -> int:
    """Set rows to their images under a version of their own; return how many there were."""
    old = _recordset(table, images)
    values = {name: old.c[name] for name in _names(table) if name not in {"id", "version"}}
    statement = (
        update(table)
        .values({**values, "version": table.c.version + 1})
        .where(table.c.id == old.c.id)
    )
    return _count(session.connection().execute(statement, {"images": list(images)}))


def put_in(session: Session, table: Table, images: Sequence[Image]) -> int:
    """Insert rows that were deleted, under a version that nobody has seen."""
    old = _recordset(table, images)
    names = _names(table)
    columns = [old.c[name] + 1 if name == "version" else old.c[name] for name in names]
    statement = insert(table).from_select(names, select(*columns), include_defaults=False)
    return _count(session.connection().execute(statement, {"images": list(images)}))


def take_out(session: Session, table: Table, ids: Collection[UUID]) -> int:
    return _count(session.connection().execute(delete(table).where(table.c.id.in_(sorted(ids)))))


def check_later(session: Session) -> None:
    """Let rows be out of order for a while, where their constraints allow it."""
    session.execute(text("SET CONSTRAINTS ALL DEFERRED"))


def check_now(session: Session) -> None:
    """Raise IntegrityError here for what would otherwise break the commit."""
    session.flush()
    session.execute(text("SET CONSTRAINTS ALL IMMEDIATE"))


def references(table: Table) -> list[tuple[Table, Column[Any], str]]:
    """What refers to a table by one column: the table, its column, and its rule for deletes."""
    return [
        (other, constraint.elements[0].parent, (constraint.ondelete or "").upper())
        for other in table.metadata.sorted_tables
        for constraint in sorted(other.foreign_key_constraints, key=str)
        if _refers(constraint, table)
    ]


def parents_first(tables: Iterable[Table]) -> list[Table]:
    wanted = list(tables)
    metadata = {table.metadata for table in wanted}
    return [table for one in metadata for table in one.sorted_tables if table in wanted]


def is_kept(table: Table) -> bool:
    """Whether its rows are captured and restored: those of an org's tables that don't opt out."""
    model = _models().get(table.name)
    return model is not None and undo_kind(model) != "ignore"


def _refers(constraint: ForeignKeyConstraint, table: Table) -> bool:
    return constraint.referred_table is table and len(constraint.elements) == 1


def _models() -> dict[str, type[OrgRow]]:
    configure_mappers()
    mappers: Iterable[Mapper[Any]] = Base.registry.mappers
    found = (mapper.class_ for mapper in mappers if issubclass(mapper.class_, OrgRow))
    return {table_of(model).name: model for model in found}


def _recordset(table: Table, images: Sequence[Image]) -> TableValuedAlias:
    columns = [column(one.name, one.type) for one in table.columns]
    shape: ColumnElement[Any] = literal_column(f'NULL::"{table.name}"')
    source = func.jsonb_populate_recordset(shape, bindparam("images", list(images), JSONB))
    return source.table_valued(*columns, name="image")


def _names(table: Table) -> list[str]:
    return [one.name for one in table.columns if one.computed is None]


def _count(result: CursorResult[Any]) -> int:
    return result.rowcount
