"""What is on the bar: shares of a lift's maximum, resolved when they are looked at (rule 42)."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from app.programs.body import EVERY_LIFT
from app.workouts.terms import WeightUnit
from app.workouts.weights import rounded

TRAINING_MAX: Final = 90
"""Percent of the heaviest single that a training maximum is."""


@dataclass(frozen=True, slots=True)
class Share:
    """How heavy a lift is in a workout, set by set, in percent of what was lifted once."""

    lift: str
    percents: tuple[float, ...]
    of_training_max: bool = False

    def with_loads(self, loads: Mapping[str, int]) -> "Share":
        """So many points heavier as the place asks that the workout has in a program."""
        more = loads.get(EVERY_LIFT, 0) + loads.get(self.lift, 0)
        percents = tuple(max(0.0, one + more) for one in self.percents)
        return Share(self.lift, percents, self.of_training_max)

    def grams(self, maximum: int, unit: WeightUnit) -> tuple[int, ...]:
        """What to put on, each rounded to the plates of the unit."""
        scale = TRAINING_MAX if self.of_training_max else 100
        return tuple(
            rounded(Fraction(maximum) * Fraction(one) * scale / 10_000, unit)
            for one in self.percents
        )
