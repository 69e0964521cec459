"""Freezing memberships: limits, dates that move by the frozen days, and the way back (rule 28)."""

from datetime import date, timedelta
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import DBAPIError

from app.core.errors import BadInput, NotFound, StudioError
from app.memberships import queries, service
from app.memberships.errors import (
    FreezeInPast,
    FreezeLength,
    FreezeNotInPlan,
    FreezeOutside,
    FreezeOverlaps,
    FreezeTooOften,
    NotFrozen,
    NotPossibleNow,
)
from app.memberships.service.freezing import most_in_a_year
from app.memberships.terms import PeriodUnit, PlanKind
from tests.app.bought import check_history, freeze, history, roll_over, view
from tests.app.test_memberships import at_once
from tests.requests.commerce import card, monthly, plan
from tests.studio import Studio


def thaw(studio: Studio, membership_id: UUID, on: int | None = None) -> service.Frozen:
    with studio.act() as session:
        day = None if on is None else studio.day(on)
        return service.unfreeze(session, studio.admin, membership_id, day, today=studio.day(0))


def dates(studio: Studio, membership_id: UUID) -> tuple[date | None, date | None, int | None]:
    one = view(studio, membership_id)
    return one.end_date, one.next_billing, one.billing_day


@pytest.mark.parametrize(
    ("first", "last", "wrong"),
    [
        (-1, 20, FreezeInPast),
        (0, 5, FreezeLength),
        (0, 60, FreezeLength),
        (70, 90, FreezeOutside),
        (5, 4, BadInput),
    ],
)
def test_what_a_plan_does_not_allow(
    studio: Studio, first: int, last: int, wrong: type[StudioError]
) -> None:
    held = studio.sell(studio.person(), card(studio))
    with pytest.raises(wrong):
        freeze(studio, held, first, last)


def test_plans_may_rule_freezes_out_and_a_medical_document_overrides(studio: Studio) -> None:
    never = plan(
        studio,
        PlanKind.RECURRING,
        period_unit=PeriodUnit.MONTH,
        freeze_policy={"allowed": False},
    )
    held = studio.sell(studio.person(), never)
    with pytest.raises(FreezeNotInPlan):
        freeze(studio, held, 0, 20)
    freeze(studio, held, 0, 2, document="a doctor's note")
    assert view(studio, held).status == "frozen"
    twice = studio.sell(studio.person("Noa C"), monthly(studio))
    freeze(studio, twice, 0, 9)
    with pytest.raises(FreezeOverlaps):
        freeze(studio, twice, 9, 20)
    freeze(studio, twice, 10, 19)
    with pytest.raises(FreezeTooOften):
        freeze(studio, twice, 30, 40)
    freeze(studio, twice, 30, 40, document="hospital")
    planned = studio.sell(studio.person("Noa D"), monthly(studio))
    for first in (200, 100):
        freeze(studio, planned, first, first + 9)
    with pytest.raises(FreezeTooOften):
        freeze(studio, planned, 0, 9)
    with pytest.raises(NotFound):
        freeze(studio, UUID(int=1), 0, 20)


def test_what_is_over_or_being_cancelled_is_not_frozen(studio: Studio) -> None:
    held = studio.sell(studio.person(), monthly(studio))
    with studio.act() as session:
        service.cancel(session, studio.admin, held, None, today=studio.day(0))
    with pytest.raises(NotPossibleNow):
        freeze(studio, held, 0, 20)
    with pytest.raises(NotFrozen):
        thaw(studio, held)


def test_credits_of_a_card_lapse_as_much_later(studio: Studio) -> None:
    held = studio.sell(studio.person(), card(studio))
    freeze(studio, held, 3, 12)
    with studio.act() as session:
        assert [(lot.left, lot.expires_on) for lot in left(studio, held)] == [(10, studio.day(69))]
        assert queries.lots_of(session, held, studio.day(70)) == []
    thaw(studio, held, on=8)
    assert [(lot.left, lot.expires_on) for lot in left(studio, held)] == [(10, studio.day(64))]
    stays = studio.sell(studio.person("Noa C"), card(studio))
    freeze(studio, stays, 0, 9, extends_end=False)
    assert dates(studio, stays)[0] == studio.day(59)


