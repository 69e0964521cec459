"""What the calls of a replay used and cost: a purse that holds nothing back."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from bot.model.prices import Price, cost
from bot.model.purse import Settle, Want
from bot.model.usage import Usage


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
