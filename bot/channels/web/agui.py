"""A turn's events as AG-UI events: a pure fold, the same live, resumed and replayed."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, assert_never
from uuid import UUID

from ag_ui.core import (
    PROTOCOL_VERSION,
    AssistantMessage,
    BaseEvent,
    CustomEvent,
    FunctionCall,
    Message,
    MessagesSnapshotEvent,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCall,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    ToolMessage,
)

from bot.channels.web.interrupts import interrupt
from bot.conversation.opening import FIND_TOOLS
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
from tools.kit.calls import Call
from tools.kit.cards import AnyCard, Done, Pick, for_model


class Views(Protocol):
    """Words for one person: what the fold shows but can't say itself."""

    def label(self, tool: str) -> str:
        """A tool's name in the person's language."""
        ...

    def card(self, card: AnyCard, until: datetime | None = None) -> dict[str, Any]:
        """The card as our page shows it; a question with its expiry."""
        ...

    def end(self, ended: Ended) -> str:
        """The line that tells why a turn ended; empty where there is nothing to tell."""
        ...

    def limit(self, ended: Ended) -> dict[str, Any]:
        """The gym's limit for a day, where the end tells of it."""
        ...

    def recap(self, events: Sequence[Event]) -> dict[str, Any]:
        """{done, waits, not_done} of a turn's writes, in words."""
        ...

    def next_steps(self, playbook: str) -> list[str]:
        """Sentences that may be said after a turn which a playbook began."""
        ...

    def settled(self, answered: Answered, kind: str) -> str:
        """How a question of this kind was closed: what, where, when."""
        ...


