"""Laying programs out on dates, and putting them off: rules that hold for any of them."""

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.programs.calendar import (
    NO_DAYS,
    Spot,
    day_number,
    first_of_week,
    lay_out,
    put_off,
    rotated,
    weekday,
)

SUNDAY = date(2026, 12, 6)

dates = st.dates(date(2026, 1, 1), date(2028, 12, 31))
weekday_sets = st.frozensets(st.integers(0, 6), min_size=1)
spots = st.frozensets(
    st.builds(Spot, st.integers(1, 8), st.integers(1, 7)), min_size=1, max_size=20
)


@given(dates, st.integers(0, 6))
def test_the_first_day_of_a_week_is_its_day_one(day: date, week_start: int) -> None:
    first = first_of_week(day, week_start)

    assert weekday(first) == week_start
    assert day_number(first, week_start) == 1
    assert first + timedelta(days=day_number(day, week_start) - 1) == day


def test_in_israel_sunday_is_day_one_and_saturday_the_last() -> None:
    assert day_number(SUNDAY, 0) == 1
    assert day_number(SUNDAY + timedelta(days=6), 0) == 7
    assert day_number(SUNDAY, 1) == 7, "where the week begins on Monday"


@given(spots, dates, st.integers(0, 6), weekday_sets | st.just(NO_DAYS))
def test_a_layout_keeps_the_order_the_start_and_the_weekdays(
    program: frozenset[Spot], start: date, week_start: int, weekdays: frozenset[int]
) -> None:
    laid = lay_out(program, start, week_start=week_start, weekdays=weekdays)

    in_order = [laid[spot] for spot in sorted(program)]
    assert all(one < other for one, other in pairwise(in_order))
    for spot, day in laid.items():
        assert day >= start + timedelta(weeks=spot.week_no - 1), "no week before its time"
        own = (week_start + spot.day_no - 1) % 7
        assert weekday(day) in (weekdays or {own})


@given(spots, dates, st.integers(0, 6))
def test_from_the_weeks_first_day_on_each_day_is_just_where_the_program_has_it(
    program: frozenset[Spot], day: date, week_start: int
) -> None:
    start = first_of_week(day, week_start)

    laid = lay_out(program, start, week_start=week_start)

    assert laid == {
        spot: start + timedelta(weeks=spot.week_no - 1, days=spot.day_no - 1) for spot in program
    }


def test_three_days_a_week_fall_on_the_three_days_that_were_chosen() -> None:
    program = [Spot(week, day) for week in (1, 2) for day in (1, 3, 5)]

    laid = lay_out(program, SUNDAY, week_start=0, weekdays=frozenset({1, 3, 4}))

    offsets = [(laid[spot] - SUNDAY).days for spot in program]
    assert offsets == [1, 3, 4, 8, 10, 11]


def test_a_light_week_lasts_a_week_all_the_same() -> None:
    program = [Spot(1, 1), Spot(2, 1), Spot(2, 3), Spot(2, 5)]

    laid = lay_out(program, SUNDAY, week_start=0, weekdays=frozenset({0, 2, 4}))

    assert [(laid[spot] - SUNDAY).days for spot in program] == [0, 7, 9, 11]


def test_more_days_than_a_week_gives_run_on_into_the_next() -> None:
    program = [Spot(1, day) for day in (1, 2, 3, 4)] + [Spot(2, 1)]

    laid = lay_out(program, SUNDAY, week_start=0, weekdays=frozenset({0, 3}))

    assert [(laid[spot] - SUNDAY).days for spot in program] == [0, 3, 7, 10, 14]


@given(st.frozensets(dates, min_size=1, max_size=15), dates, weekday_sets | st.just(NO_DAYS))
def test_what_is_put_off_keeps_its_order_and_comes_no_sooner(
    left: frozenset[date], not_before: date, weekdays: frozenset[int]
) -> None:
    moved = put_off(left, not_before, weekdays)

    in_order = [moved[day] for day in sorted(left)]
    assert all(one < other for one, other in pairwise(in_order))
    assert all(moved[day] >= day for day in left)
    if min(left) < not_before:
        assert min(in_order) >= not_before
        assert all(weekday(moved[day]) in (weekdays or {weekday(day)}) for day in left)


@given(st.frozensets(dates, min_size=1, max_size=15), weekday_sets | st.just(NO_DAYS))
def test_nothing_moves_where_no_time_was_lost(
    left: frozenset[date], weekdays: frozenset[int]
) -> None:
    assert put_off(left, min(left), weekdays) == {day: day for day in left}


@given(st.frozensets(dates, min_size=1, max_size=15), st.integers(1, 60))
def test_without_chosen_days_all_of_it_moves_by_the_same_whole_weeks(
    left: frozenset[date], lost: int
) -> None:
    moved = put_off(left, min(left) + timedelta(days=lost))

    (delay,) = {moved[day] - day for day in left}
    assert delay == timedelta(weeks=-(-lost // 7))


@given(st.frozensets(dates, min_size=1, max_size=15), st.integers(1, 8))
def test_whole_weeks_lost_are_whole_weeks_later(left: frozenset[date], weeks: int) -> None:
    weekdays = frozenset(map(weekday, left))

    moved = put_off(left, min(left) + timedelta(weeks=weeks), weekdays)

    assert moved == {day: day + timedelta(weeks=weeks) for day in left}


@given(st.lists(dates, min_size=1), st.integers(-30, 30))
def test_weekdays_turn_with_the_days(days: list[date], by: int) -> None:
    turned = rotated({weekday(day) for day in days}, by)

    assert set(turned) == {weekday(day + timedelta(days=by)) for day in days}


@pytest.mark.parametrize(
    ("begins", "offset"),
    [((3, SUNDAY), 0), ((3, SUNDAY - timedelta(weeks=1)), 0), ((2, SUNDAY), 7)],
)
def test_a_part_of_a_program_follows_the_week_that_is_given(
    begins: tuple[int, date], offset: int
) -> None:
    laid = lay_out([Spot(3, 1)], SUNDAY, week_start=0, begins=begins)

    assert laid == {Spot(3, 1): SUNDAY + timedelta(days=offset)}
