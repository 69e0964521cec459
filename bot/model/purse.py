"""Who pays for calls of the model, as whoever makes them sees it, and what a call counts for."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

from bot.model.prices import cost
from bot.model.usage import CallKind, Usage
from bot.turn.events import Ended

log = logging.getLogger(__name__)

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
