"""Carrying a conversation on: take the lane, take the next event, keep it, publish it, again."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from threading import Event as Flag
from uuid import UUID

import structlog
from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import Database, after_commit, now_of
from app.core.errors import NotAllowed
from app.studio import queries as studio
from bot.conversation import ledger
from bot.conversation.leases import Lease, LeaseLost, hold
from bot.conversation.models import Conversation, Surface, Turn, TurnState, Words
from bot.conversation.sightings import heard
from bot.stream.publish import Publisher
from bot.turn.advance import Opening, Watch, advance
from bot.turn.events import Answered, Asked, Delta, Ended, Event, Restart
from bot.turn.plan import Signal
from bot.turn.port import Model
from tools.kit.calls import CallRunner

DEBOUNCE_LONGEST = timedelta(seconds=5)
GLANCE_S = 0.5
"""How long the model may speak on after a stop was pressed."""
TRIES = 8
"""A turn taken up so often without getting any further is ended: it would fail for ever."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Setting:
    """What a turn is carried on with, read anew each time: the role may have changed since."""

    conversation: Conversation
    turn: Turn
    actor: Actor
    zone: str
    events: list[Event]
    taken_up: bool = False
    """Another worker left it in the middle: what it was saying is said again."""

    @property
    def spent(self) -> bool:
        return self.turn.tries > TRIES


@dataclass(frozen=True, slots=True)
class Mind:
    """The model of a turn, and what stands in the turn before it is asked."""

    model: Model
    opening: Opening


Guard = Callable[[Session], None]
"""Called in each transaction of a turn: raises LeaseLost where another worker has its lane."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the wiring gives: ports by turn, and where events go."""

    db: Database
    mind_for: Callable[[Setting, CallRunner, Guard], Mind]
    runner_for: Callable[[Setting, Guard], CallRunner]
    actor_of: Callable[[Session, Conversation], Actor]
    """Raises NotAllowed where the person works there no more."""
    publisher_for: Callable[[Turn], Publisher]
    kept: Callable[[Session, Setting, Turn, Event], None]
    """Called in the transaction that keeps an Asked or Ended: the question, the deliveries."""
    debounce: timedelta
    ending: Callable[[Setting, Event], Event] = lambda _, event: event
    """An event as it is kept: an end may have more to tell."""
    draining: Flag = field(default_factory=Flag)
    """Set when the process is to end: a turn is left at its next event, for another worker."""


class DrainingError(Exception):
    """This process ends; what is stored so far is all another one needs."""


def run_conversation(parts: Parts, org_id: UUID, conversation_id: UUID) -> None:
    """Carry on until nothing is left to do or the person must answer.

    Returns at once where another worker does so. Killed anywhere, the next call goes on from the
    stored events. Raises DrainingError where this process ends.
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
    if setting.taken_up:
        publisher.publish(Restart())
    for event in map(partial(parts.ending, setting), _events(parts, setting, lease)):
        if isinstance(event, Delta | Restart):
            publisher.publish(event)
        else:
            seq = _keep(parts, setting, event, lease)
            if seq is None:
                return True
            publisher.publish(event, seq)
        if parts.draining.is_set():
            raise DrainingError
    return True


def _events(parts: Parts, setting: Setting, lease: Lease) -> Iterator[Event]:
    if setting.spent:
        _log.error("turn_given_up", turn=str(setting.turn.id))
        return iter((Ended(reason="model_failed"),))
    runner = parts.runner_for(setting, lease.guard)
    mind = parts.mind_for(setting, runner, lease.guard)
    return advance(
        setting.events,
        model=mind.model,
        runner=runner,
        watch=lambda: _signal(parts.db, setting.turn),
        glance=_seldom(lambda: _signal(parts.db, setting.turn)),
        opening=mind.opening,
    )


def _seldom(watch: Watch) -> Watch:
    """A look at most every so often: one for each piece of words was half of a turn's queries."""
    looked = time.monotonic()

    def glance() -> Signal:
        nonlocal looked
        if time.monotonic() - looked < GLANCE_S:
            return None
        looked = time.monotonic()
        return watch()

    return glance


def _prepare(parts: Parts, org_id: UUID, conversation_id: UUID, lease: Lease) -> Setting | None:
    while not parts.draining.is_set():
        with parts.db.transaction(org_id) as session:
            turn = _next_turn(session, conversation_id)
            if turn is None:
                return None
            conversation = session.get_one(Conversation, conversation_id)
            wait = _quiet_for(session, conversation, turn, parts.debounce)
            said = _said(session, turn)
            if wait <= timedelta() and parts.db.meanings.settled(said):
                return _start(parts, session, conversation, turn.id, lease)
        parts.db.meanings.ahead(said)
        parts.draining.wait(max(wait, timedelta()).total_seconds())
    raise DrainingError


