"""What comes next in a turn: a pure function of its history, and a value."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bot.turn.events import Answered, Asked, EndReason, Event, Heard, Ran, Said
from tools.kit.calls import Call, CallRunner, Decision, Question
from tools.kit.cards import Confirm, NotRun, Reason

LONGEST = 20
"""Messages of the model in one turn; a loop of errors ends here."""

Signal = Literal["stopped", "halted"] | None
"""The person pressed stop, or spoke again."""


@dataclass(frozen=True, slots=True)
class Ask:
    questions: tuple[tuple[Call, Question], ...]


@dataclass(frozen=True, slots=True)
class Reads:
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Run:
    call: Call
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class Refuse:
    call: Call
    reason: Reason


@dataclass(frozen=True, slots=True)
class Finish:
    reason: EndReason


@dataclass(frozen=True, slots=True)
class Reply:
    """The model's move."""


Step = Ask | Reads | Run | Refuse | Finish | Reply


@dataclass(frozen=True, slots=True)
class Round:
    """The model's last message and what has happened to it since."""

    said: Said | None
    settled: dict[str, Ran]
    decisions: dict[str, Decision]
    asked: frozenset[str]
    closed: Reason | None

    @property
    def calls(self) -> tuple[Call, ...]:
        return self.said.calls if self.said else ()

    @property
    def left(self) -> tuple[Call, ...]:
        return tuple(call for call in self.calls if call.id not in self.settled)


def plan(history: Sequence[Event], runner: CallRunner, signal: Signal) -> Step:
    """The one next step. Killed anywhere and asked again, it comes to the same."""
    now = last_round(history)
    if not now.left:
        return _after_calls(history, now, signal)
    if closed := now.closed or _closing(now, runner, signal):
        return Refuse(now.left[0], _reason(now.left[0], now, closed))
    if questions := _open_questions(now, runner):
        return Ask(questions)
    if not now.decisions and len(now.left) > 1 and all(runner.reads(call) for call in now.calls):
        return Reads(now.left)
    return _one(now)


def last_round(history: Sequence[Event]) -> Round:
    """Read the state of the last message off the history; nothing is kept anywhere else."""
    start = max(
        (i for i, event in enumerate(history) if isinstance(event, Said | Heard)), default=0
    )
    said = history[start] if history else None
    settled: dict[str, Ran] = {}
    decisions: dict[str, Decision] = {}
    asked: set[str] = set()
    closed: Reason | None = None
    for event in history[start:]:
        match event:
            case Ran():
                settled[event.call_id] = event
                closed = closed or _closed_by(event)
            case Asked():
                asked.update(event.call_ids)
            case Answered(outcome="decided"):
                decisions.update(event.decisions)
            case Answered(outcome=("expired" | "superseded" | "stopped") as reason):
                closed = closed or reason
            case _:
                pass
    return Round(
        said if isinstance(said, Said) else None, settled, decisions, frozenset(asked), closed
    )


def _closed_by(event: Ran) -> Reason | None:
    """Some reasons close the whole message: once one call has it, so have all that are left."""
    match event.card:
        case NotRun(reason=("superseded" | "expired" | "halted" | "stopped") as reason):
            return reason
        case _:
            return None


def _closing(now: Round, runner: CallRunner, signal: Signal) -> Reason | None:
    """Stop stops at once; newer words halt before the next write, so reads may still run."""
    if signal == "halted" and all(runner.reads(call) for call in now.left):
        return None
    return signal


def _reason(call: Call, now: Round, closed: Reason) -> Reason:
    """What was asked about expires; what only waited beside it was skipped."""
    return "skipped" if closed == "expired" and call.id not in now.asked else closed


def _open_questions(now: Round, runner: CallRunner) -> tuple[tuple[Call, Question], ...]:
    """The next round of questions: a choice comes alone and first, all else is decided together.

    A declined call is asked no more; an approved one is asked anew when its target has moved
    meanwhile.
    """
    found: list[tuple[Call, Question]] = []
    for call in now.left:
        decision = now.decisions.get(call.id)
        if decision is not None and not decision.approved:
            continue
        question = runner.question(call)
        if question is not None and (decision is None or decision.target != question.target):
            found.append((call, question))
    alone = [pair for pair in found if not isinstance(pair[1].card, Confirm)]
    return tuple(alone[:1] or found)


def _one(now: Round) -> Run | Refuse:
    """The first call that is left.

    Every approved call runs; one that only waited beside them is skipped once an earlier call of
    the message was declined or has failed.
    """
    call = now.left[0]
    decision = now.decisions.get(call.id)
    if decision is not None and not decision.approved:
        return Refuse(call, "declined")
    before = now.calls[: now.calls.index(call)]
    if now.decisions and decision is None and any(not now.settled[one.id].ok for one in before):
        return Refuse(call, "skipped")
    return Run(call, decision)


def _after_calls(history: Sequence[Event], now: Round, signal: Signal) -> Finish | Reply:
    said = now.said
    if now.closed is not None:
        return Finish(_end_reason(now.closed))
    if said is not None and not said.calls:
        return Finish(
            "refused"
            if said.stop_reason == "refusal"
            else "stopped"
            if said.stop_reason == "stopped"
            else "done"
        )
    if signal is not None:
        return Finish(signal)
    if sum(isinstance(event, Said) for event in history) >= LONGEST:
        return Finish("too_long")
    return Reply()


def _end_reason(closed: Reason) -> EndReason:
    match closed:
        case "superseded" | "expired" | "halted" | "stopped":
            return closed
        case _:
            return "done"
