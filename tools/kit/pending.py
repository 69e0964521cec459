"""Calls outside of a conversation: they run, or their question is kept until its person answers."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import now_of
from app.core.errors import KeyReused, NotFound, StudioError
from tools.kit import binding, questions
from tools.kit.calls import Call, Outcome
from tools.kit.calls import Question as Asking
from tools.kit.cards import NotRun
from tools.kit.choices import Choice
from tools.kit.declare import Ask
from tools.kit.models import Question, QuestionState, ToolCall
from tools.kit.questions import AlreadyClosed, Decided, Pending, Result
from tools.kit.runner import Runner

TTL: Final = timedelta(minutes=15)
_DECLINED: Final = Outcome(card=NotRun(reason="declined"), ok=False)


class AskedInChat(StudioError):
    """The question is a conversation's: answered there, so that its turn goes on."""

    code, status = "asked_in_chat", 409


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer came to, and the outcomes of the calls that it let run, in order.

    `again` is the new question of a call whose facts had moved since it was asked.
    """

    result: Result
    outcomes: tuple[Outcome, ...] = ()
    again: Question | None = None


def submit(runner: Runner, call: Call, *, ttl: timedelta = TTL) -> Outcome | Question:
    """Carry a call out, or keep its question and return that; the same key comes to the same.

    Raises KeyReused where the key waits for an answer with other arguments.
    """
    tool = runner.registry.get(call.name)
    if tool is None or not binding.needs_asking(tool, runner.actor):
        return runner.run(call)
    known = _latest(runner, call)
    if known is not None and known.state is QuestionState.DECLINED:
        return _DECLINED
    if known is not None and known.state is QuestionState.APPROVED:
        outcome = _settled(runner, known)[0]
    else:
        outcome = runner.run(call)
    return _ask(runner, call, ttl) if outcome.moved else outcome


def answer(
    runner: Runner, question_id: UUID, choice: Choice, *, where: str, ttl: timedelta = TTL
) -> Answer:
    """Decide a question as its person, then run what it lets run, once.

    Raises NotFound for anybody else's, AskedInChat for one of a conversation, NotAllowed for a
    program in the person's name, BadInput for an answer that doesn't fit.
    """
    with runner.db.transaction(runner.actor.org_id) as session:
        if one(session, runner.actor, question_id).turn_id is not None:
            raise AskedInChat
        now = now_of(session)
        by = runner.actor
        result = questions.decide(session, question_id, choice, by=by, where=where, now=now)
    if not (isinstance(result, Decided) or (isinstance(result, AlreadyClosed) and result.same)):
        return Answer(result)
    outcomes = _settled(runner, result.question)
    again = _ask_again(runner, result.question, ttl) if outcomes[0].moved else None
    return Answer(result, outcomes, again)


def one(session: Session, actor: Actor, question_id: UUID) -> Question:
    """Raises NotFound for anybody else's question."""
    question = session.get(Question, question_id)
    if question is None or (question.org_id, question.user_id) != (actor.org_id, actor.user_id):
        raise NotFound
    return question


def outcomes(session: Session, question: Question) -> tuple[Outcome, ...]:
    """What came of the calls that were let run so far."""
    keys = [pending.call.id for pending in questions.pending_of(question)]
    query = select(ToolCall).where(ToolCall.origin == question.origin, ToolCall.key.in_(keys))
    found = {call.key: Outcome.model_validate(call.outcome) for call in session.scalars(query)}
    return tuple(found[key] for key in keys if key in found)


def _settled(runner: Runner, question: Question) -> tuple[Outcome, ...]:
    """Run what was decided; a repeat finds what is stored, so a crash in between loses nothing."""
    decisions = questions.decisions_of(question)
    asked_by = _as_asked(runner, question)
    return tuple(
        asked_by.run(pending.call, decisions[pending.call.id])
        for pending in questions.pending_of(question)
    )


def _as_asked(runner: Runner, question: Question) -> Runner:
    """The approval lets a program's call run; it doesn't make it the person's own."""
    return Runner(
        runner.db,
        runner.registry,
        runner.actor.acting(question.via),
        question.origin or runner.source.origin,
        standing=runner.standing,
        zone=runner.zone,
    )


def _ask_again(runner: Runner, question: Question, ttl: timedelta) -> Question | None:
    asked_by = _as_asked(runner, question)
    found = _ask(asked_by, questions.pending_of(question)[0].call, ttl)
    return found if isinstance(found, Question) else None


def _ask(runner: Runner, call: Call, ttl: timedelta) -> Outcome | Question:
    asking = runner.question(call)
    return runner.run(call) if asking is None else _keep(runner, call, asking, ttl)


def _latest(runner: Runner, call: Call) -> Question | None:
    with runner.db.transaction(runner.actor.org_id) as session:
        return _find_latest(session, runner, call)


def _find_latest(session: Session, runner: Runner, call: Call) -> Question | None:
    """The last question under this key. Raises KeyReused where it asks about something else."""
    query = (
        select(Question)
        .where(Question.origin == runner.source.origin, Question.key == call.id)
        .order_by(Question.created_at.desc(), Question.id.desc())
    )
    found = session.scalars(query.limit(1)).first()
    if found is not None and _another(runner, found, call):
        raise KeyReused
    return found


def _another(runner: Runner, found: Question, call: Call) -> bool:
    asked = questions.pending_of(found)[0].call
    same = (asked.name, asked.input) == (call.name, call.input)
    return found.user_id != runner.actor.user_id or not same


def _keep(runner: Runner, call: Call, asking: Asking, ttl: timedelta) -> Question:
    """The open question of this key, or a new one in place of one whose facts have moved."""
    always = runner.registry[call.name].ask is Ask.ALWAYS
    pending = Pending(call=call, target=asking.target, always=always)
    with runner.db.transaction(runner.actor.org_id) as session:
        _one_at_a_time(session, runner, call)
        known = _find_latest(session, runner, call)
        if known is not None and _stands(session, known, asking):
            return known
        if known is not None:
            questions.supersede(session, known.id)
        return questions.open_question(
            session,
            runner.actor,
            card=asking.card,
            calls=[pending],
            expires_at=now_of(session) + ttl,
            origin=runner.source.origin,
            key=call.id,
        )


def _one_at_a_time(session: Session, runner: Runner, call: Call) -> None:
    """Two askers of one key wait for each other, so that the second finds the first one's row."""
    key = f"{runner.actor.org_id}:{runner.source.origin}:{call.id}"
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(key, 0))))


def _stands(session: Session, question: Question, asking: Asking) -> bool:
    target = questions.pending_of(question)[0].target
    in_time = question.expires_at > now_of(session)
    return question.state is QuestionState.OPEN and in_time and target == asking.target
