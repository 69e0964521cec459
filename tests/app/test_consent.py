"""Who may be written to, and when (rule 36)."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.people.consent import (
    Cap,
    QuietHours,
    Recipient,
    WeekSpan,
    policy_of,
    quiet_until,
    refusal,
)
from app.people.terms import Category

ZONE = "Asia/Jerusalem"
UTILITY, MARKETING = Category.UTILITY, Category.MARKETING
OFTEN = QuietHours()


def local(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(ZONE)).astimezone(UTC)


@pytest.mark.parametrize(
    ("category", "now", "until"),
    [
        (UTILITY, "2026-11-30 10:00", None),
        (UTILITY, "2026-11-30 20:59", None),
        (UTILITY, "2026-11-30 21:00", "2026-12-01 08:00"),
        (UTILITY, "2026-12-01 07:59", "2026-12-01 08:00"),
        (UTILITY, "2026-12-04 16:00", None),
        (MARKETING, "2026-12-04 14:59", None),
        (MARKETING, "2026-12-04 15:00", "2026-12-05 20:00"),
        (MARKETING, "2026-12-05 19:59", "2026-12-05 20:00"),
        (MARKETING, "2026-12-05 20:30", None),
        (MARKETING, "2026-12-05 21:00", "2026-12-06 08:00"),
        # The clocks go forward at two that night: it is an hour shorter, and ends at eight.
        (UTILITY, "2027-03-25 23:00", "2027-03-26 08:00"),
    ],
)
def test_nothing_goes_out_at_night_and_no_marketing_on_the_sabbath(
    category: Category, now: str, until: str | None
) -> None:
    found = quiet_until(OFTEN, category, ZONE, now=local(now))
    assert found == (local(until) if until else None)


TIMES = st.times(min_value=time(0, 0), max_value=time(23, 59)).map(
    lambda one: one.replace(second=0, microsecond=0)
)
SPANS = st.builds(
    WeekSpan,
    from_day=st.integers(0, 6),
    from_time=TIMES,
    until_day=st.integers(0, 6),
    until_time=TIMES,
)


@given(
    since=TIMES,
    until=TIMES,
    span=SPANS,
    category=st.sampled_from(Category),
    minutes=st.integers(0, 400 * 24 * 60),
)
def test_quiet_ends_and_is_quiet_until_it_does(
    since: time, until: time, span: WeekSpan, category: Category, minutes: int
) -> None:
    hours = QuietHours(since=since, until=until, marketing=(span,))
    now = local("2026-11-29 00:00") + timedelta(minutes=minutes)
    end = quiet_until(hours, category, ZONE, now=now)
    if end is None:
        return
    assert now < end < now + timedelta(days=15)
    if end < now + timedelta(days=7):
        assert quiet_until(hours, category, ZONE, now=end) is None
        assert quiet_until(hours, category, ZONE, now=end - timedelta(minutes=1)) == end


def test_hours_that_leave_no_minute_are_obeyed_for_a_week() -> None:
    week = {"from_day": 0, "from_time": "00:05", "until_day": 0, "until_time": "00:00"}
    rest = {"since": "00:00", "until": "00:10", "marketing": [week]}
    now = local("2026-12-01 10:00")
    end = quiet_until(policy_of({"quiet": rest}).quiet, MARKETING, ZONE, now=now)
    assert end is not None
    assert now + timedelta(days=7) <= end < now + timedelta(days=15)


def test_a_gym_without_quiet_hours_may_write_at_any_time() -> None:
    hours = policy_of({"quiet": {"since": "00:00", "until": "00:00", "marketing": []}}).quiet
    for hour in range(24):
        at = local("2026-12-05 00:30") + timedelta(hours=hour)
        assert quiet_until(hours, MARKETING, ZONE, now=at) is None


def test_who_opted_out_gets_nothing_and_marketing_wants_a_yes() -> None:
    now = local("2026-11-30 10:00")
    dana = Recipient("Dana", agreed_to_marketing=True)
    gone = refusal(Recipient("Dana", opted_out=True), UTILITY, now=now, cap=Cap())
    never = refusal(Recipient("Dana"), MARKETING, now=now, cap=Cap())
    assert (gone and gone.code, never and never.code) == ("opted_out", "no_consent")
    assert refusal(Recipient("Dana"), UTILITY, now=now, cap=Cap()) is None
    assert refusal(dana, MARKETING, now=now, cap=Cap()) is None


def test_a_cap_counts_the_days_before() -> None:
    now, cap = local("2026-11-30 10:00"), Cap(most=2, days=7)
    ages = (1, 6, 8)
    had = [now - timedelta(days=age) for age in ages]
    dana = Recipient("Dana", agreed_to_marketing=True, had=had)
    full = refusal(dana, MARKETING, now=now, cap=cap)
    assert full is not None
    assert full.values == {"name": "Dana", "most": 2, "days": 7}
    assert refusal(dana, UTILITY, now=now, cap=cap) is None
    assert refusal(dana, MARKETING, now=now, cap=Cap(most=3, days=7)) is None
