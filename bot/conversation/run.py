"""Carrying a conversation on: take the lane, take the next event, keep it, publish it, again."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Event as Flag
from uuid import UUID

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import Database, now_of
from app.studio import queries as studio
from bot.conversation import ledger
from bot.conversation.leases import Lease, LeaseLost, hold
from bot.conversation.models import Conversation, Surface, Turn, TurnState, Words
from bot.conversation.sightings import heard
from bot.stream.publish import Publisher
from bot.turn.advance import advance
from bot.turn.events import Asked, Delta, Ended, Event, Restart
from bot.turn.plan import Signal
from bot.turn.port import Model
from tools.kit.calls import CallRunner

DEBOUNCE_LONGEST = timedelta(seconds=5)

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Setting:
    """What a turn is carried on with, read anew each time: the actor's role may have changed since."""

    conversation: Conversation
    turn: Turn
    actor: Actor
    zone: str
    events: list[Event]


@dataclass(frozen=True, slots=True)
class Parts:
    """What the wiring gives: ports by turn, and where events go."""

    db: Database
    model_for: Callable[[Setting], Model]
    runner_for: Callable[[Setting, Callable[[Session], None]], CallRunner]
    actor_of: Callable[[Session, Conversation], Actor]
    publisher_for: Callable[[Turn], Publisher]
    kept: Callable[[Session, Setting, Turn, Event], None]
    """Called in the transaction that keeps an Asked or Ended: opens the question, plans deliveries."""
    debounce: timedelta
    draining: Flag = field(default_factory=Flag)
    """Set when the process is to end: a turn is left at its next event, for another worker."""


class DrainingError(Exception):
    """This process ends; what is stored so far is all another one needs."""


def run_conversation(parts: Parts, org_id: UUID, conversation_id: UUID) -> None:
    """Carry on until nothing is left to do or the person must answer; returns at once where another does so.

    Killed anywhere, the next call goes on from the stored events.
    """
    lane = f"conversation:{conversation_id}"
    while _has_work(parts.db, org_id, conversation_id):
        with hold(parts.db, lane) as lease:
            if lease is None:
                return
            try:
                while _carry_one(parts, org_id, conversation_id, lease):
                    pass
            except LeaseLost:
                _log.warning("lease_lost", conversation=str(conversation_id))
                return


def _has_work(db: Database, org_id: UUID, conversation_id: UUID) -> bool:
    with db.transaction(org_id) as session:
        return _next_turn(session, conversation_id) is not None


def _next_turn(session: Session, conversation_id: UUID) -> Turn | None:
    """The running turn, else the waiting one if none is asked."""
    live = select(Turn).where(
        Turn.conversation_id == conversation_id, Turn.state != TurnState.ENDED
    )
    turns = {turn.state: turn for turn in session.scalars(live)}
    if TurnState.RUNNING in turns:
        return turns[TurnState.RUNNING]
    return None if TurnState.ASKED in turns else turns.get(TurnState.WAITING)


def _carry_one(parts: Parts, org_id: UUID, conversation_id: UUID, lease: Lease) -> bool:
    setting = _prepare(parts, org_id, conversation_id, lease)
    if setting is None:
        return False
    publisher = parts.publisher_for(setting.turn)
    publisher.resume(setting.turn.events)
    for event in _events(parts, setting, lease):
        if isinstance(event, Delta | Restart):
            publisher.publish(event)
        else:
            publisher.publish(event, _keep(parts, setting, event, lease))
        if parts.draining.is_set():
            raise DrainingError
    return True


def _events(parts: Parts, setting: Setting, lease: Lease) -> Iterator[Event]:
    return advance(
        setting.events,
        model=parts.model_for(setting),
        runner=parts.runner_for(setting, lease.guard),
        watch=lambda: _signal(parts.db, setting.turn),
    )


def _prepare(parts: Parts, org_id: UUID, conversation_id: UUID, lease: Lease) -> Setting | None:
    while True:
        with parts.db.transaction(org_id) as session:
            turn = _next_turn(session, conversation_id)
            if turn is None:
                return None
            conversation = session.get_one(Conversation, conversation_id)
            wait = _quiet_for(session, conversation, turn, parts.debounce)
            if wait <= timedelta():
                return _start(parts, session, conversation, turn.id, lease)
        time.sleep(wait.total_seconds())


def _quiet_for(
    session: Session, conversation: Conversation, turn: Turn, debounce: timedelta
) -> timedelta:
    """How long to wait for more words: chat channels only, a little after the last, never long after the first."""
    if turn.state is not TurnState.WAITING or conversation.surface is Surface.WEB:
        return timedelta()
    times = list(session.scalars(select(Words.created_at).where(Words.turn_id == turn.id)))
    return min(max(times) + debounce, min(times) + DEBOUNCE_LONGEST) - now_of(session)


def _start(
    parts: Parts, session: Session, conversation: Conversation, turn_id: UUID, lease: Lease
) -> Setting | None:
    """The turn as it is carried on; a waiting one takes its words as its first event."""
    lease.guard(session)
    # The conversation first, as `say` does: words that come now join this turn or wait for the next, never fall between.
    session.execute(
        select(Conversation.id).where(Conversation.id == conversation.id).with_for_update()
    )
    turn = ledger.lock_turn(session, turn_id)
    if turn is None:
        return None
    actor = parts.actor_of(session, conversation)
    if turn.state is TurnState.WAITING:
        turn.state = TurnState.RUNNING
        words = list(
            session.scalars(select(Words).where(Words.turn_id == turn.id).order_by(Words.position))
        )
        ledger.append(session, turn, heard(session, words, conversation))
    zone = studio.org(session, conversation.org_id).timezone
    return Setting(conversation, turn, actor, zone, ledger.history(session, turn.id))


def _keep(parts: Parts, setting: Setting, event: Event, lease: Lease) -> int:
    with parts.db.transaction(setting.turn.org_id) as session:
        lease.guard(session)
        turn = ledger.lock_turn(session, setting.turn.id)
        if turn is None:
            raise LeaseLost(lease.lane)
        row = ledger.append(session, turn, event)
        if isinstance(event, Asked | Ended):
            parts.kept(session, setting, turn, event)
        return row.seq


def _signal(db: Database, turn: Turn) -> Signal:
    with db.transaction(turn.org_id) as session:
        stop = session.scalar(select(Turn.stop_requested).where(Turn.id == turn.id))
        if stop:
            return "stopped"
        newer = select(Turn.id).where(
            Turn.conversation_id == turn.conversation_id, Turn.state == TurnState.WAITING
        )
        return "halted" if session.scalar(newer) else None
