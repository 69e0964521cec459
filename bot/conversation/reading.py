"""Reading conversations back: for a page that reloads, for a stream that resumes."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import NotFound
from bot.conversation.models import Conversation, Surface, Turn, TurnEvent, TurnState, Words
from bot.turn.events import Event, event_json


@dataclass(frozen=True, slots=True)
class StoredTurn:
    turn: Turn
    events: tuple[tuple[int, Event], ...]
    """With their seq."""
    waiting: tuple[str, ...]
    """Words in the mailbox that no event holds yet."""


def conversation(session: Session, actor: Actor, conversation_id: UUID) -> Conversation:
    """Raises NotFound for somebody else's: a conversation is its person's alone."""
    row = session.get(Conversation, conversation_id)
    if row is None or row.user_id != actor.user_id:
        raise NotFound
    return row


def line(session: Session, row: Conversation) -> list[UUID]:
    """The conversations that a person reads as one with this: all of a phone, a page's own."""
    same = Conversation.id == row.id
    if row.address is not None:
        on_it = (Conversation.surface == row.surface, Conversation.address == row.address)
        same = or_(same, and_(Conversation.user_id == row.user_id, *on_it))
    return list(session.scalars(select(Conversation.id).where(same)))


def latest(session: Session, actor: Actor, surface: Surface = Surface.WEB) -> Conversation | None:
    """The person's newest open conversation on a surface."""
    return session.scalar(
        select(Conversation)
        .where(
            Conversation.user_id == actor.user_id,
            Conversation.surface == surface,
            Conversation.closed_at.is_(None),
        )
        .order_by(Conversation.created_at.desc())
        .limit(1)
    )


def turn(session: Session, actor: Actor, turn_id: UUID) -> Turn:
    """Raises NotFound for a turn of somebody else."""
    row = session.get(Turn, turn_id)
    if row is None:
        raise NotFound
    conversation(session, actor, row.conversation_id)
    return row


def stored(session: Session, turn_id: UUID, *, start: int = 0) -> list[tuple[int, Event]]:
    """A turn's events from a seq on."""
    rows = session.scalars(
        select(TurnEvent)
        .where(TurnEvent.turn_id == turn_id, TurnEvent.seq >= start)
        .order_by(TurnEvent.seq)
    )
    return [(row.seq, event_json.validate_python(row.body)) for row in rows]


def turns(session: Session, conversation_id: UUID, *, last: int = 50) -> list[StoredTurn]:
    """The newest turns of a conversation, oldest first."""
    rows = list(
        session.scalars(
            select(Turn)
            .where(Turn.conversation_id == conversation_id)
            .order_by(Turn.number.desc())
            .limit(last)
        )
    )
    return [
        StoredTurn(row, tuple(stored(session, row.id)), _waiting(session, row))
        for row in reversed(rows)
    ]


def _waiting(session: Session, row: Turn) -> tuple[str, ...]:
    if row.state is not TurnState.WAITING:
        return ()
    words = select(Words.text).where(Words.turn_id == row.id).order_by(Words.position)
    return tuple(session.scalars(words))
