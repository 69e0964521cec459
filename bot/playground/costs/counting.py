"""What the calls of a replay used and cost: a purse that holds nothing back."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from bot.model.prices import Price, cost
from bot.model.purse import Settle, Want
from bot.model.usage import Usage, counts


class Message(Protocol):
    def to_dict(self, *, warnings: bool) -> dict[str, Any]: ...


@dataclass
class Tally:
    """Micro-dollars and tokens of all calls so far."""

    day: date
    prices: Sequence[Price]
    calls: int = 0
    micros: int = 0
    micros_by_model: Counter[str] = field(default_factory=Counter)
    read: int = 0
    written: int = 0
    fresh: int = 0
    output: int = 0
    largest: dict[str, int] = field(default_factory=dict)
    """Tokens of each model's longest prompt."""

    def hold(self, want: Want) -> Settle:  # noqa: ARG002 - whatever is wanted
        return self.take

    def ping(self, message: Message, model: str) -> None:
        """A call without an answer, which no purse is asked for."""
        told = counts(message.to_dict(warnings=False)["usage"])
        self.take(
            Usage(
                model=model,
                outcome="whole",
                input=told["input"],
                cache_write_5m=told["cache_write_5m"],
                cache_write_1h=told["cache_write_1h"],
                cache_read=told["cache_read"],
            )
        )

    def take(self, usage: Usage) -> None:
        micros = cost(usage, self.day, self.prices)
        self.calls += 1
        self.micros += micros
        self.micros_by_model[usage.model] += micros
        self.read += usage.cache_read
        self.written += usage.cache_write_5m + usage.cache_write_1h
        self.fresh += usage.input
        self.output += usage.output
        self.largest[usage.model] = max(self.largest.get(usage.model, 0), usage.prompt)

    @property
    def hit_ratio(self) -> float:
        """Of all tokens of the prompts, those that were read from the cache."""
        return self.read / max(1, self.read + self.written + self.fresh)
