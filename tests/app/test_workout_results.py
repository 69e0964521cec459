"""Results of workouts, what is a record, and what a percentage comes to (rule 42)."""

from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import StudioError
from app.studio.paging import Cut
from app.workouts import loads, queries
from app.workouts.queries.results import Board
from app.workouts.service import results
from app.workouts.service.results import NewResult
from app.workouts.structure import Load
from app.workouts.terms import Division, WeightUnit
from app.workouts.weights import GRAMS, STEPS, grams_of, in_unit
from tests.programming import lifted
from tests.requests.workouts import PLAN, saved, scored
from tests.studio import Studio


def test_a_time_that_beats_all_before_is_a_record_the_first_beats_nothing(studio: Studio) -> None:
    workout, member = saved(studio).brief.id, studio.member()
    scores = [("4:32", 30), ("4:40", 20), ("cap+3", 15), ("4:31.9", 10), ("4:31.9", 5)]
    for score, days in scores:
        scored(studio, workout, member, score, performed_on=studio.day(-days))

    with studio.act() as session:
        found = queries.member_results(session, member, cut=Cut()).rows
    assert [one.is_pr for one in reversed(found)] == [False, False, False, True, False]


def test_divisions_and_members_are_compared_apart(studio: Studio) -> None:
    workout, dana, noa = saved(studio).brief.id, studio.member(), studio.member("Noa Cohen")
    scored(studio, workout, dana, "4:32")
    scored(studio, workout, noa, "3:58")
    scored(studio, workout, dana, "3:00", division=Division.SCALED)

    with studio.act() as session:
        rows = queries.leaderboard(session, Board(workout), cut=Cut()).rows
        scaled = queries.leaderboard(session, Board(workout, division=Division.SCALED), cut=Cut())
    assert [(one.member, one.text) for one in rows] == [
        ("Noa Cohen", "3:58"),
        ("Dana Levi", "4:32"),
        ("Dana Levi", "3:00"),
    ]
    assert scaled.total == 1
    assert not any(one.is_pr for one in rows)


def test_a_benchmark_is_compared_over_all_workouts_of_its_name(studio: Studio) -> None:
    first, again = saved(studio).brief.id, saved(studio).brief.id
    member = studio.member()
    scored(studio, first, member, "4:32", performed_on=studio.day(-90))
    scored(studio, again, member, "4:05")

    with studio.act() as session:
        newest = queries.member_results(session, member, cut=Cut()).rows[0]
    assert newest.is_pr


def test_rounds_and_reps_are_ranked_from_the_most(studio: Studio) -> None:
    workout = saved(studio, "Cindy\nAMRAP 20:\n5 pull ups\n10 push ups\n15 air sq").brief.id
    for name, score in (("Dana Levi", "17+4"), ("Noa Cohen", "18"), ("Rina Bar", "17+12")):
        scored(studio, workout, studio.member(name), score)

    with studio.act() as session:
        rows = queries.leaderboard(session, Board(workout), cut=Cut()).rows
    assert [one.text for one in rows] == ["18", "17+12", "17+4"]


def test_the_heaviest_lift_is_a_record_of_its_exercise_and_repetitions(studio: Studio) -> None:
    workout, member = saved(studio, "Front squat 5x3").brief.id, studio.member()
    for score in ("100 kg", "95 kg", "225 lb", "110kg x 1"):
        scored(studio, workout, member, score)

    with studio.act() as session:
        best = queries.records(session, member, cut=Cut()).rows
        flags = [one.is_pr for one in queries.member_results(session, member, cut=Cut()).rows]
    assert [(one.exercise, one.rep_max, one.grams, one.unit) for one in best] == [
        ("front_squat", 1, 110_000, WeightUnit.KG),
        ("front_squat", 3, 102_058, WeightUnit.LB),
    ]
    assert list(reversed(flags)) == [False, False, True, True]


def test_a_complex_or_a_movement_without_weight_sets_no_record(studio: Studio) -> None:
    text = "Every 2:30 x 5 sets\n2 hang power clean + 1 split jerk\nbuild to a heavy complex"
    workout, member = saved(studio, text, "Complex").brief.id, studio.member()
    scored(studio, workout, member, "80 kg")

    with studio.act() as session:
        assert queries.records(session, member, cut=Cut()).total == 0


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"score": "fast"}, "bad_score"),
        ({"score": "7+12"}, "bad_score"),
        ({"performed_on": 1}, "result_in_future"),
    ],
)
def test_a_result_that_cant_be_is_refused(
    studio: Studio, more: dict[str, object], code: str
) -> None:
    given = {"score": "4:32", **more}
    days = given.pop("performed_on", None)
    if isinstance(days, int):
        given["performed_on"] = studio.day(days)
    new = NewResult(saved(studio).brief.id, studio.member(), **given)  # type: ignore[arg-type]  # made of plain values
    with pytest.raises(StudioError) as refused, studio.act() as session:
        results.log_result(session, studio.coach, new, now=studio.now)
    assert refused.value.code == code


def test_two_results_logged_at_once_are_both_there(studio: Studio) -> None:
    workout, member = saved(studio).brief.id, studio.member()

    threads = [
        Thread(target=scored, args=(studio, workout, member, score)) for score in ("4:32", "4:10")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    with studio.act() as session:
        assert queries.leaderboard(session, Board(workout), cut=Cut()).total == 2


def test_percentages_come_to_what_can_be_put_on_the_bar(studio: Studio) -> None:
    member = studio.member()
    lifted(studio, member, 102)
    view = saved(studio, PLAN, "Tuesday")
    with studio.act() as session:
        best = queries.best_lifts(session, member, loads.lifts(view.parts))

    def put_on(unit: WeightUnit = WeightUnit.KG, **load: object) -> tuple[int, ...]:
        given = {"type": "percent", "lift": "back_squat", "of": "1rm", **load}
        return loads.resolved(Load.model_validate(given), best, unit)

    assert put_on(value=80) == (82_500,)
    assert put_on(value=[70, 72.5, 75]) == (72_500, 75_000, 77_500)
    assert put_on(value=100, of="training_max") == (92_500,)
    assert put_on(WeightUnit.LB, value=80) == (grams_of(180, WeightUnit.LB),)
    assert put_on(value=80, of="3rm") == ()
    assert put_on(value=80, lift="snatch") == ()
    assert put_on(type="rpe", value=8) == ()


@given(st.floats(0.5, 1_000), st.sampled_from(WeightUnit))
def test_a_weight_is_told_as_it_was_entered(value: float, unit: WeightUnit) -> None:
    entered = round(value * 4) / 4

    assert in_unit(grams_of(entered, unit), unit) == pytest.approx(entered, abs=0.005)


@given(st.integers(1_000, 500_000), st.integers(1, 120), st.sampled_from(WeightUnit))
def test_what_is_put_on_is_the_nearest_step(best: int, percent: int, unit: WeightUnit) -> None:
    share = Load(type="percent", value=percent, of="1rm", lift="deadlift")
    (grams,) = loads.resolved(share, {"deadlift": {1: best}}, unit)

    assert abs(grams - best * percent / 100) <= STEPS[unit] / 2 + 1
    steps = grams / GRAMS[unit] / (STEPS[unit] / GRAMS[unit])
    assert abs(steps - round(steps)) < 0.001
