"""The one way to the vendor's messages: held against a budget before, settled by usage after."""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Protocol

import anthropic

from bot.model.meter import Meter
from bot.model.prices import cost
from bot.model.stream import Gathering, Json
from bot.model.usage import CallKind, Usage
from bot.turn.events import Ended

log = logging.getLogger(__name__)

_OWN = 1_000
"""Tokens that the API adds of its own: how tools are used, what frames a message."""
_TEXT, _TALK, _WIDE = 2.0, 1.5, 1.5
"""Bounds, not means: characters a token in prose and schemas (3.05 measured), in messages full of
ids and signatures; tokens a character beyond ASCII."""

Settle = Callable[[Usage], None]
"""Called once, however the call ended."""


@dataclass(frozen=True, slots=True)
class Want:
    """A call before it is made: tokens of its prompt and of its answer, at most."""

    model: str
    prompt: int
    output: int


class NoRoom(Exception):
    """The call may not be made; `ended` is how its turn ends."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended.reason)
        self.ended = ended


class Purse(Protocol):
    def hold(self, want: Want) -> Settle:
        """Set aside what the call may cost. Raises NoRoom, and then nothing is held."""
        ...


@dataclass(frozen=True, slots=True)
class Unbounded:
    """A purse without a bottom, for tools of ours that no gym pays for; `record` is told of all."""

    record: Settle = lambda _: None

    def hold(self, want: Want) -> Settle:  # noqa: ARG002 - whatever is wanted
        return self.record


@dataclass(frozen=True, slots=True)
class Marked:
    """Another's purse, in which each call is booked as of one kind."""

    purse: Purse
    kind: CallKind

    def hold(self, want: Want) -> Settle:
        settle = self.purse.hold(want)
        return lambda usage: settle(replace(usage, kind=self.kind))


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
                events = (event.to_dict(warnings=False) for event in stream)
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
            meter.request_id = message._request_id or ""  # noqa: SLF001 - the SDK's public name for it
            gathered.take(message.to_dict(warnings=False))
            meter.outcome = "whole"
        except anthropic.APIError as error:
            meter.failed(error)
            raise
        finally:
            settle(meter.usage(request["model"], gathered))
        return gathered


def wanted(request: Mapping[str, Any]) -> Want:
    return Want(request["model"], most_tokens(request), request["max_tokens"])


def most_tokens(request: Mapping[str, Any]) -> int:
    """More tokens than the prompt has; tools that stay deferred are no part of it."""
    talk = json.dumps(request["messages"], ensure_ascii=False)
    tools = [
        tool
        for tool in request.get("tools", ())
        if not tool.get("defer_loading") or f'"{tool["name"]}"' in talk
    ]
    text = json.dumps([tools, request.get("system", "")], ensure_ascii=False)
    return _OWN + _bound(text, _TEXT) + _bound(talk, _TALK)


def booked(usage: Usage, day: date, want: Want, held: int) -> int:
    """Micro-dollars that a call counts for.

    What was refused or never sent is free. Of one that broke off or was closed, the answer counts
    as long as it may have become; of one whose usage was never seen, all that was held.
    """
    match usage.outcome:
        case "refused" | "unsent":
            return 0
        case "whole" if usage.prompt:
            return _cost(usage, day, held)
        case _ if usage.prompt:
            return _cost(replace(usage, output=max(usage.output, want.output)), day, held)
        case _:
            return held


def _cost(usage: Usage, day: date, held: int) -> int:
    try:
        return cost(usage, day)
    except LookupError:
        log.exception("answered by a model without a price: %s", usage.model)
        return held


def _bound(text: str, characters: float) -> int:
    narrow = len(text.encode("ascii", "ignore"))
    return round(narrow / characters + (len(text) - narrow) * _WIDE)
