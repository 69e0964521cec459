"""Stored turns as the API's messages: append-only, and the same bytes for the same events."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from bot.model import turn_context
from bot.model.blocks import calls_in, sendable
from bot.model.slimming import LARGE, large_turns, slim, spelled, still_bound, window
from bot.turn.events import Event, Heard, Ran, Said, Shown
from tools.kit.cards import NotRun, Reason, ToolsFound, for_model

Message = dict[str, Any]

REASONS: dict[Reason, str] = {
    "declined": "Not carried out: the person declined it.",
    "skipped": "Not carried out: skipped, since an earlier call was declined or failed.",
    "superseded": "Not carried out: the person wrote something new before deciding on it.",
    "expired": "Not carried out: nobody decided on it in time.",
    "halted": "Not carried out: the person wrote something new before it began.",
    "stopped": "Not carried out: the person pressed stop.",
    "interrupted": "Not carried out: it was interrupted.",
}
_LOST = "Not carried out: this call has no recorded result."
_NOTHING = "(nothing was written)"
_WORDLESS = "(no words came with it)"
_NO_PICTURES: Final[Mapping[UUID, str]] = MappingProxyType({})
_NO_MORE = "Nothing new: what fits is among the tools you have."


def transcript(
    turns: Sequence[Sequence[Event]],
    epoch: str | None,
    deferred: AbstractSet[str] = frozenset(),
    summary: str = "",
    pictures: Mapping[UUID, str] = _NO_PICTURES,
) -> list[Message]:
    """All turns of a conversation as messages; `deferred` are tools that can be referred to.

    Thinking is kept where it was made in `epoch`; None: nowhere. Repairs on the way: a call without
    its result gets one; results without a call, empty words and messages without words vanish.
    Large results of old turns are slim; the last of the turns is the one being answered. `summary`
    stands for the turns before these. `pictures` are contents in base64; in old turns, and where
    the content is gone, a word stands for them.
    """
    now, large = len(turns) - 1, large_turns(turns)
    lost = _without(turns, pictures)
    writing = _Writing(deferred={*deferred}, pictures=pictures)
    writing.begin(summary)
    for number, turn in enumerate(turns):
        writing.epoch = epoch if still_bound(number, now, large, lost) else None
        writing.slims = number < window(now)
        for event in turn:
            writing.take(event)
    writing.settle()
    return writing.messages


def result(ran: Ran, *, slims: bool = False) -> Message:
    """The tool_result of a settled call."""
    error = {} if ran.ok else {"is_error": True}
    return {**_result_of(ran.call_id, _told(ran, slims=slims)), **error}


def _result_of(call: str, content: str | list[Message]) -> Message:
    return {"type": "tool_result", "tool_use_id": call, "content": content}


@dataclass
class _Writing:
    """The messages so far, and the calls of the last one that still need a result."""

    epoch: str | None = None
    slims: bool = False
    messages: list[Message] = field(default_factory=list)
    open: tuple[str, ...] = ()
    results: dict[str, Message] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    deferred: set[str] = field(default_factory=set)
    """Tools the model doesn't know yet: each is referred to once."""
    pictures: Mapping[UUID, str] = field(default_factory=dict)

    def begin(self, summary: str) -> None:
        self._add("user", [_text(summary)] if summary else [])

    def take(self, event: Event) -> None:
        match event:
            case Heard():
                self.settle()
                self._add("user", _words(event, _NO_PICTURES if self.slims else self.pictures))
            case Said():
                self._say(event)
            case Ran() if event.call_id in self.open:
                self.results.setdefault(event.call_id, self._settled(event))
            case _:
                pass

    def _settled(self, ran: Ran) -> Message:
        if not isinstance(ran.card, ToolsFound):
            return result(ran, slims=self.slims)
        new = [one.name for one in ran.card.tools if one.name in self.deferred]
        self.deferred -= {*new}
        references = [{"type": "tool_reference", "tool_name": name} for name in new]
        return _result_of(ran.call_id, references or _NO_MORE)

    def settle(self) -> None:
        """One result for each call, in tool order, all in the message that follows it."""
        self._add("user", [self._result(call) for call in self.open])
        self.open = ()
        self.results = {}

    def _say(self, said: Said) -> None:
        blocks = [block for block in sendable(said, self.epoch) if self._is_new(block)]
        if not any(block["type"] in {"text", "tool_use"} for block in blocks):
            return
        self.settle()
        if not self.messages:
            self._add("user", [_text(_NOTHING)])
        self._add("assistant", blocks)
        self.open = calls_in(blocks)

    def _is_new(self, block: Message) -> bool:
        """Ids are unique in a conversation: a second call with one would get the first's result."""
        if block["type"] != "tool_use":
            return True
        new = block["id"] not in self.known
        self.known.add(block["id"])
        return new

    def _result(self, call: str) -> Message:
        lost = {"type": "tool_result", "tool_use_id": call, "content": _LOST, "is_error": True}
        return self.results.get(call, lost)

    def _add(self, role: str, blocks: list[Message]) -> None:
        if not blocks:
            return
        if self.messages and self.messages[-1]["role"] == role:
            self.messages[-1]["content"].extend(blocks)
        else:
            self.messages.append({"role": role, "content": blocks})


def _words(heard: Heard, pictures: Mapping[UUID, str]) -> list[Message]:
    """The context first, the words last; without words there is nothing to say."""
    text = turn_context.defused(heard.text).strip()
    beside = [turn_context.block(heard.beside)] if heard.beside.strip() else []
    shown = [_picture(one, pictures.get(one.id)) for one in heard.pictures]
    return [*beside, *shown, _text(text or (_WORDLESS if shown else _NOTHING))]


def _picture(shown: Shown, data: str | None) -> Message:
    if data is None:
        return _text(f"(a picture of {shown.width} by {shown.height}, no longer shown)")
    source = {"type": "base64", "media_type": shown.content_type, "data": data}
    return {"type": "image", "source": source}


def _without(turns: Sequence[Sequence[Event]], pictures: Mapping[UUID, str]) -> frozenset[int]:
    """Turns whose pictures aren't to be had any more."""
    return frozenset(
        number
        for number, turn in enumerate(turns)
        for event in turn
        if isinstance(event, Heard) and any(one.id not in pictures for one in event.pictures)
    )


def _text(text: str) -> Message:
    return {"type": "text", "text": text}


def _told(ran: Ran, *, slims: bool) -> str:
    if isinstance(ran.card, NotRun):
        return REASONS[ran.card.reason]
    value = for_model(ran.card)
    text = spelled(value)
    return slim(value) if slims and len(text) > LARGE else text
