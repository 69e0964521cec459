"""A person's words into the mailbox: one waiting turn a conversation, joined until it is taken."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import now_of
from app.core.errors import BadInput, NotFound
from app.core.storable import storable
from bot.conversation import ledger, pictures
from bot.conversation.attachments import Shot
from bot.conversation.models import Conversation, Surface, Turn, TurnState, Words
from bot.conversation.queue import Enqueue, run_later
from bot.conversation.titles import name_later
from bot.turn.events import Answered, Asked
from tools.kit import questions

LONGEST = 8_000
"""Characters of one message; a pasted book is refused with a word, not cut."""


class TooLong(BadInput):
    code = "message_too_long"


class Empty(BadInput):
    code = "message_empty"


@dataclass(frozen=True, slots=True)
class Accepted:
    conversation_id: UUID
    turn_id: UUID


def open_conversation(
    session: Session, actor: Actor, surface: Surface, *, address: dict[str, Any] | None = None
) -> Conversation:
    """A new conversation of this person."""
    row = Conversation(
        org_id=actor.org_id,
        user_id=actor.user_id,
        surface=surface,
        language=actor.language,
        address=address,
    )
    session.add(row)
    session.flush()
    return row


def say(
    session: Session,
    actor: Actor,
    conversation_id: UUID,
    text: str,
    *,
    enqueue: Enqueue,
    beside: dict[str, Any] | None = None,
    inbound_id: UUID | None = None,
    shots: Sequence[Shot] = (),
) -> Accepted:
    """Put words into the mailbox; an open question of this conversation is closed by them.

    Pictures may come without words.

    Raises NotFound for a conversation of somebody else, TooLong, Empty.
    """
    text = clean(text) if text.strip() or not shots else ""
    conversation = locked_conversation(session, actor, conversation_id)
    _supersede(session, conversation)
    turn = _waiting(session, conversation)
    words = Words(
        org_id=actor.org_id,
        turn_id=turn.id,
        text=text,
        beside=beside or {},
        role=actor.role,
        inbound_id=inbound_id,
    )
    session.add(words)
    session.flush()
    pictures.keep(session, words, shots)
    run_later(session, enqueue, actor.org_id, conversation.id)
    if turn.number == 1:
        name_later(session, enqueue, conversation)
    return Accepted(conversation.id, turn.id)


def clean(text: str) -> str:
    """Text as it can be kept: without NUL and lone surrogates. Raises TooLong or Empty."""
    kept = storable(text).strip()
    if not kept:
        raise Empty
    if len(kept) > LONGEST:
        raise TooLong(limit=LONGEST, length=len(kept))
    return kept


def locked_conversation(session: Session, actor: Actor, conversation_id: UUID) -> Conversation:
    """The conversation, locked to the end of the transaction. Raises NotFound for another's.

    Locks are taken in this order everywhere: lease, conversation, question, turn.
    """
    mine = (Conversation.id == conversation_id, Conversation.user_id == actor.user_id)
    locked = select(Conversation).where(*mine).with_for_update()
    row = session.scalar(locked.execution_options(populate_existing=True))
    if row is None:
        raise NotFound
    return row


def _waiting(session: Session, conversation: Conversation) -> Turn:
    row = session.scalar(
        select(Turn).where(Turn.conversation_id == conversation.id, Turn.state == TurnState.WAITING)
    )
    if row is None:
        last = session.scalar(
            select(func.max(Turn.number)).where(Turn.conversation_id == conversation.id)
        )
        row = Turn(
            org_id=conversation.org_id, conversation_id=conversation.id, number=(last or 0) + 1
        )
        session.add(row)
        session.flush()
    return row


def _supersede(session: Session, conversation: Conversation) -> None:
    """Newer words close what is open here: its calls will get a result that says so."""
    turn_id = session.scalar(
        select(Turn.id).where(
            Turn.conversation_id == conversation.id, Turn.state == TurnState.ASKED
        )
    )
    if turn_id is not None:
        close_question(session, turn_id, "superseded")


def close_question(
    session: Session, turn_id: UUID, outcome: Literal["superseded", "stopped"]
) -> None:
    """Close what a turn asks, without a decision; the turn then goes on to its end.

    The question first, then the turn: the order in which an answer locks them, so that neither
    waits for ever.
    """
    asked = next(e for e in reversed(ledger.history(session, turn_id)) if isinstance(e, Asked))
    if questions.supersede(session, asked.question_id):
        turn = ledger.lock_turn(session, turn_id)
        if turn is not None:
            answered = Answered(question_id=asked.question_id, outcome=outcome, at=now_of(session))
            ledger.append(session, turn, answered)
