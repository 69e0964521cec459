"""What AG-UI 1.0 demands of a stream's order, as a checker, and turns to try it on."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, get_args

from ag_ui.core import BaseEvent, EventType
from hypothesis import strategies as st

from app.core.ids import new_id
from bot.turn.events import (
    Answered,
    Asked,
    Delta,
    Ended,
    EndReason,
    Event,
    Heard,
    Ran,
    Restart,
    Said,
)
from tools.kit.calls import Call, Decision
from tools.kit.cards import AnyCard, Confirm, Done
from tools.kit.values import Name

CARD = Done(of="bookings.move", values={"member": Name(text="Dana")})
QUESTION = Confirm(of="class_sessions.cancel", values={"class": Name(text="Open gym")})


@dataclass
class Rules:
    """Raises AssertionError where a producer breaks the order."""

    running: str | None = None
    open_text: set[str] = field(default_factory=set)
    open_calls: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    runs: int = 0

    def feed(self, events: Iterable[BaseEvent]) -> None:
        for event in events:
            self._one(event)

    def _one(self, event: Any) -> None:  # noqa: ANN401 - the members differ by type
        match event.type:
            case EventType.RUN_STARTED:
                assert self.running is None
                self.running = event.run_id
                self.runs += 1
            case EventType.RUN_FINISHED | EventType.RUN_ERROR:
                assert self.running is not None
                assert not self.open_text | self.open_calls
                assert event.type == EventType.RUN_ERROR or event.run_id == self.running
                self.running = None
            case _:
                assert self.running is not None
                self._inside(event)

    def _inside(self, event: Any) -> None:  # noqa: ANN401 - the members differ by type
        match event.type:
            case EventType.TEXT_MESSAGE_START:
                assert event.message_id not in self.texts
                self.open_text.add(event.message_id)
                self.texts[event.message_id] = ""
            case EventType.TEXT_MESSAGE_CONTENT:
                assert event.message_id in self.open_text
                assert event.delta
                self.texts[event.message_id] += event.delta
            case EventType.TEXT_MESSAGE_END:
                self.open_text.remove(event.message_id)
            case EventType.TOOL_CALL_START:
                self.open_calls.add(event.tool_call_id)
            case EventType.TOOL_CALL_END:
                self.open_calls.remove(event.tool_call_id)


def call(n: int) -> Call:
    return Call(id=f"toolu_{n}", name="bookings__move", input={"n": n})


@st.composite
def turns(draw: st.DrawFn) -> list[Event]:
    """A whole turn as the engine may make it: words in pieces, breaks, calls, questions, an end."""
    events: list[Event] = [Heard(text="move Dana")]
    for n in range(draw(st.integers(0, 3))):
        events += draw(messages(n))
    return [*events, Ended(reason=draw(st.sampled_from(get_args(EndReason))))]


@st.composite
def messages(draw: st.DrawFn, n: int) -> list[Event]:
    text = draw(st.text(max_size=12))
    events: list[Event] = []
    if draw(st.booleans()):
        events += [Delta(text=text[:2]), Restart()]
    cut = draw(st.integers(0, len(text)))
    events += [Delta(text=piece) for piece in (text[:cut], draw(st.text(max_size=3))) if piece]
    events.append(Said(text=text, calls=(call(n),)))
    return events + (asked(n) if draw(st.booleans()) else [ran(n)])


def ran(n: int, card: AnyCard = CARD) -> Event:
    return Ran(call_id=call(n).id, card=card)


def asked(n: int) -> list[Event]:
    question = new_id()
    ask = Asked(
        question_id=question,
        kind="confirm",
        card=QUESTION,
        call_ids=(call(n).id,),
        targets=("t",),
    )
    yes = {call(n).id: Decision(approved=True, target="t")}
    answer = Answered(question_id=question, outcome="decided", decisions=yes, where="web")
    return [ask, answer, ran(n)]