def left(studio: Studio, membership_id: UUID) -> list[queries.Lot]:
    with studio.act() as session:
        found = queries.lots_of(session, membership_id, studio.day(0))
        return [lot for lot in found if lot.left]


def weekly(studio: Studio) -> UUID:
    return plan(studio, PlanKind.RECURRING, period_unit=PeriodUnit.WEEK)


KINDS = {"card": card, "monthly": monthly, "weekly": weekly}


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    kind=st.sampled_from(("card", "monthly", "weekly")),
    first=st.integers(0, 40),
    days=st.integers(7, 60),
    used=st.integers(0, 59),
)
def test_an_early_end_leaves_exactly_the_used_days(
    studio: Studio, kind: str, first: int, days: int, used: int
) -> None:
    """However it is frozen: in the end it is as though it had been frozen for the used days."""
    used = min(used, days - 1)
    held = studio.sell(studio.person(), KINDS[kind](studio))
    before = dates(studio, held)

    freeze(studio, held, first, first + days - 1)

    frozen = dates(studio, held)
    billed_inside = before[1] is not None and before[1] >= studio.day(first)
    moved = timedelta(days=days)
    assert frozen[0] == (None if before[0] is None else before[0] + moved)
    assert frozen[1] == (before[1] + moved if billed_inside and before[1] else before[1])
    assert view(studio, held).status == ("frozen" if first == 0 else "active")

    told = thaw(studio, held, on=first + used)

    kept = timedelta(days=used)
    after = dates(studio, held)
    assert told.days == days - used
    assert after[0] == (None if before[0] is None else before[0] + kept)
    assert after[1] == (before[1] + kept if billed_inside and before[1] else before[1])
    if not used:
        assert after == before


@given(st.lists(st.integers(0, 1_500), max_size=12), st.integers(1, 3))
def test_in_whatever_order_they_are_planned_no_year_has_more_than_the_plan_allows(
    asked: list[int], allowed: int
) -> None:
    kept: list[date] = []
    for ahead in asked:
        start = date(2026, 1, 1) + timedelta(days=ahead)
        too_often = most_in_a_year(start, kept) > allowed
        assert too_often == crowded([*kept, start], allowed)
        if not too_often:
            kept.append(start)


def crowded(days: list[date], allowed: int) -> bool:
    """Whether a year that begins with one of these days has too many."""
    years = [(first, first + timedelta(days=365)) for first in days]
    return any(sum(first <= one < end for one in days) > allowed for first, end in years)


def test_a_freeze_begins_and_ends_by_the_calendar(studio: Studio) -> None:
    held = studio.sell(studio.person(), monthly(studio))
    freeze(studio, held, 3, 12)
    assert roll_over(studio) == {}
    studio.wait(days=5)
    assert roll_over(studio) == {"froze": 1}
    assert (view(studio, held).status, view(studio, held).frozen_until) == (
        "frozen",
        studio.day(7),
    )
    studio.wait(days=30)
    told = roll_over(studio)
    assert told["thawed"] == 1
    assert roll_over(studio) == {}
    begun, ended = studio.day(-32), studio.day(-22)
    assert [(was.on, was.status) for was in history(studio, held)][1:] == [
        (begun, "frozen"),
        (ended, "active"),
    ]
    check_history(studio)


def test_a_later_bill_moves_when_it_comes_to_be_the_next(studio: Studio) -> None:
    """December's comes before the freeze and stays; January's falls into it."""
    held = studio.sell(studio.person(), monthly(studio))
    assert dates(studio, held) == (None, date(2026, 12, 31), 31)
    freeze(studio, held, 50, 59)
    assert dates(studio, held) == (None, date(2026, 12, 31), 31)
    studio.wait(days=31)
    assert roll_over(studio) == {"renewed": 1}
    assert dates(studio, held) == (None, date(2027, 2, 10), 10)
    assert thaw(studio, held).days == 10
    assert dates(studio, held) == (None, date(2027, 1, 31), 31)


def test_two_freezes_at_once_leave_one(studio: Studio) -> None:
    held = studio.sell(studio.person(), card(studio))

    def frozen() -> bool:
        try:
            freeze(studio, held, 1, 10)
        except (FreezeOverlaps, DBAPIError):
            return False
        return True

    assert sum(at_once(frozen, 3)) == 1
    assert dates(studio, held)[0] == studio.day(69)
