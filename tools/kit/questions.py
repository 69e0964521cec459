"""Questions that wait for a person: decided once, on whichever channel they answer first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.core.actor import Actor, Via
from app.core.errors import NotAllowed, NotFound
from app.core.ids import new_id, new_token
from tools.kit import choices
from tools.kit.calls import Decision, Pending
from tools.kit.cards import QuestionCard, Typed
from tools.kit.choices import Approve, Choice, Choose, Decline, Words
from tools.kit.models import Question, QuestionState

__all__ = [
    "AlreadyClosed",
    "Approve",
    "Choice",
    "Choose",
    "Decided",
    "Decline",
    "Expired",
    "NeedsSignIn",
    "Pending",
    "Result",
    "Words",
    "by_token",
    "card_of",
    "choice_of_number",
    "close",
    "decide",
    "decisions_of",
    "expire_due",
    "of_person",
    "open_question",
    "orgs_with_due",
    "pending_of",
    "supersede",
]

_card: TypeAdapter[QuestionCard] = TypeAdapter(QuestionCard)


@dataclass(frozen=True, slots=True)
class Decided:
    """This answer was the first: what it means for each call, by the call's id."""

    question: Question
    decisions: dict[str, Decision]


@dataclass(frozen=True, slots=True)
class AlreadyClosed:
    """Somebody was faster; the row says who, where, when and how. `same`: with the same answer."""

    question: Question
    same: bool


@dataclass(frozen=True, slots=True)
class Expired:
    question: Question


@dataclass(frozen=True, slots=True)
class NeedsSignIn:
    """What leaves the building, or is lost for good, can't be approved by SMS; it stays open."""

    question: Question


Result = Decided | AlreadyClosed | Expired | NeedsSignIn


def open_question(
    session: Session,
    actor: Actor,
    *,
    card: QuestionCard,
    calls: Sequence[Pending],
    expires_at: datetime,
    question_id: UUID | None = None,
    conversation_id: UUID | None = None,
    turn_id: UUID | None = None,
    origin: str | None = None,
    key: str | None = None,
) -> Question:
    """Keep a question for the actor's person; the same id again, of a resumed turn, is that row."""
    known = session.get(Question, question_id) if question_id else None
    if known is not None:
        return known
    row = Question(
        id=question_id or new_id(),
        org_id=actor.org_id,
        user_id=actor.user_id,
        conversation_id=conversation_id,
        turn_id=turn_id,
        via=actor.via,
        origin=origin,
        key=key,
        kind=card.kind,
        card=card.model_dump(mode="json"),
        calls=[one.model_dump(mode="json") for one in calls],
        token=new_token(),
        expires_at=expires_at,
        state=QuestionState.OPEN,
        decisions={},
    )
    session.add(row)
    session.flush()
    return row


def decide(
    session: Session, question_id: UUID, choice: Choice, *, by: Actor, where: str, now: datetime
) -> Result:
    """Close an open question by its person's answer; the first one wins, however many come at once.

    Raises NotFound for anybody else's question, NotAllowed for a program in the person's name,
    BadInput for an answer that doesn't fit the card.
    """
    question = _theirs(session, question_id, by)
    if by.via is not Via.PERSON:
        raise NotAllowed
    decisions = choices.decisions_of(card_of(question), pending_of(question), choice)
    if _by_sms_alone(question, decisions, where):
        return NeedsSignIn(question)
    if _close(session, question_id, decisions, by=by, where=where, now=now):
        session.refresh(question)
        return Decided(question, decisions)
    session.refresh(question)
    if question.state in {QuestionState.OPEN, QuestionState.EXPIRED}:
        return Expired(question)
    return AlreadyClosed(question, same=question.decisions == _json(decisions))


def supersede(session: Session, question_id: UUID) -> bool:
    """Close a question because its person went on without it; False where it was closed already."""
    return close(session, question_id, QuestionState.SUPERSEDED)


def close(session: Session, question_id: UUID, state: QuestionState) -> bool:
    """Close a question without a decision; False where it was closed already."""
    statement = (
        update(Question)
        .where(Question.id == question_id, Question.state == QuestionState.OPEN)
        .values(state=state, version=Question.version + 1)
        .returning(Question.id)
    )
    return session.scalar(statement) is not None


def expire_due(session: Session, *, now: datetime) -> list[Question]:
    """Close what nobody answered in time; return those, so that their turns can go on."""
    statement = (
        update(Question)
        .where(Question.state == QuestionState.OPEN, Question.expires_at <= now)
        .values(state=QuestionState.EXPIRED, version=Question.version + 1)
        .returning(Question)
    )
    return list(session.scalars(statement))


def orgs_with_due(session: Session, *, now: datetime) -> list[UUID]:
    """For the platform's reaper: the orgs where some question is due."""
    query = select(Question.org_id).distinct()
    query = query.where(Question.state == QuestionState.OPEN, Question.expires_at <= now)
    return list(session.scalars(query))


def by_token(session: Session, token: str) -> Question | None:
    return session.scalar(select(Question).where(Question.token == token))


def of_person(session: Session, user_id: UUID, *, now: datetime) -> list[Question]:
    """What waits for a person anywhere, oldest first."""
    query = select(Question).order_by(Question.created_at, Question.id)
    query = query.where(Question.user_id == user_id, Question.state == QuestionState.OPEN)
    return list(session.scalars(query.where(Question.expires_at > now)))


def card_of(question: Question) -> QuestionCard:
    return _card.validate_python(question.card)


def pending_of(question: Question) -> tuple[Pending, ...]:
    """The calls it stands for, in tool order."""
    return tuple(Pending.model_validate(one) for one in question.calls)


def decisions_of(question: Question) -> dict[str, Decision]:
    """What was decided, by the call's id; empty while it is open or where nobody decided."""
    return {key: Decision.model_validate(one) for key, one in question.decisions.items()}


def choice_of_number(question: Question, number: int) -> Choice:
    """What one shown number stands for on this question's card."""
    return choices.choice_of_number(card_of(question), number)


def _theirs(session: Session, question_id: UUID, by: Actor) -> Question:
    question = session.get(Question, question_id)
    if question is None or (question.org_id, question.user_id) != (by.org_id, by.user_id):
        raise NotFound
    return question


def _by_sms_alone(question: Question, decisions: dict[str, Decision], where: str) -> bool:
    """What leaves the building, and what is lost for good."""
    for_good = isinstance(card_of(question), Typed)
    heavy = (one.call.id for one in pending_of(question) if one.always or for_good)
    return where == "sms" and any(decisions[key].approved for key in heavy)


def _close(
    session: Session,
    question_id: UUID,
    decisions: dict[str, Decision],
    *,
    by: Actor,
    where: str,
    now: datetime,
) -> bool:
    approved = any(decision.approved for decision in decisions.values())
    statement = (
        update(Question)
        .where(
            Question.id == question_id,
            Question.state == QuestionState.OPEN,
            Question.expires_at > now,
        )
        .values(
            state=QuestionState.APPROVED if approved else QuestionState.DECLINED,
            decisions=_json(decisions),
            decided_by=by.user_id,
            decided_where=where,
            decided_at=now,
            version=Question.version + 1,
        )
        .returning(Question.id)
        .execution_options(synchronize_session=False)
    )
    return session.scalar(statement) is not None


def _json(decisions: dict[str, Decision]) -> dict[str, Any]:
    return {key: one.model_dump(mode="json") for key, one in decisions.items()}
