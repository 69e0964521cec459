"""What is on the bar in a program: shares of a best, heavier or lighter as their place asks."""

from hypothesis import given
from hypothesis import strategies as st

from app.programs.loads import Share
from app.workouts.structure import Load
from app.workouts.terms import WeightUnit

percents = st.integers(1, 130)
points = st.integers(-50, 50)


def share(*values: float, of: str = "1rm") -> Share:
    load = {"type": "percent", "value": list(values), "of": of, "lift": "back_squat"}
    return Share("back_squat", Load.model_validate(load))


@given(percents, points, points)
def test_a_place_in_a_program_adds_what_it_says_of_the_lift_and_of_all(
    percent: int, lift: int, every: int
) -> None:
    heavier = share(percent).with_loads({"*": every, "back_squat": lift, "deadlift": 40})

    assert heavier.percents == (max(1, percent + lift + every),)


@given(percents, points, st.integers(20_000, 300_000), st.sampled_from(WeightUnit))
def test_a_heavier_place_is_no_lighter_on_the_bar(
    percent: int, more: int, best: int, unit: WeightUnit
) -> None:
    written, placed = share(percent), share(percent).with_loads({"*": more})

    (before,) = written.grams({"back_squat": {1: best}}, unit)
    (after,) = placed.grams({"back_squat": {1: best}}, unit)

    assert (after >= before) if more >= 0 else (after <= before)
    assert written.percents == (percent,), "what is written stays (rule 42)"


def test_sets_are_rounded_each_and_want_a_best_of_their_own_kind() -> None:
    best = {"back_squat": {1: 93_000}}

    assert share(70, 75).grams(best, WeightUnit.KG) == (65_000, 70_000)
    assert share(100, of="training_max").grams(best, WeightUnit.KG) == (82_500,)
    assert share(70, of="3rm").grams(best, WeightUnit.KG) == ()
