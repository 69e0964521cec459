"""What came of a chaos run, told so that two runs can be held against each other."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import func, select

from app.core.db import Base, Database
from bot.conversation.models import Conversation, OutboundMessage, Turn, TurnEvent
from tools.kit.models import ToolCall

_FLEETING: Final = frozenset(
    (
        "signature",
        "thinking",
        "at",
        "number",
        "toast_until",
        "word_until",
        "created_at",
        "updated_at",
        "expires_at",
        "booked_at",
        "cancelled_at",
        "due_at",
        "beside",
        "undo",
        "version",
        "epoch",
    )
)
"""What differs between two runs that did the same: times, receipts, what the vendor signs.

Versions of rows stand in the studio's part; here they would only repeat it.
"""
_MADE: Final = "made here"


class Names:
    """Ids of things by what they are, so that they read alike in each run.

    An id nobody knows was made in it.
    """

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = known

    def told(self, value: Any, *, drop: frozenset[str] = _FLEETING) -> Any:  # noqa: ANN401 - any JSON
        match value:
            case dict() if value and all(_is_id(str(key)) for key in value):
                return [self.told(one, drop=drop) for one in value.values()]
            case dict():
                return {
                    key: self.told(one, drop=drop)
                    for key, one in sorted(value.items())
                    if key not in drop
                }
            case list() | tuple():
                return [self.told(one, drop=drop) for one in value]
            case UUID():
                return self._known.get(str(value), _MADE)
            case str() if _is_id(value):
                return self._known.get(value, _MADE)
            case int() | float() | None:
                return value
            case _:
                return str(value)


def _is_id(text: str) -> bool:
    if text.startswith(("toolu_", "msg_")):
        return True
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def history(db: Database, org_id: UUID, names: Names) -> dict[str, list[Any]]:
    """The events of each case's conversations, by its text."""
    with db.transaction(org_id) as session:
        rows = session.execute(
            select(Turn.id, TurnEvent.body)
            .join(TurnEvent, TurnEvent.turn_id == Turn.id)
            .join(Conversation, Conversation.id == Turn.conversation_id)
            .order_by(Conversation.created_at, Turn.number, TurnEvent.seq)
        ).all()
    turns: dict[UUID, list[Any]] = {}
    for turn_id, body in rows:
        turns.setdefault(turn_id, []).append(body)
    return {events[0]["text"]: [names.told(event) for event in events] for events in turns.values()}


def writes(db: Database, org_id: UUID) -> dict[str, int]:
    """How often each call of the model was carried out, by its key."""
    with db.transaction(org_id) as session:
        counted = (
            select(ToolCall.key, func.count())
            .where(ToolCall.turn_id.is_not(None))
            .group_by(ToolCall.key)
        )
        return {str(row[0]): int(row[1]) for row in session.execute(counted)}


def studio(db: Database, org_id: UUID, names: Names) -> dict[str, list[Any]]:
    """The studio's rows without their own ids, sorted.

    Versions count: a write done twice would show.
    """
    plain = (_FLEETING | {"id"}) - {"version"}
    told: dict[str, list[Any]] = {}
    with db.transaction(org_id) as session:
        for table in _studio_tables():
            # What is still to be told outside is told 15 s later: not a matter of kills.
            drop = plain | {"state", "version"} if table.name == "outbox" else plain
            rows = [
                names.told(dict(row), drop=drop)
                for row in session.execute(select(table)).mappings()
            ]
            told[table.name] = sorted(
                rows, key=lambda row: json.dumps(row, sort_keys=True, default=str)
            )
    return told


def doubled(db: Database) -> list[str]:
    """Messages that were perhaps sent twice.

    Each is marked, and only a kill at the vendor's door makes one.
    """
    with db.platform() as session:
        marked = select(OutboundMessage.dedupe_key).where(OutboundMessage.maybe_twice)
        return list(session.scalars(marked))


def _studio_tables() -> Sequence[Any]:
    mappers = [one for one in Base.registry.mappers if one.class_.__module__.startswith("app.")]
    tables = [one.local_table for one in mappers if "org_id" in one.columns]
    return sorted(tables, key=lambda table: str(table.name))


def known_ids(db: Database, org_id: UUID) -> dict[str, str]:
    """The gym's ids by table and place: the same seed makes the same things in the same order."""
    known: dict[str, str] = {str(org_id): "org"}
    with db.transaction(org_id) as session:
        for table in _studio_tables():
            ids = session.scalars(select(table.c.id).order_by(table.c.id))
            known |= {str(one): f"{table.name} {place}" for place, one in enumerate(ids)}
    return known
