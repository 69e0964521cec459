"""Summaries as rows: which one a turn is told, when another is due, and keeping it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.core.db import after_commit
from bot.conversation import ledger
from bot.conversation.models import Conversation, SummaryRow, Turn, TurnState
from bot.conversation.queue import SUM_UP, Enqueue
from bot.model.in_play import Thing, in_play
from bot.model.summary import TURNS, Summary, due
from bot.turn.events import Event


@dataclass(frozen=True, slots=True)
class Remembered:
    """What a turn goes on from: turns from the number `since` on, and what stands before them."""

    since: int
    summary: str
    turns: Sequence[Sequence[Event]]


@dataclass(frozen=True, slots=True)
class Unsummed:
    """Turns that a summary is due for, the last with this id, and the one that is there so far."""

    first: int
    until: int
    turn_id: UUID
    turns: Sequence[Sequence[Event]]
    before: Summary | None


def remembered(session: Session, turn: Turn) -> Remembered:
    """The same each time in a turn, whatever has been summed up since it began."""
    found = _newest(session, turn.conversation_id, serving=turn.number)
    since = max(ledger.first_remembered(turn.number), found.until + 1 if found else 0)
    turns = ledger.turns(session, turn.conversation_id, since, turn.number - 1)
    return Remembered(since, found.block() if found else "", turns)


def sum_up_later(session: Session, enqueue: Enqueue, turn: Turn) -> None:
    """Once this is committed, where one is due. Missed, it is due after the next turn too."""
    newest = select(func.max(SummaryRow.until)).where(
        SummaryRow.conversation_id == turn.conversation_id
    )
    if due(turn.number, session.scalar(newest) or 0) is not None:
        ids = str(turn.org_id), str(turn.conversation_id)
        after_commit(session, lambda: enqueue(SUM_UP, *ids))


def unsummed(session: Session, conversation_id: UUID) -> Unsummed | None:
    """What is to be summed up now."""
    ended = (Turn.conversation_id == conversation_id, Turn.state == TurnState.ENDED)
    last = session.scalar(select(Turn).where(*ended).order_by(Turn.number.desc()).limit(1))
    before = _newest(session, conversation_id)
    until = due(last.number, before.until if before else 0) if last else None
    if last is None or until is None:
        return None
    first = max(before.until if before else 0, until - TURNS) + 1
    turns = ledger.turns(session, conversation_id, first, until)
    return Unsummed(first, until, last.id, turns, before)


def keep(session: Session, conversation_id: UUID, found: Unsummed, text: str) -> bool:
    """Whether it still says what the turns do: an erasure meanwhile leaves it unkept.

    It serves turns that haven't begun: what stands before one under way doesn't change.
    """
    whole = select(Conversation).where(Conversation.id == conversation_id).with_for_update()
    conversation = session.scalars(whole).one()
    of = (Turn.conversation_id == conversation_id, Turn.number.between(found.first, found.until))
    locked = select(Turn.id).where(*of).with_for_update(read=True, skip_locked=True)
    free = len(session.scalars(locked).all())
    again = ledger.turns(session, conversation_id, found.first, found.until)
    if free != found.until - found.first + 1 or again != found.turns:
        return False
    if _newest(session, conversation_id) != found.before:
        return False
    begun = (Turn.conversation_id == conversation_id, Turn.state != TurnState.WAITING)
    newest = session.scalar(select(func.max(Turn.number)).where(*begun)) or 0
    things = in_play(found.turns, found.before.things if found.before else ())
    session.add(
        SummaryRow(
            org_id=conversation.org_id,
            conversation_id=conversation_id,
            until=found.until,
            serves=newest + 1,
            text=text,
            things=[asdict(one) for one in things],
        )
    )
    return True


def _newest(
    session: Session, conversation_id: UUID, *, serving: int | None = None
) -> Summary | None:
    query = select(SummaryRow).where(SummaryRow.conversation_id == conversation_id)
    if serving is not None:
        query = query.where(SummaryRow.serves <= serving)
    row = session.scalar(query.order_by(SummaryRow.until.desc()).limit(1))
    if row is None:
        return None
    return Summary(row.until, row.text, tuple(Thing(**one) for one in row.things))
