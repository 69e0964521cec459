"""The Hebrew calendar against days that are known, and against itself."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.schedule import holidays
from app.schedule.holidays import Season

some_day = st.dates(date(1950, 1, 1), date(2100, 1, 1))


@given(some_day)
def test_a_day_and_its_hebrew_date_are_the_same_day(day: date) -> None:
    assert holidays.gregorian(*holidays.hebrew(day)) == day


def test_hanukkah_begins_on_the_evening_before_25_kislev() -> None:
    assert holidays.gregorian(5787, 9, 25) == date(2026, 12, 5)
    eve = holidays.on(date(2026, 12, 4))
    assert eve is not None
    assert (eve.key, eve.day_off) == ("holiday.hanukkah_eve", False)


@pytest.mark.parametrize(
    ("day", "key", "day_off"),
    [
        (date(2026, 9, 21), "holiday.yom_kippur", True),
        (date(2026, 9, 20), "holiday.yom_kippur_eve", False),
        (date(2027, 4, 22), "holiday.pesach", True),
        (date(2027, 4, 24), "holiday.pesach", False),
        (date(2027, 4, 28), "holiday.pesach", True),
        (date(2027, 3, 23), "holiday.purim", False),
        (date(2027, 5, 12), "holiday.independence_day", True),
        (date(2027, 5, 11), "holiday.memorial_day", False),
        (date(2026, 4, 22), "holiday.independence_day", True),
        (date(2025, 5, 1), "holiday.independence_day", True),
        (date(2024, 5, 14), "holiday.independence_day", True),
        (date(2026, 4, 14), "holiday.holocaust_day", False),
        (date(2024, 5, 6), "holiday.holocaust_day", False),
        (date(2027, 8, 12), "holiday.tisha_bav", False),
    ],
)
def test_holidays_fall_where_they_are_known_to_fall(day: date, key: str, *, day_off: bool) -> None:
    found = holidays.on(day)
    assert found is not None
    assert (found.key, found.day_off) == (key, day_off)


@given(st.integers(1955, 2090))
def test_the_days_of_the_state_keep_clear_of_the_sabbath(year: int) -> None:
    spring = list(holidays.between(date(year, 3, 20), date(year, 6, 10)))
    found = {one.name: one.date for one in spring if not one.eve}
    assert found["independence_day"] - found["memorial_day"] == timedelta(days=1)
    assert found["independence_day"].isoweekday() in {2, 3, 4}
    assert found["holocaust_day"].isoweekday() in {1, 2, 3, 4}


def test_the_days_of_one_holiday_are_told_together() -> None:
    assert holidays.seasons(date(2026, 9, 24), date(2026, 10, 4)) == (
        Season("holiday.sukkot_eve", date(2026, 9, 25), date(2026, 9, 25)),
        Season("holiday.sukkot", date(2026, 9, 26), date(2026, 10, 2)),
        Season("holiday.simchat_torah", date(2026, 10, 3), date(2026, 10, 3)),
    )
    assert holidays.on(date(2026, 11, 20)) is None
    assert holidays.on(date(9_999, 12, 31)) is None
