"""Tools, events and a small runner, enough to drive a turn without a studio."""

from collections.abc import Sequence
from typing import Any

from bot.turn.events import Heard, Ran, Said
from tools.kit.calls import Call, Decision, Outcome, Question, digest
from tools.kit.cards import Confirm, Done, Facts, NotRun, Reason
from tools.kit.values import Line, Name, Value


def definition(name: str, summary: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"q": {"type": "string"}, "n": {"type": "integer"}}}
    return {"name": name, "description": summary, "input_schema": schema}


TOOLS = [
    definition("read__find_members", "Find members by a part of their name. " * 20),
    definition("class_sessions__create", "Schedule one class at a local date and time. " * 20),
    definition("class_sessions__cancel", "Cancel a class and tell everyone booked. " * 20),
]


def heard(text: str, beside: str = "now: Monday 2026-11-30 10:00 Asia/Jerusalem") -> Heard:
    return Heard(text=text, beside=beside)


def call(at: int | str, name: str = "read__find_members") -> Call:
    return Call(id=f"toolu_{at}", name=name, input={"q": "Dana", "n": 1})


def said(*calls: Call, text: str = "", stop_reason: str | None = None) -> Said:
    words = [{"type": "text", "text": text}] if text else []
    uses = [
        {"type": "tool_use", "id": each.id, "name": each.name, "input": each.input}
        for each in calls
    ]
    return Said(
        text=text,
        blocks=(*words, *uses),
        calls=calls,
        stop_reason=stop_reason or ("tool_use" if calls else "end_turn"),
    )


def found(one: Call) -> Ran:
    title = Line(key="member.title", values={"name": Name(text="Dana Levi"), "born": 1990})
    return Ran(call_id=one.id, card=Facts(title=title))


def not_run(one: Call, reason: Reason) -> Ran:
    return Ran(call_id=one.id, card=NotRun(reason=reason), ok=False)


class SmallRunner:
    """Reads answer at once, writes at once, cancelling asks first."""

    def question(self, call: Call) -> Question | None:
        if not call.name.endswith("cancel"):
            return None
        return Question(card=Confirm(of="class_sessions.cancel"), target=digest(call.input))

    def reads(self, call: Call) -> bool:
        return call.name.startswith("read__")

    def run(self, call: Call, decision: Decision | None = None) -> Outcome:
        decided = "undecided" if decision is None else str(decision.approved)
        values: dict[str, Value] = {"b": Name(text="Open gym"), "a": Name(text=decided)}
        return Outcome(card=Done(of=call.name.replace("__", "."), values=values))

    def run_reads(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        return [Outcome(card=found(each).card) for each in calls]
