"""What is looked for by its meaning: said beside its model, kept up to date by the outbox.

    __sought__: ClassVar[Sought] = Sought("member", ("first_name", "last_name"))

A transaction that changes such a text leaves word of it; a worker then gives it a new vector.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Protocol, runtime_checkable

from sqlalchemy import ColumnElement, Text, event, func, inspect
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapper, Session, SessionTransaction, configure_mappers

from app.core.db import Base, OrgRow, now_of
from app.core.embedding import meanings_of
from app.core.outbox import Outbox

MEANINGS_CHANGED: Final = "meanings_changed"
"""Body: `since`, where all that is older is to be done anew; else what has changed is."""
GATHERED: Final = timedelta(seconds=2)
"""Changes that follow one another are one piece of work."""


@dataclass(frozen=True, slots=True)
class Sought:
    """`kind` is what search calls it, `columns` the texts or lists of texts that name it."""

    kind: str
    columns: tuple[str, ...]

    def text(self, model: type[OrgRow]) -> ColumnElement[str]:
        """All of it in one, in SQL."""
        return func.concat_ws(" ", *(_written(getattr(model, name)) for name in self.columns))

    def changed(self, row: OrgRow) -> bool:
        attributes = inspect(row).attrs
        return any(attributes[name].history.has_changes() for name in self.columns)


@runtime_checkable
class Findable(Protocol):
    __sought__: Sought


def sought_models() -> dict[str, type[OrgRow]]:
    """The models that say so, by kind."""
    configure_mappers()
    mappers: list[Mapper[Any]] = list(Base.registry.mappers)
    found = [one.class_ for one in mappers if hasattr(one.class_, "__sought__")]
    return {one.__sought__.kind: one for one in sorted(found, key=lambda one: one.__name__)}


def sought(kind: str) -> tuple[type[OrgRow], ColumnElement[str]]:
    """What is looked for under this name, and its whole text."""
    model = sought_models()[kind]
    said: Sought = model.__sought__  # type: ignore[attr-defined] # all of sought_models have it
    return model, said.text(model)


def _written(column: Any) -> ColumnElement[str]:  # noqa: ANN401 - a mapped column of either type
    if isinstance(column.type, ARRAY):
        return func.array_to_string(column, " ", type_=Text())
    return column  # type: ignore[no-any-return] # a column of text


@event.listens_for(Session, "before_flush")
def _leave_word(session: Session, *_: object) -> None:
    """Once for each savepoint: what is rolled back takes its word along, and nobody else's."""
    model = meanings_of(session).model
    if model is None or not (org_ids := _touched(session)):
        return
    told: dict[SessionTransaction | None, set[Any]] = session.info.setdefault("left_word", {})
    here = told.setdefault(session.get_nested_transaction() or session.get_transaction(), set())
    now = now_of(session)
    for org_id in org_ids - here:
        here.add(org_id)
        word = Outbox(org_id=org_id, topic=MEANINGS_CHANGED, body={}, due_at=now + GATHERED)
        word.created_at = word.updated_at = now
        session.add(word)


def _touched(session: Session) -> set[Any]:
    rows = [one for one in (*session.new, *session.dirty) if isinstance(one, Findable)]
    return {row.org_id for row in rows if isinstance(row, OrgRow) and row.__sought__.changed(row)}
