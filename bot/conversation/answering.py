"""Answers: one decision a question, from whichever channel comes first."""

from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import now_of
from bot.conversation import ledger
from bot.conversation.queue import Enqueue, run_later
from bot.turn.events import Answered
from tools.kit import questions
from tools.kit.models import Question


def answer(
    session: Session,
    actor: Actor,
    question_id: UUID,
    choice: questions.Choice,
    *,
    where: str,
    enqueue: Enqueue,
) -> questions.Result:
    """Decide a question and let its turn go on.

    Raises NotFound for a question of somebody else, BadInput for a choice that doesn't fit. What
    is closed already stays as it was: the result says who closed it, where, when and how.
    """
    result = questions.decide(
        session, question_id, choice, by=actor, where=where, now=now_of(session)
    )
    if isinstance(result, questions.Decided):
        _go_on(
            session,
            result.question,
            Answered(
                question_id=question_id,
                outcome="decided",
                decisions=result.decisions,
                where=where,
                at=now_of(session),
            ),
            enqueue,
        )
    return result


def expire_due(session: Session, *, enqueue: Enqueue) -> int:
    """Close what nobody answered in time, so that no conversation waits for ever."""
    rows = questions.expire_due(session, now=now_of(session))
    for row in rows:
        event = Answered(question_id=row.id, outcome="expired", at=now_of(session))
        _go_on(session, row, event, enqueue)
    return len(rows)


def _go_on(session: Session, question: Question, event: Answered, enqueue: Enqueue) -> None:
    if question.turn_id is None:
        return
    turn = ledger.lock_turn(session, question.turn_id)
    if turn is not None:
        ledger.append(session, turn, event)
        run_later(session, enqueue, turn.org_id, turn.conversation_id)
