"""Billing dates: whole periods from an anchor that shorter months bend and never move (rule 29)."""

from calendar import monthrange
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.memberships import billing
from app.memberships.errors import NotPossibleNow
from app.memberships.terms import MembershipStatus, PeriodUnit
from app.memberships.transitions import FOLLOWS, REINSTATED, check_move

DAYS = st.dates(date(2020, 1, 1), date(2040, 12, 31))
ANCHORS = st.integers(1, 31)
UNITS = st.sampled_from(PeriodUnit)
STATES = st.sampled_from(MembershipStatus)


def last_of_month(day: date) -> int:
    return monthrange(day.year, day.month)[1]


@given(DAYS, ANCHORS, st.integers(1, 24))
def test_a_month_is_billed_on_its_anchor_or_its_last_day(
    start: date, anchor: int, count: int
) -> None:
    day = start
    for _ in range(14):
        day = billing.next_after(day, PeriodUnit.MONTH, count, anchor)
        assert day.day == min(anchor, last_of_month(day))
    months = (day.year - start.year) * 12 + day.month - start.month
    assert months == 14 * count


def test_the_31st_comes_back_after_february() -> None:
    days = [date(2027, 1, 31)]
    for _ in range(3):
        days.append(billing.next_after(days[-1], PeriodUnit.MONTH, 1, 31))
    assert days[1:] == [date(2027, 2, 28), date(2027, 3, 31), date(2027, 4, 30)]
    assert billing.next_after(date(2028, 2, 29), PeriodUnit.YEAR, 1, 29) == date(2029, 2, 28)
    assert billing.notice_over(date(2027, 1, 31)) == date(2027, 2, 28)


@given(DAYS, UNITS, st.integers(1, 12), ANCHORS, st.integers(0, 800))
def test_the_coming_date_is_the_first_of_its_row_after_a_day(
    start: date, unit: PeriodUnit, count: int, anchor: int, later: int
) -> None:
    after = start + timedelta(days=later)
    found = billing.coming(start, unit, count, anchor, after=after)
    row = [billing.first_after(start, unit, count, anchor)]
    while row[-1] <= after:
        row.append(billing.next_after(row[-1], unit, count, anchor))
    assert row[0] > start
    assert found == row[-1]
    assert all(day <= after for day in row[:-1])


@given(DAYS, ANCHORS)
def test_the_first_date_is_within_a_month_of_the_start(start: date, anchor: int) -> None:
    first = billing.first_after(start, PeriodUnit.MONTH, 1, anchor)
    assert 0 < (first - start).days <= 31
    assert first.day == min(anchor, last_of_month(first))


@given(DAYS, UNITS, st.integers(1, 12))
def test_terms_follow_each_other_without_a_gap(start: date, unit: PeriodUnit, count: int) -> None:
    last = billing.last_of_term(start, unit, count)
    assert last >= start
    assert last + timedelta(days=1) == billing.next_after(start, unit, count, start.day)


ALLOWED = {
    "pending": "active cancel_scheduled cancelled expired",
    "active": "frozen past_due cancel_scheduled cancelled expired",
    "frozen": "active cancel_scheduled cancelled expired",
    "past_due": "active cancel_scheduled cancelled expired",
    "cancel_scheduled": "cancelled expired",
    "cancelled": "",
    "expired": "",
}
"""As the studio's rule 27 has it: written out once more, so that a slip in the table is seen."""


@given(STATES, STATES)
def test_only_listed_states_follow(now: MembershipStatus, to: MembershipStatus) -> None:
    listed = to.value in ALLOWED[now.value].split() or now is to
    assert allows(now, to) == listed


@given(STATES, STATES)
def test_a_reinstatement_leads_back_from_a_cancellation_alone(
    now: MembershipStatus, to: MembershipStatus
) -> None:
    back = now.value in {"cancelled", "cancel_scheduled"}
    back &= to.value not in {"cancelled", "expired"}
    assert allows(now, to, reinstating=True) == (back or allows(now, to))


def allows(now: MembershipStatus, to: MembershipStatus, *, reinstating: bool = False) -> bool:
    try:
        check_move(now, to, reinstating=reinstating)
    except NotPossibleNow:
        return False
    return True


def test_nothing_leaves_an_end_but_by_reinstatement() -> None:
    for state in (MembershipStatus.CANCELLED, MembershipStatus.EXPIRED):
        assert FOLLOWS[state] == frozenset()
    assert MembershipStatus.EXPIRED not in REINSTATED
