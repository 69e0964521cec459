"""Compliance: one formula, for one person and for many."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.programs.compliance import DueDay, Stretch, Tally, is_paused, tally
from app.programs.terms import DayStatus

TODAY = date(2026, 11, 30)
NEVER = {DayStatus.EXCUSED}

days = st.builds(
    DueDay,
    st.dates(TODAY - timedelta(days=40), TODAY + timedelta(days=40)),
    st.sampled_from(DayStatus),
    st.booleans(),
)
lists = st.lists(days, max_size=30)


def by_hand(some: list[DueDay]) -> float | None:
    """The sum of the weights over the days due, as analytics has it."""
    due = [one for one in some if one.due <= TODAY and not one.paused and one.status not in NEVER]
    done = sum(one.status is DayStatus.DONE for one in due)
    half = sum(one.status is DayStatus.PARTIAL for one in due)
    return None if len(due) < 3 else 100 * (done + half / 2) / len(due)


@given(lists)
def test_it_is_the_sum_of_weights_over_the_days_due(some: list[DueDay]) -> None:
    assert tally(some, TODAY).percent == by_hand(some)


@given(lists)
def test_it_lies_between_none_and_all_and_is_told_from_three_days_on(some: list[DueDay]) -> None:
    counted = tally(some, TODAY)

    assert (counted.percent is None) == (counted.due < 3)
    assert counted.percent is None or 0 <= counted.percent <= 100
    assert counted.planned == len(some)


@given(lists, lists)
def test_paused_and_excused_days_and_days_ahead_never_change_it(
    some: list[DueDay], others: list[DueDay]
) -> None:
    uncounted = [
        one for one in others if one.paused or one.status is DayStatus.EXCUSED or one.due > TODAY
    ]

    assert tally([*some, *uncounted], TODAY).percent == tally(some, TODAY).percent


@given(st.lists(lists, max_size=5))
def test_pooled_it_is_that_of_all_the_days_together(people: list[list[DueDay]]) -> None:
    pooled = sum((tally(some, TODAY) for some in people), Tally())

    assert pooled == tally([day for some in people for day in some], TODAY)


def test_whoever_has_more_days_weighs_more() -> None:
    week = [DueDay(TODAY - timedelta(days=back), DayStatus.DONE) for back in range(9)]
    idle = [DueDay(TODAY - timedelta(days=back), DayStatus.MISSED) for back in range(3)]

    pooled = tally(week, TODAY) + tally(idle, TODAY)

    assert pooled.percent == 75, "not the mean of 100 and 0"


@given(days)
def test_a_day_without_a_mark_is_told_by_its_date(day: DueDay) -> None:
    told = DueDay(day.due, DayStatus.UPCOMING).on(TODAY)

    assert (told is DayStatus.MISSED) == (day.due < TODAY)
    assert (told is DayStatus.DUE) == (day.due == TODAY)
    if day.status is not DayStatus.UPCOMING:
        assert day.on(TODAY) is day.status


def test_a_pause_holds_its_last_day_and_an_open_one_all_days() -> None:
    ended = Stretch(TODAY, TODAY + timedelta(days=2))

    assert [ended.holds(TODAY + timedelta(days=on)) for on in (-1, 0, 2, 3)] == [
        False,
        True,
        True,
        False,
    ]
    assert Stretch(TODAY, None).holds(TODAY + timedelta(days=400))
    assert not is_paused(TODAY, [Stretch(TODAY, TODAY - timedelta(days=1))]), "it never came about"
    assert is_paused(TODAY, [Stretch(TODAY - timedelta(days=9), None)])