def _said(session: Session, turn: Turn) -> str:
    """What a turn is about to hear."""
    said = select(Words.text).where(Words.turn_id == turn.id).order_by(Words.position)
    return "\n".join(session.scalars(said)) if turn.state is TurnState.WAITING else ""


def _quiet_for(
    session: Session, conversation: Conversation, turn: Turn, debounce: timedelta
) -> timedelta:
    """How long to wait for more words, in chats: a little after the last, never long."""
    if turn.state is not TurnState.WAITING or conversation.surface is Surface.WEB:
        return timedelta()
    times = list(session.scalars(select(Words.created_at).where(Words.turn_id == turn.id)))
    return min(max(times) + debounce, min(times) + DEBOUNCE_LONGEST) - now_of(session)


def _start(
    parts: Parts, session: Session, conversation: Conversation, turn_id: UUID, lease: Lease
) -> Setting | None:
    """The turn as it is carried on; a waiting one takes its words as its first event."""
    lease.guard(session)
    # The conversation first, as `say` does: words that come now join this turn or wait for the
    # next, they never fall between.
    _lock_conversation(session, conversation.id)
    turn = ledger.lock_turn(session, turn_id)
    if turn is None:
        return None
    begun = turn.state is TurnState.RUNNING
    if turn.state is TurnState.WAITING:
        with session.no_autoflush:  # one update of the turn, not one for each field
            turn.state = TurnState.RUNNING
            said = select(Words).where(Words.turn_id == turn.id).order_by(Words.position)
            words = list(session.scalars(said))
            ledger.append(session, turn, heard(session, words, conversation))
    turn.tries += 1
    try:
        actor = _narrowed(session, turn, parts.actor_of(session, conversation))
    except NotAllowed:
        _dismiss(parts, session, turn)
        return None
    zone = studio.org(session, conversation.org_id).timezone
    events = ledger.history(session, turn.id)
    taken_up = begun and not isinstance(events[-1], Answered)
    return Setting(conversation, turn, actor, zone, events, taken_up)


def _narrowed(session: Session, turn: Turn, actor: Actor) -> Actor:
    """The person with no more rights than the words of this turn were said with."""
    for role in session.scalars(select(Words.role).where(Words.turn_id == turn.id)):
        actor = actor.at_most(role)
    return actor


def _dismiss(parts: Parts, session: Session, turn: Turn) -> None:
    """The turn of a person who has left ends, and nobody is told anything."""
    ended = Ended(reason="stopped")
    seq = ledger.append(session, turn, ended).seq
    after_commit(session, lambda: parts.publisher_for(turn).publish(ended, seq))


def _keep(parts: Parts, setting: Setting, event: Event, lease: Lease) -> int | None:
    """Store an event and return its seq; None for a question that is out of date already.

    Words or a stop that came first would else wait behind it until somebody answers.
    """
    with parts.db.transaction(setting.turn.org_id) as session:
        lease.guard(session)
        if isinstance(event, Asked | Ended):
            _lock_conversation(session, setting.conversation.id)
        turn = ledger.lock_turn(session, setting.turn.id)
        if turn is None:
            raise LeaseLost(lease.lane)
        if isinstance(event, Asked) and _signal_in(session, turn) is not None:
            return None
        row = ledger.append(session, turn, event)
        if isinstance(event, Asked | Ended):
            _tell(parts, session, setting, turn, event)
        return row.seq


def _tell(
    parts: Parts, session: Session, setting: Setting, turn: Turn, event: Asked | Ended
) -> None:
    """What waits and what is sent; a turn that is given up ends even where telling is the fault."""
    if not setting.spent:
        parts.kept(session, setting, turn, event)
        return
    try:
        with session.begin_nested():
            parts.kept(session, setting, turn, event)
    except Exception as error:  # noqa: BLE001 - whatever it is, the conversation must go on
        _log.error("end_untold", turn=str(turn.id), exc_info=error)


def _lock_conversation(session: Session, conversation_id: UUID) -> None:
    locked = select(Conversation.id).where(Conversation.id == conversation_id).with_for_update()
    session.execute(locked)


def _signal(db: Database, turn: Turn) -> Signal:
    with db.transaction(turn.org_id) as session:
        return _signal_in(session, turn)


def _signal_in(session: Session, turn: Turn) -> Signal:
    this, newer = Turn.id == turn.id, Turn.state == TurnState.WAITING
    found = session.execute(
        select(this, Turn.stop_requested).where(
            Turn.conversation_id == turn.conversation_id, or_(this, newer)
        )
    ).all()
    if any(mine and stop for mine, stop in found):
        return "stopped"
    return None if all(mine for mine, _ in found) else "halted"