@dataclass(slots=True)
class Fold:
    """One turn on its way out. Feed it every event of the turn from the first one on.

    `asked_for` is the run a client of the open protocol asked for: it gets its own id back,
    snapshots, and not its own words again. Without it the fold speaks to our page.
    """

    thread: UUID | str
    turn: UUID
    views: Views
    until: Callable[[UUID], datetime | None]
    """When a question expires."""
    asked_for: str | None = None
    given: Sequence[Message] = ()
    """The messages that client came with, for the snapshots."""

    _run: int = 0
    _said: int = 0
    _tries: int = 0
    _text: str = ""
    _open: bool = False
    _kind: str = "confirm"
    _playbook: str = ""
    _made: list[Message] = field(default_factory=list)
    _calls: dict[str, Call] = field(default_factory=dict)
    _happened: list[dict[str, Any]] = field(default_factory=list)
    _events: list[Event] = field(default_factory=list)
    _ours: set[str] = field(default_factory=set)
    _asked_for: set[str] = field(default_factory=set)
    """Of what a playbook read: that is what the person asked to see."""

    def of(self, event: Event) -> list[BaseEvent]:
        """What one event is on the wire; the fold moves on."""
        if not isinstance(event, Delta | Restart):
            self._events.append(event)
        return list(self._of(event))

    def _of(self, event: Event) -> Iterator[BaseEvent]:
        seen = self._seen(event)
        if seen is None:
            return iter(())
        event = seen
        match event:
            case Heard():
                return self._heard(event)
            case Delta() | Restart() | Said():
                return self._spoken(event)
            case Ran():
                return self._ran(event)
            case Asked():
                return self._asked(event)
            case Answered():
                return self._answered(event)
            case Ended():
                return self._ended(event)
            case _:
                assert_never(event)

    def _seen(self, event: Event) -> Event | None:
        """Without the tools we looked for before the model was asked: they are nobody's to see."""
        if isinstance(event, Said) and event.ours:
            shown = tuple(call for call in event.calls if call.name != FIND_TOOLS)
            self._ours.update(call.id for call in event.calls if call.name == FIND_TOOLS)
            self._asked_for.update(call.id for call in shown)
            return event.model_copy(update={"calls": shown}) if shown else None
        return None if isinstance(event, Ran) and event.call_id in self._ours else event

    def _spoken(self, event: Delta | Restart | Said) -> Iterator[BaseEvent]:
        match event:
            case Delta():
                return self._words(event.text)
            case Restart():
                return self._drop()
            case Said():
                return self._whole(event)
            case _:
                assert_never(event)

    @property
    def run_id(self) -> str:
        return self.asked_for or f"{self.turn}.{self._run}"

    @property
    def _message(self) -> str:
        return f"{self.turn}.m{self._said}" + (f".{self._tries}" if self._tries else "")

    def start(self) -> BaseEvent:
        """The opening of the run that is due."""
        return RunStartedEvent(
            thread_id=str(self.thread), run_id=self.run_id, protocol_version=PROTOCOL_VERSION
        )

    def _heard(self, event: Heard) -> Iterator[BaseEvent]:
        """A client of the protocol has its run opened at once and knows its own words."""
        self._playbook = event.playbook
        if self.asked_for is None:
            yield self.start()
            words = f"{self.turn}.heard"
            yield TextMessageStartEvent(message_id=words, role="user")
            yield TextMessageContentEvent(message_id=words, delta=event.text)
            yield TextMessageEndEvent(message_id=words)

    def _words(self, text: str) -> Iterator[BaseEvent]:
        if not self._open:
            self._open = True
            yield TextMessageStartEvent(message_id=self._message, role="assistant")
        if text:
            self._text += text
            yield TextMessageContentEvent(message_id=self._message, delta=text)

    def _close(self) -> Iterator[BaseEvent]:
        if self._open:
            yield TextMessageEndEvent(message_id=self._message)
        self._open, self._text = False, ""

    def _drop(self) -> Iterator[BaseEvent]:
        """The partial words don't count: what comes next is another message in their place."""
        dropped, was_open = self._message, self._open
        yield from self._close()
        if was_open:
            self._tries += 1
            yield CustomEvent(name="restart", value={"message_id": dropped})

    def _whole(self, event: Said) -> Iterator[BaseEvent]:
        """The whole message is the truth; what was streamed of it is completed, or replaced."""
        if not event.text.startswith(self._text):
            yield from self._drop()
        if rest := event.text[len(self._text) :]:
            yield from self._words(rest)
        message = self._message
        yield from self._close()
        for call in event.calls:
            yield from self._call(call, message)
        self._keep(event, message)
        self._said += 1
        self._tries = 0

    def _call(self, call: Call, message: str) -> Iterator[BaseEvent]:
        self._calls[call.id] = call
        wide = {"open": True} if call.id in self._asked_for else {}
        yield ToolCallStartEvent(
            tool_call_id=call.id,
            tool_call_name=call.name,
            parent_message_id=message,
            metadata={"spotter": {"label": self.views.label(call.name), **wide}},
        )
        yield ToolCallArgsEvent(tool_call_id=call.id, delta=_json(call.input))
        yield ToolCallEndEvent(tool_call_id=call.id)

    def _keep(self, event: Said, message: str) -> None:
        calls = [
            ToolCall(id=call.id, function=FunctionCall(name=call.name, arguments=_json(call.input)))
            for call in event.calls
        ]
        if event.text or calls:
            self._made.append(
                AssistantMessage(id=message, content=event.text or None, tool_calls=calls or None)
            )

    def _ran(self, event: Ran) -> Iterator[BaseEvent]:
        view = self.views.card(event.card)
        told = ToolMessage(
            id=f"{event.call_id}.result",
            tool_call_id=event.call_id,
            content=_json(for_model(event.card)),
        )
        self._made.append(told)
        self._happened.append(_happened(event, self._calls.get(event.call_id), view))
        yield ToolCallResultEvent(
            message_id=told.id,
            tool_call_id=told.tool_call_id,
            content=told.content,
            role="tool",
            metadata={"spotter": {"view": view, "ok": event.ok}},
        )
        if isinstance(event.card, Done) and event.card.undo is not None:
            value = {"tool_call_id": event.call_id, "view": view, **view.get("undo", {})}
            yield CustomEvent(name="undo_available", value=value)

    def _asked(self, event: Asked) -> Iterator[BaseEvent]:
        until = self.until(event.question_id)
        view = self.views.card(event.card, until)
        self._kind = event.kind
        wait = interrupt(event, view, until)
        pending = {
            "question_id": wait.id,
            "kind": event.kind,
            "view": view,
            "call_ids": list(event.call_ids),
            "until": wait.expires_at,
        }
        name = "pick_pending" if isinstance(event.card, Pick) else "confirmation_pending"
        yield CustomEvent(name=name, value=pending)
        yield from self._snapshot()
        yield self._finished(RunFinishedInterruptOutcome(interrupts=[wait]))

    def _answered(self, event: Answered) -> Iterator[BaseEvent]:
        """An answer begins the next run; a client of the protocol has opened it already."""
        self._run += 1
        if self.asked_for is None:
            yield self.start()
        yield CustomEvent(name="card_settled", value=settled(event, self._kind, self.views))

    def _ended(self, event: Ended) -> Iterator[BaseEvent]:
        yield from self._close()
        line = self.views.end(event)
        if event.reason == "over_budget":
            yield CustomEvent(name="agent_budget_exceeded", value=self.views.limit(event))
        elif event.limit is not None:
            near = self.views.limit(event)
            yield CustomEvent(name="agent_budget_near", value=near)
            yield from self._line(near["text"])
        if line and event.reason != "model_failed":
            yield from self._line(line)
        value = {
            "reason": event.reason,
            "happened": self._happened,
            **self.views.recap(self._events),
            "next": self.views.next_steps(self._playbook),
        }
        yield CustomEvent(name="recap", value=value)
        if event.reason == "model_failed":
            yield RunErrorEvent(message=line, code=event.reason)
            return
        yield from self._snapshot()
        yield self._finished(_outcome(event.reason))

    def _line(self, line: str) -> Iterator[BaseEvent]:
        message = f"{self.turn}.end"
        self._made.append(AssistantMessage(id=message, content=line))
        yield TextMessageStartEvent(message_id=message, role="assistant", name="spotter")
        yield TextMessageContentEvent(message_id=message, delta=line)
        yield TextMessageEndEvent(message_id=message)

    def _snapshot(self) -> Iterator[BaseEvent]:
        """The conversation as that client should hold it; our page has views instead."""
        if self.asked_for is None:
            return
        had = {message.id for message in self.given}
        made = [message for message in self._made if message.id not in had]
        yield MessagesSnapshotEvent(messages=[*self.given, *made])

    def _finished(self, outcome: "Outcome") -> BaseEvent:
        return RunFinishedEvent(thread_id=str(self.thread), run_id=self.run_id, outcome=outcome)


Outcome = RunFinishedSuccessOutcome | RunFinishedInterruptOutcome | RunFinishedCancelledOutcome


def settled(event: Answered, kind: str, views: Views) -> dict[str, Any]:
    """A closed question as every page of its person is told."""
    return {
        "question_id": str(event.question_id),
        "outcome": event.outcome,
        "approved": [key for key, decision in event.decisions.items() if decision.approved],
        "where": event.where,
        "at": event.at.isoformat() if event.at else None,
        "text": views.settled(event, kind),
    }


def _outcome(reason: EndReason) -> Outcome:
    """What was cut short must not look like success to a client."""
    match reason:
        case "done" | "refused":
            return RunFinishedSuccessOutcome()
        case _:
            return RunFinishedCancelledOutcome()


def _happened(event: Ran, call: Call | None, view: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "tool_call_id": event.call_id,
        "tool": call.name if call else "",
        "kind": event.card.kind,
        "ok": event.ok,
        "text": next(iter([view.get("title"), *view.get("lines", [])]), None) or "",
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
