"""The one way to the vendor's messages: held against a budget before, settled by usage after."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import anthropic

from bot.model.faults import BrokenReply
from bot.model.meter import Meter
from bot.model.purse import Purse, Want
from bot.model.stream import Gathering, Json

_OWN = 1_000
"""Tokens that the API adds of its own: how tools are used, what frames a message."""
_TEXT, _TALK, _WIDE = 2.0, 1.5, 0.75
"""Bounds, not means: characters a token in prose and schemas (3.05 measured), in messages full of
ids and signatures; tokens a byte beyond ASCII, where an emoji has four."""

PICTURE = 3_500
"""Tokens of the largest one that is sent: 1,568 pixels each way, 750 of them a token."""


@dataclass(frozen=True, slots=True)
class Priced:
    """The vendor, for one who pays. `clock` measures how long calls take, in seconds."""

    client: anthropic.Anthropic
    purse: Purse
    clock: Callable[[], float]

    @contextmanager
    def stream(self, request: Json) -> Iterator[tuple[Gathering, Iterator[Json]]]:
        """The events of one streamed message, and what is to gather them.

        Raises NoRoom, and what the SDK raises.
        """
        settle = self.purse.hold(wanted(request))
        gathered, meter = Gathering(), Meter(self.clock)
        try:
            with self.client.messages.create(**request, stream=True) as stream:
                meter.request_id = stream.response.headers.get("request-id", "")
                events = map(_told, stream)
                yield gathered, iter(meter.timed(events))
            meter.outcome = "whole" if gathered.finished else "cut"
        except GeneratorExit:
            meter.outcome = "closed"
            raise
        except anthropic.APIError as error:
            meter.failed(error)
            raise
        finally:
            settle(meter.usage(request["model"], gathered))

    def ask(self, request: Json) -> Gathering:
        """One message in one piece, as if it had been streamed at once.

        Raises NoRoom, and what the SDK raises.
        """
        settle = self.purse.hold(wanted(request))
        gathered, meter = Gathering(), Meter(self.clock)
        try:
            message = self.client.messages.create(**request, stream=False)
            gathered.take(_told(message))
            meter.request_id = message._request_id or ""  # noqa: SLF001 - the SDK's public name for it
            meter.outcome = "whole"
        except anthropic.APIError as error:
            meter.failed(error)
            raise
        finally:
            settle(meter.usage(request["model"], gathered))
        return gathered


@runtime_checkable
class _Object(Protocol):
    """What the SDK, or who stands in for it within the process, makes of a JSON object."""

    def to_dict(self, *, warnings: bool) -> Json: ...


def _told(piece: object) -> Json:
    """What the SDK made of an answer; of one that is no object it makes no model of its own."""
    if not isinstance(piece, _Object):
        raise BrokenReply("an answer that is no object")
    return piece.to_dict(warnings=False)


def wanted(request: Mapping[str, Any]) -> Want:
    return Want(request["model"], most_tokens(request), request["max_tokens"])


def most_tokens(request: Mapping[str, Any]) -> int:
    """More tokens than the prompt has; tools that stay deferred are no part of it."""
    spoken, pictures = _apart(request["messages"])
    talk = json.dumps(spoken, ensure_ascii=False)
    tools = [
        tool
        for tool in request.get("tools", ())
        if not tool.get("defer_loading") or f'"{tool["name"]}"' in talk
    ]
    text = json.dumps([tools, request.get("system", "")], ensure_ascii=False)
    return _OWN + _bound(text, _TEXT) + _bound(talk, _TALK) + pictures * PICTURE


def _apart(messages: Sequence[Json]) -> tuple[list[Json], int]:
    """The messages without what their pictures are made of, and how many pictures there are."""
    spoken: list[Json] = []
    pictures = 0
    for message in messages:
        content = message["content"]
        if not isinstance(content, str):
            words = [block for block in content if block["type"] != "image"]
            pictures += len(content) - len(words)
            content = words
        spoken.append({**message, "content": content})
    return spoken, pictures


def _bound(text: str, characters: float) -> int:
    narrow = len(text.encode("ascii", "ignore"))
    wide = len(text.encode("utf-8", "replace")) - narrow
    return round(narrow / characters + wide * _WIDE)
