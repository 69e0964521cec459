"""Weights: kept in grams, entered and told in a unit, put on a bar in steps (rules 42 and 52)."""

from fractions import Fraction
from math import floor
from typing import Final

from app.workouts.terms import WeightUnit

GRAMS: Final = {
    WeightUnit.KG: Fraction(1_000),
    WeightUnit.LB: Fraction(45_359_237, 100_000),
}
STEPS: Final = {
    WeightUnit.KG: Fraction(2_500),
    WeightUnit.LB: 5 * GRAMS[WeightUnit.LB],
}
"""Grams between two loads that can be put on: 2.5 kg, or 5 lb."""
_DIGITS: Final = 2
"""The smallest plates are 1.25."""


def grams_of(value: float, unit: WeightUnit) -> int:
    return round(Fraction(value).limit_denominator(1_000) * GRAMS[unit])


def in_unit(grams: int, unit: WeightUnit) -> float:
    """As it was entered: 95 lb and not 94.9994."""
    return round(float(grams / GRAMS[unit]), _DIGITS)


def rounded(grams: Fraction, unit: WeightUnit) -> int:
    """The nearest load that can be put on, the heavier one where two are as near."""
    step = STEPS[unit]
    return round(floor(grams / step + Fraction(1, 2)) * step)
