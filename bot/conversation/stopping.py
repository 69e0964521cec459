"""Stop: the server's, so it survives a reload; a write that has begun is finished and told."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import now_of
from app.core.errors import NotFound
from bot.conversation import ledger
from bot.conversation.models import Conversation, Turn, TurnState
from bot.conversation.queue import Enqueue, run_later
from bot.turn.events import Answered, Asked
from tools.kit import questions


def stop(session: Session, actor: Actor, turn_id: UUID, *, enqueue: Enqueue) -> bool:
    """Ask a turn to end before its next step; an open question of it is closed. False where it has ended already.

    Raises NotFound for a turn of somebody else.
    """
    turn = session.scalar(
        select(Turn)
        .join(Conversation, Conversation.id == Turn.conversation_id)
        .where(Turn.id == turn_id, Conversation.user_id == actor.user_id)
        .with_for_update(of=Turn)
    )
    if turn is None:
        raise NotFound
    if turn.state is TurnState.ENDED:
        return False
    turn.stop_requested = True
    if turn.state is TurnState.ASKED:
        _close_question(session, turn)
    run_later(session, enqueue, turn.org_id, turn.conversation_id)
    return True


def stop_running(
    session: Session, actor: Actor, conversation_id: UUID, *, enqueue: Enqueue
) -> bool:
    """Stop whatever runs or is asked in a conversation; False where nothing does."""
    live = session.scalar(
        select(Turn.id).where(
            Turn.conversation_id == conversation_id, Turn.state != TurnState.ENDED
        )
    )
    return live is not None and stop(session, actor, live, enqueue=enqueue)


def _close_question(session: Session, turn: Turn) -> None:
    asked = next(e for e in reversed(ledger.history(session, turn.id)) if isinstance(e, Asked))
    if questions.supersede(session, asked.question_id):
        ledger.append(
            session,
            turn,
            Answered(question_id=asked.question_id, outcome="stopped", at=now_of(session)),
        )
