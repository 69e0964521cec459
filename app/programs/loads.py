"""Loads of a workout as a program has it: so many points heavier than they are written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.programs.body import EVERY_LIFT
from app.workouts.loads import Best, resolved
from app.workouts.structure import Load
from app.workouts.terms import WeightUnit

_LIGHTEST: Final = 1.0
"""Percent; a place in a program may ask for less than there is."""


@dataclass(frozen=True, slots=True)
class Share:
    """How heavy a lift is, set by set, in percent of what was lifted."""

    lift: str
    load: Load

    @property
    def percents(self) -> tuple[float, ...]:
        value = self.load.value
        return value if isinstance(value, tuple) else (value or _LIGHTEST,)

    def with_loads(self, loads: Mapping[str, int]) -> "Share":
        """So many points heavier as the place asks that the workout has in a program."""
        more = loads.get(EVERY_LIFT, 0) + loads.get(self.lift, 0)
        percents = tuple(max(_LIGHTEST, one + more) for one in self.percents)
        return Share(self.lift, self.load.model_copy(update={"value": percents}))

    def grams(self, best: Best, unit: WeightUnit) -> tuple[int, ...]:
        """What to put on (rule 42); nothing where no best is on file."""
        return resolved(self.load, best, unit)
