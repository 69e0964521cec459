"""Receipts: the small numbers by which people take writes back, and the list of these."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from app.core.actor import Actor, Via
from app.core.db import now_of
from app.core.errors import StudioError
from app.core.ids import new_id
from tools.kit.calls import Outcome
from tools.kit.cards import AnyCard, UndoOffer
from tools.kit.models import CallState, ReceiptCounter, ToolCall
from tools.kit.values import Instant

TOAST: Final = timedelta(seconds=15)
WORD: Final = timedelta(minutes=10)
AUDIT: Final = timedelta(hours=24)
HIGHEST: Final = 999
"""Numbers start again after it: short to type, and long gone by then."""


class NothingToUndo(StudioError):
    code, status = "nothing_to_undo", 404


class LastUndone(StudioError):
    """The last one was taken back already; an earlier one is named by its number."""

    code, status = "last_undone", 409


@dataclass(frozen=True, slots=True)
class Action:
    """A write of a person, and until when it can still be taken back; None: not any more."""

    call: ToolCall
    undo_until: datetime | None


def next_number(session: Session, actor: Actor) -> int:
    """The person's next receipt number. Their other writes wait here until this one is through."""
    now = now_of(session)
    following = ReceiptCounter.last % HIGHEST + 1
    statement = insert(ReceiptCounter).values(
        id=new_id(),
        org_id=actor.org_id,
        user_id=actor.user_id,
        last=1,
        version=1,
        created_at=now,
        updated_at=now,
    )
    taken = statement.on_conflict_do_update(
        index_elements=["org_id", "user_id"], set_={"last": following, "updated_at": now}
    )
    return session.scalars(taken.returning(ReceiptCounter.last)).one()


def offer(session: Session, call_id: UUID, number: int, *, zone: str = "UTC") -> UndoOffer:
    now = now_of(session)
    return UndoOffer(
        number=number,
        call_id=call_id,
        toast_until=now + TOAST,
        word_until=Instant(at=now + WORD, zone=zone),
    )


def by_number(session: Session, actor: Actor, number: int) -> ToolCall | None:
    """The person's latest write under a number, taken back or not."""
    query = _of(actor).where(ToolCall.receipt == number)
    return session.scalars(query.limit(1)).first()


def latest(session: Session, actor: Actor, here: Collection[UUID]) -> ToolCall | None:
    """The person's last receipt in these conversations, taken back or not."""
    shown_here = ToolCall.conversation_id.in_(here)
    query = _of(actor).where(ToolCall.receipt.is_not(None), shown_here)
    return session.scalars(query.limit(1)).first()


def meant(session: Session, actor: Actor, number: int | None, here: Collection[UUID]) -> ToolCall:
    """The write that UNDO means, the last that was shown here; or UNDO with a number, anywhere.

    Raises NothingToUndo, and LastUndone: a word sent twice in impatience takes back one thing.
    """
    call = latest(session, actor, here) if number is None else by_number(session, actor, number)
    if call is None:
        raise NothingToUndo
    if number is None and call.undone_at is not None:
        raise LastUndone
    return call


def recent(
    session: Session,
    actor: Actor,
    *,
    limit: int = 20,
    conversation_id: UUID | None = None,
    undoable_only: bool = False,
) -> list[Action]:
    """The assistant's writes for this person, the newest first."""
    query = _of(actor).where(ToolCall.via != Via.PERSON)
    if conversation_id is not None:
        query = query.where(ToolCall.conversation_id == conversation_id)
    if undoable_only:
        query = query.where(*_undoable(), ToolCall.settled_at > now_of(session) - AUDIT)
    now = now_of(session)
    return [Action(call, _until(call, now)) for call in session.scalars(query.limit(limit))]


def used_since(session: Session, actor: Actor, since: datetime) -> frozenset[str]:
    """The tools of this person's writes, however they were asked for."""
    query = select(ToolCall.tool).where(
        ToolCall.org_id == actor.org_id,
        ToolCall.user_id == actor.user_id,
        ToolCall.settled_at > since,
        ToolCall.state == CallState.DONE,
    )
    return frozenset(session.scalars(query.distinct()))


def undone(session: Session, conversation_id: UUID) -> list[tuple[UUID, AnyCard]]:
    """Calls of a conversation that were taken back, wherever that was done, and how it is told."""
    query = select(ToolCall.undoes, ToolCall.outcome).where(
        ToolCall.conversation_id == conversation_id,
        ToolCall.undoes.is_not(None),
        ToolCall.outcome.is_not(None),
    )
    return [(one, Outcome.model_validate(told).card) for one, told in session.execute(query)]


def _of(actor: Actor) -> Select[ToolCall]:
    return (
        select(ToolCall)
        .where(
            ToolCall.org_id == actor.org_id,
            ToolCall.user_id == actor.user_id,
            ToolCall.state == CallState.DONE,
            ToolCall.undoes.is_(None),
        )
        .order_by(ToolCall.settled_at.desc(), ToolCall.id.desc())
    )


def _undoable() -> tuple[ColumnElement[bool], ...]:
    return ToolCall.undo.is_not(None), ToolCall.undone_at.is_(None)


def _until(call: ToolCall, now: datetime) -> datetime | None:
    until = call.settled_at + AUDIT
    stands = call.undo is not None and call.undone_at is None
    return until if stands and until > now else None
