"""The log of who did what, through what: written with the effect, read by owners."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import Session

from app.core.actor import Actor, Via
from tools.kit.calls import Outcome
from tools.kit.cards import Ref
from tools.kit.models import AuditEntry, ToolCall


@dataclass(frozen=True, slots=True)
class Source:
    """Where a call comes from: `origin` is 'turn', 'api', 'mcp' and so on."""

    origin: str
    conversation_id: UUID | None = None
    turn_id: UUID | None = None

    @property
    def scope(self) -> str:
        """Within what a key is one call's: a model's ids are unique in their conversation."""
        here = "" if self.conversation_id is None else f":{self.conversation_id}"
        return self.origin + here


def record(
    session: Session,
    actor: Actor,
    source: Source,
    *,
    tool: str,
    result: str,
    ref: Ref | None = None,
    call_id: UUID | None = None,
    detail: dict[str, Any] | None = None,
) -> None:
    """Add one entry. `result` is `done`, `undone`, or the code of what went wrong."""
    session.add(
        AuditEntry(
            org_id=actor.org_id,
            user_id=actor.user_id,
            via=actor.via,
            origin=source.origin,
            tool=tool,
            result=result,
            entity=ref.entity if ref else None,
            entity_id=ref.id if ref else None,
            call_id=call_id,
            detail=detail or {},
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    entity: str | None = None
    entity_id: UUID | None = None
    user_id: UUID | None = None
    agent_only: bool = False
    since: datetime | None = None
    until: datetime | None = None


def listed(wanted: Filter) -> Select[AuditEntry]:
    """The query for all of them, the newest first."""
    return select(AuditEntry).where(*_conditions(wanted)).order_by(AuditEntry.id.desc())


def outcomes(session: Session, call_ids: Collection[UUID]) -> dict[UUID, Outcome]:
    """What came of some calls; that of one about somebody who was erased is blank."""
    query = select(ToolCall.id, ToolCall.outcome)
    found = session.execute(query.where(ToolCall.id.in_(call_ids), ToolCall.outcome.is_not(None)))
    return {call_id: Outcome.model_validate(outcome) for call_id, outcome in found}


def _conditions(wanted: Filter) -> list[ColumnElement[bool]]:
    row = AuditEntry
    found: tuple[tuple[object, Callable[[], ColumnElement[bool]]], ...] = (
        (wanted.entity, lambda: row.entity == wanted.entity),
        (wanted.entity_id, lambda: row.entity_id == wanted.entity_id),
        (wanted.user_id, lambda: row.user_id == wanted.user_id),
        (wanted.agent_only, lambda: row.via == Via.AGENT),
        (wanted.since, lambda: row.created_at >= wanted.since),
        (wanted.until, lambda: row.created_at < wanted.until),
    )
    return [condition() for given, condition in found if given]
