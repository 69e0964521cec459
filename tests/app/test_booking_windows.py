"""When booking opens, by the weekday of the class, and in whose week a visit counts."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.bookings.errors import NotOpenYet, WeeklyLimit
from app.schedule.times import slot_lasting
from app.studio.policy import BookingPolicy, opens_at
from tests.studio import ZONE, Studio

SUNDAY = 0


@given(
    st.dates(date(2026, 1, 1), date(2027, 12, 31)),
    st.none() | st.integers(1, 100),
    st.dictionaries(st.integers(0, 6), st.integers(1, 100)),
)
def test_a_weekday_of_its_own_counts_before_the_rule_for_all(
    day: date, usual: int | None, by_weekday: dict[int, int]
) -> None:
    slot = slot_lasting(day, time(18), 60, ZONE)
    policy = BookingPolicy(opens_hours_before=usual, opens_hours_by_weekday=by_weekday)
    hours = by_weekday.get((day.weekday() + 1) % 7, usual)
    opens = opens_at(policy, slot.starts_at, ZONE)
    assert opens == (None if hours is None else slot.starts_at - timedelta(hours=hours))


def test_sunday_opens_two_days_before_and_monday_one(studio: Studio) -> None:
    """Now it is Monday at ten: six days before the Sunday class at six in the evening."""
    studio.policy(opens_hours_before=24, opens_hours_by_weekday={SUNDAY: 48})
    dana = studio.member()
    sunday, monday = studio.session("18:00", day=6), studio.session("18:00", day=7)
    studio.clock.hands[0] = datetime(2026, 12, 4, 15, 59, tzinfo=UTC)
    with pytest.raises(NotOpenYet) as refused:
        studio.booking(dana, sunday)
    assert refused.value.values["opens_at"] == datetime(2026, 12, 4, 16, 0, tzinfo=UTC)
    studio.wait(minutes=1)
    studio.booking(dana, sunday)
    with pytest.raises(NotOpenYet):
        studio.booking(dana, monday)
    studio.wait(days=2)
    studio.booking(dana, monday)


def test_a_week_begins_on_sunday(studio: Studio) -> None:
    once = studio.person()
    studio.sell(once, studio.plan(weekly_visit_limit=1))
    friday, saturday, sunday = (studio.session(day=day) for day in (4, 5, 6))
    studio.booking(once, saturday)
    with pytest.raises(WeeklyLimit):
        studio.booking(once, friday)
    studio.booking(once, sunday)
