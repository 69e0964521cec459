"""Local class times on ordinary nights and on the two when the clocks change."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import BadInput
from app.schedule.errors import BadDuration, TimeDoesNotExist
from app.schedule.times import LONGEST, SHORTEST, slot_lasting, slot_until
from app.studio.models import Org
from app.studio.queries import instants
from tests.studio import ZONE

SPRING, AUTUMN = date(2026, 3, 27), date(2026, 10, 25)


def test_half_past_two_does_not_exist_on_the_night_of_spring() -> None:
    with pytest.raises(TimeDoesNotExist) as refused:
        slot_lasting(SPRING, time(2, 30), 60, ZONE)
    assert refused.value.values == {"date": SPRING, "time": time(2, 30)}


def test_of_two_half_past_ones_the_first_is_meant_and_said() -> None:
    slot = slot_lasting(AUTUMN, time(1, 30), 30, ZONE)
    assert slot.doubled
    assert slot.starts_at == datetime(2026, 10, 24, 22, 30, tzinfo=UTC)
    assert slot.starts_at.astimezone(ZoneInfo(ZONE)).utcoffset() == timedelta(hours=3)


def test_seven_in_the_morning_stays_seven_across_the_change() -> None:
    before = slot_lasting(SPRING - timedelta(days=1), time(7), 60, ZONE)
    after = slot_lasting(SPRING, time(7), 60, ZONE)
    assert (before.start, after.start) == (time(7), time(7))
    assert after.starts_at - before.starts_at == timedelta(hours=23)


def test_a_length_is_elapsed_time() -> None:
    slot = slot_lasting(SPRING, time(1, 30), 60, ZONE)
    assert slot.end == time(3, 30)
    assert slot.minutes == 60


@given(
    day=st.dates(date(2026, 1, 1), date(2030, 12, 31)),
    start=st.times(),
    minutes=st.integers(-10, 600),
)
def test_a_slot_says_the_same_in_both_forms(day: date, start: time, minutes: int) -> None:
    start = start.replace(second=0, microsecond=0)
    try:
        slot = slot_lasting(day, start, minutes, ZONE)
    except BadDuration:
        assert not SHORTEST <= timedelta(minutes=minutes) <= LONGEST
        return
    except TimeDoesNotExist:
        assert day.month == 3
        assert start.hour == 2
        return
    local = slot.starts_at.astimezone(ZoneInfo(ZONE))
    assert (local.date(), local.time()) == (day, start)
    if not slot.doubled and slot.ends_at.astimezone(ZoneInfo(ZONE)).fold == 0:
        assert slot_until(day, start, slot.end, ZONE) == slot


@pytest.mark.parametrize("day", [date.min, date.max])
@pytest.mark.parametrize("zone", [ZONE, "UTC", "Pacific/Apia"])
def test_a_day_at_the_calendar_s_edge_is_no_day_for_a_class(day: date, zone: str) -> None:
    with pytest.raises(BadInput):
        slot_lasting(day, time(0, 0), 60, zone)
    with pytest.raises(BadInput):
        slot_until(day, time(23, 30), time(0, 30), zone)


def test_days_until_the_last_one_have_no_end() -> None:
    gym = Org(timezone=ZONE)
    assert instants(gym, None, date.max) == (None, None)
    assert instants(gym, SPRING, SPRING) == (
        datetime(2026, 3, 26, 22, tzinfo=UTC),
        datetime(2026, 3, 27, 21, tzinfo=UTC),
    )
