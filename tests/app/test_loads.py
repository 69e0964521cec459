"""What is on the bar: shares of a maximum, rounded to plates (rule 42)."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from app.programs.loads import STEPS, Share, rounded
from app.workouts.terms import WeightUnit

units = st.sampled_from(WeightUnit)
grams = st.integers(0, 400_000)
percents = st.integers(1, 130)


@given(grams, units)
def test_a_load_is_the_nearest_that_can_be_put_on(exact: int, unit: WeightUnit) -> None:
    load = rounded(Fraction(exact), unit)

    assert abs(load - exact) <= STEPS[unit] / 2 + 1
    steps = Fraction(load) / STEPS[unit]
    assert abs(steps - round(steps)) * STEPS[unit] <= Fraction(1, 2), "whole plates, to the gram"


@given(grams, percents, percents, units)
def test_a_higher_share_is_no_lighter(maximum: int, one: int, other: int, unit: WeightUnit) -> None:
    share = Share("back_squat", (float(min(one, other)), float(max(one, other))))

    lighter, heavier = share.grams(maximum, unit)

    assert lighter <= heavier


def test_halves_are_rounded_up_and_stored_percents_stay() -> None:
    share = Share("back_squat", (70.0, 75.0))

    assert share.grams(93_000, WeightUnit.KG) == (65_000, 70_000)
    assert rounded(Fraction(61_250), WeightUnit.KG) == 62_500
    assert share.percents == (70.0, 75.0)


def test_pounds_are_rounded_to_fives() -> None:
    hundred = 45_359

    assert Share("deadlift", (71.0,)).grams(hundred, WeightUnit.LB) == (31_751,)
    assert round(31_751 / 453.59237) == 70


def test_a_training_maximum_is_nine_tenths_of_the_best_single() -> None:
    share = Share("deadlift", (100.0,), of_training_max=True)

    assert share.grams(200_000, WeightUnit.KG) == (180_000,)


@given(percents, st.integers(-50, 50), st.integers(-50, 50))
def test_a_place_in_a_program_adds_what_it_says_of_the_lift_and_of_all(
    percent: int, lift: int, every: int
) -> None:
    share = Share("back_squat", (float(percent),))

    heavier = share.with_loads({"*": every, "back_squat": lift, "deadlift": 40})

    assert heavier.percents == (max(0.0, percent + lift + every),)
