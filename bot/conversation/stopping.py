"""Stop: the server's, so it survives a reload; a write that has begun is finished and told."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from bot.conversation import ledger, reading
from bot.conversation.accept import close_question, locked_conversation
from bot.conversation.models import Turn, TurnState
from bot.conversation.queue import Enqueue, run_later


def stop(session: Session, actor: Actor, turn_id: UUID, *, enqueue: Enqueue) -> bool:
    """Ask a turn to end before its next step; an open question of it is closed.

    False where it has ended already. Raises NotFound for a turn of somebody else.
    """
    conversation_id = reading.turn(session, actor, turn_id).conversation_id
    # Nothing is asked while this is held, so a question can't be opened behind our back.
    locked_conversation(session, actor, conversation_id)
    return _stop(session, turn_id, enqueue)


def stop_running(
    session: Session, actor: Actor, conversation_id: UUID, *, enqueue: Enqueue
) -> bool:
    """Stop whatever runs, is asked or waits in a conversation; False where nothing does."""
    locked_conversation(session, actor, conversation_id)
    live = select(Turn.id).where(
        Turn.conversation_id == conversation_id, Turn.state != TurnState.ENDED
    )
    stopped = [_stop(session, turn_id, enqueue) for turn_id in session.scalars(live).all()]
    return any(stopped)


def _stop(session: Session, turn_id: UUID, enqueue: Enqueue) -> bool:
    state = session.scalars(select(Turn.state).where(Turn.id == turn_id)).one()
    if state is TurnState.ASKED:
        close_question(session, turn_id, "stopped")
    turn = ledger.lock_turn(session, turn_id)
    if turn is None or turn.state is TurnState.ENDED:
        return False
    turn.stop_requested = True
    run_later(session, enqueue, turn.org_id, turn.conversation_id)
    return True
