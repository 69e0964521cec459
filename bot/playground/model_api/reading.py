"""A request read as a conversation: what the person said last and what was done about it since."""

import json
import re
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from bot.playground.model_api.blocks import (
    ImageBlock,
    ServerToolUse,
    TextBlock,
    ToolResult,
    ToolUse,
)
from bot.playground.model_api.request import Message, MessagesRequest

CALL_MARK = "toolu_01S"
"""Ids of calls the stand-in made begin so: others were seeded by whoever wrote the transcript."""

PAUSE_MARK = "srvtoolu_01S"
"""Ids of the searches an injected pause stops at."""

_CONTEXT = re.compile(r"<turn_context\b[^>]*>(.*?)</turn_context>", re.DOTALL)
_EARLIER = re.compile(r"<earlier_turns>.*?</earlier_turns>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call and, unless it is still open, its result."""

    call: ToolUse
    result: ToolResult | None

    @property
    def name(self) -> str:
        return self.call.name

    @property
    def failed(self) -> bool:
        return bool(self.result and self.result.is_error)

    @property
    def value(self) -> Any:  # noqa: ANN401 - a tool answers with any JSON
        """The result as JSON; text around a JSON value is passed over, plain text comes back."""
        return json_within(self.result.text) if self.result else None


@dataclass(frozen=True, slots=True)
class Turn:
    """What the person said, the context sent beside it, and the exchanges since."""

    text: str
    context: str
    exchanges: tuple[Exchange, ...]
    replies: int
    """Assistant messages since the text; a leading exchange seeded by the caller isn't counted."""
    pictures: int = 0


def turns(request: MessagesRequest) -> tuple[Turn, ...]:
    """All turns of the conversation, oldest first; messages before the first text are no turn."""
    messages = request.messages
    starts = [
        number
        for number, said in enumerate(messages)
        if plain_text(said) and not (number and plain_text(messages[number - 1]))
    ]
    ends = [*starts[1:], len(messages)]
    return tuple(_turn(messages[start:end]) for start, end in zip(starts, ends, strict=True))


def plain_text(message: Message) -> str:
    """A person's words in a message, without what is told beside them; empty where none are."""
    if message.role != "user":
        return ""
    return _CONTEXT.sub("", _EARLIER.sub("", _joined(message))).strip()


def latest(request: MessagesRequest, tool: str) -> Any:  # noqa: ANN401 - a tool answers any JSON
    """The latest result of a tool as JSON; raises LookupError where it hasn't answered."""
    for exchange in reversed(_exchanges(request.messages)):
        if exchange.name == tool and exchange.result is not None:
            return exchange.value
    raise LookupError(tool)


def json_within(text: str) -> Any:  # noqa: ANN401 - any JSON
    start = re.search(r"[\[{]", text)
    for offset in {0, start.start() if start else 0}:
        try:
            return json.JSONDecoder().raw_decode(text, offset)[0]
        except ValueError:
            continue
    return text


def _joined(message: Message) -> str:
    return "\n".join(block.text for block in message.content if isinstance(block, TextBlock))


def _turn(messages: tuple[Message, ...]) -> Turn:
    said = tuple(takewhile(plain_text, messages))
    rest = messages[len(said) :]
    replies = [said for said in rest if said.role == "assistant" and not _is_paused(said)]
    seeded = 1 if replies and _is_seeded(replies[0]) else 0
    return Turn(
        text="\n".join(plain_text(message) for message in said),
        context="\n".join(_context(message) for message in said).strip(),
        exchanges=_exchanges(rest),
        replies=len(replies) - seeded,
        pictures=sum(isinstance(one, ImageBlock) for message in said for one in message.content),
    )


def _context(message: Message) -> str:
    return "\n".join(found.strip() for found in _CONTEXT.findall(_joined(message)))


def _is_paused(message: Message) -> bool:
    """Cut short at a server tool by an injected pause: the answer is still to come."""
    last = message.content[-1] if message.content else None
    return isinstance(last, ServerToolUse) and last.id.startswith(PAUSE_MARK)


def _is_seeded(message: Message) -> bool:
    calls = [block for block in message.content if isinstance(block, ToolUse)]
    foreign = all(not call.id.startswith(CALL_MARK) for call in calls)
    return bool(calls) and foreign and len(calls) == len(message.content)


def _exchanges(messages: tuple[Message, ...]) -> tuple[Exchange, ...]:
    blocks = [block for message in messages for block in message.content]
    results = {block.tool_use_id: block for block in blocks if isinstance(block, ToolResult)}
    calls = (block for block in blocks if isinstance(block, ToolUse))
    return tuple(Exchange(call, results.get(call.id)) for call in calls)
