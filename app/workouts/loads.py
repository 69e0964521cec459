"""What is on the bar: shares of a member's best, resolved when they are looked at (rule 42)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

from app.workouts.structure import Load, Section
from app.workouts.terms import WeightUnit
from app.workouts.weights import rounded

TRAINING_MAX: Final = Fraction(90, 100)
"""Of the heaviest single."""

Best = Mapping[str, Mapping[int, int]]
"""The heaviest in grams, by exercise and number of repetitions."""


def lifts(sections: Iterable[Section]) -> set[str]:
    """The exercises whose best decides a load in these."""
    loads = (one.load for section in sections for one in section.movements)
    return {load.lift for load in loads if load is not None and load.lift is not None}


def resolved(load: Load, best: Best, unit: WeightUnit) -> tuple[int, ...]:
    """Grams to put on, set by set, rounded to the plates; nothing where no best is on file."""
    if load.type != "percent" or load.lift is None or load.value is None:
        return ()
    whole = _whole(load, best.get(load.lift, {}))
    if whole is None:
        return ()
    percents = load.value if isinstance(load.value, tuple) else (load.value,)
    return tuple(
        rounded(whole * Fraction(one).limit_denominator(1_000) / 100, unit) for one in percents
    )


def _whole(load: Load, by_reps: Mapping[int, int]) -> Fraction | None:
    """What the percentage is of, in grams."""
    if load.of == "training_max":
        single = by_reps.get(1)
        return None if single is None else single * TRAINING_MAX
    reps = int((load.of or "1rm").removesuffix("rm"))
    found = by_reps.get(reps)
    return None if found is None else Fraction(found)
