"""Cancelling, taking that back, extending, and adjusting credits (rules 25, 30, 32)."""

from datetime import date
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from app.core.errors import BadInput, StudioError
from app.memberships import queries, service
from app.memberships.errors import (
    AlreadyRecurring,
    CreditsNotCounted,
    EndsBefore,
    NoBillingDate,
    NoCreditsLeft,
    NoEndDate,
    NotPossibleNow,
)
from app.memberships.models import MembershipExtension
from app.memberships.service import Adjustment
from app.memberships.views import ExpiringFilter
from app.studio.paging import Cut
from tests.app.bought import check_history, freeze, history, roll_over, view
from tests.app.test_memberships import at_once, create
from tests.requests.commerce import card, monthly
from tests.studio import Studio


def cancel(studio: Studio, membership_id: UUID, on: int | None = None) -> date:
    with studio.act() as session:
        day = None if on is None else studio.day(on)
        told = service.cancel(
            session, studio.admin, membership_id, day, today=studio.day(0), reason="moves away"
        )
        return told.effective_on


def reinstate(studio: Studio, membership_id: UUID, billed: int | None = None) -> None:
    with studio.act() as session:
        day = None if billed is None else studio.day(billed)
        service.reinstate(session, studio.admin, membership_id, day, today=studio.day(0))


def adjust(studio: Studio, membership_id: UUID, delta: int, **more: date) -> int:
    with studio.act() as session:
        change = Adjustment(delta, "mix-up", **more)
        return service.adjust(session, studio.admin, membership_id, change, today=studio.day(0))


def extend(studio: Studio, membership_id: UUID, by: int | date) -> service.Extended:
    with studio.act() as session:
        return service.extend(session, studio.admin, membership_id, by, reason="closed")


def test_it_ends_a_month_after_notice_and_covers_until_then(studio: Studio) -> None:
    held = studio.sell(studio.person(), monthly(studio))
    assert cancel(studio, held) == date(2026, 12, 30)
    one = view(studio, held)
    assert (one.status, one.until, one.next_billing) == (
        "cancel_scheduled",
        date(2026, 12, 29),
        None,
    )
    assert one.cancel_reason == "moves away"
    studio.wait(days=29)
    assert roll_over(studio) == {}
    studio.wait(days=4)
    assert roll_over(studio) == {"cancelled": 1}
    assert (view(studio, held).status, roll_over(studio)) == ("cancelled", {})
    assert [(was.on, was.status) for was in history(studio, held)][1:] == [
        (date(2026, 11, 30), "cancel_scheduled"),
        (date(2026, 12, 30), "cancelled"),
    ]
    with pytest.raises(NotPossibleNow):
        cancel(studio, held)


def test_another_day_may_be_agreed_and_agreed_anew(studio: Studio) -> None:
    held = studio.sell(studio.person(), card(studio))
    for wrong, why in ((-1, BadInput), (400, BadInput), (61, EndsBefore)):
        with pytest.raises(why):
            cancel(studio, held, wrong)
    assert cancel(studio, held, 10) == studio.day(10)
    for again in (None, 10):
        with pytest.raises(NotPossibleNow):
            cancel(studio, held, again)
    assert cancel(studio, held, 20) == studio.day(20)
    assert cancel(studio, held, 0) == studio.day(0)
    assert view(studio, held).status == "cancelled"
    assert cancel(studio, studio.sell(studio.person("Noa"), card(studio))) == studio.day(30)
    ends_soon = studio.sell(studio.person("Tom"), card(studio), until=5)
    assert cancel(studio, ends_soon) == studio.day(6)
    ahead = create(studio, studio.person("Avi"), monthly(studio), start=60)
    cancel(studio, ahead)
    assert view(studio, ahead).status == "cancelled"
    check_history(studio)


def test_of_two_who_cancel_at_once_one_is_told_that_it_is_done(studio: Studio) -> None:
    held = studio.sell(studio.person(), monthly(studio))

    def cancelled() -> bool:
        try:
            cancel(studio, held)
        except NotPossibleNow:
            return False
        return True

    assert sum(at_once(cancelled, 3)) == 1


def test_a_reinstated_membership_is_billed_on_its_day_again(studio: Studio) -> None:
    dana, unlimited = studio.person(), monthly(studio)
    held = studio.sell(dana, unlimited)
    billed = view(studio, held).next_billing
    with pytest.raises(NotPossibleNow):
        reinstate(studio, held)
    cancel(studio, held)
    reinstate(studio, held)
    one = view(studio, held)
    assert (one.status, one.until, one.next_billing) == ("active", None, billed)
    cancel(studio, held, 0)
    with pytest.raises(BadInput):
        reinstate(studio, held, -1)
    reinstate(studio, held, 9)
    assert (view(studio, held).next_billing, view(studio, held).billing_day) == (studio.day(9), 9)
    cancel(studio, held, 0)
    other = create(studio, dana, unlimited)
    with pytest.raises(AlreadyRecurring):
        reinstate(studio, held)
    cancel(studio, other, 0)
    freeze(studio, studio.sell(studio.person("Noa"), unlimited), 0, 20)
    check_history(studio)


def test_what_ended_by_itself_does_not_come_back(studio: Studio) -> None:
    held = studio.sell(studio.person(), card(studio), until=3)
    cancelled = studio.sell(studio.person("Noa"), card(studio), until=3)
    cancel(studio, cancelled, 0)
    studio.wait(days=6)
    assert roll_over(studio) == {"expired": 1}
    assert history(studio, held)[-1].on == studio.day(-2)
    for act in (lambda: cancel(studio, held), lambda: extend(studio, held, 7)):
        with pytest.raises(NotPossibleNow):
            act()
    with pytest.raises(NotPossibleNow):
        reinstate(studio, held)
    with pytest.raises(EndsBefore):
        reinstate(studio, cancelled)
    again = studio.sell(studio.person("Tom"), card(studio))
    cancel(studio, again)
    with pytest.raises(NoBillingDate):
        reinstate(studio, again, 5)


def test_an_extension_moves_the_end_and_its_credits_and_is_written_down(studio: Studio) -> None:
    held = studio.sell(studio.person(), card(studio))
    adjust(studio, held, 1, expires_on=studio.day(10))
    told = extend(studio, held, 7)
    assert (told.end_before, told.end_after) == (studio.day(59), studio.day(66))
    assert extend(studio, held, studio.day(70)).days == 4
    with studio.act() as session:
        lots = queries.lots_of(session, held, studio.day(0))
        assert [(lot.left, lot.expires_on) for lot in lots if lot.left] == [
            (1, studio.day(10)),
            (10, studio.day(70)),
        ]
        kept = session.scalars(select(MembershipExtension).order_by(MembershipExtension.id)).all()
        assert [(one.days, one.reason) for one in kept] == [(7, "closed"), (4, "closed")]
    with pytest.raises(BadInput):
        extend(studio, held, studio.day(70))
    with pytest.raises(NoEndDate):
        extend(studio, studio.sell(studio.person("Noa"), monthly(studio)), 7)
    cancel(studio, held)
    with pytest.raises(NotPossibleNow):
        extend(studio, held, 7)


def test_credits_are_added_and_taken_but_never_below_zero(studio: Studio) -> None:
    held = studio.sell(studio.person(), card(studio))
    assert adjust(studio, held, 2) == 12
    assert adjust(studio, held, 3, expires_on=studio.day(2)) == 15
    assert adjust(studio, held, -4) == 11
    with studio.act() as session:
        lots = [lot for lot in queries.lots_of(session, held, studio.day(0)) if lot.left]
    assert [(lot.left, lot.expires_on) for lot in lots] == [(11, studio.day(59))]
    with pytest.raises(NoCreditsLeft):
        adjust(studio, held, -12)
    with pytest.raises(CreditsNotCounted):
        adjust(studio, studio.sell(studio.person("Noa"), monthly(studio)), 1)
    cancel(studio, held, 0)
    with pytest.raises(NotPossibleNow):
        adjust(studio, held, 1)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(st.integers(-9, 9).filter(bool), st.integers(0, 80)), max_size=6))
def test_the_balance_is_the_sum_of_what_was_agreed(
    studio: Studio, changes: list[tuple[int, int]]
) -> None:
    held, expected = studio.sell(studio.person(), card(studio)), 10
    for delta, lapses in changes:
        try:
            left = adjust(studio, held, delta, expires_on=studio.day(lapses))
        except NoCreditsLeft:
            assert expected + delta < 0
        else:
            expected += delta
            assert left == expected
    assert view(studio, held).credits == expected


def test_the_last_credit_is_taken_once(studio: Studio) -> None:
    held = studio.sell(studio.person(), card(studio))
    adjust(studio, held, -9)

    def taken() -> bool:
        try:
            adjust(studio, held, -1)
        except StudioError:
            return False
        return True

    assert sum(at_once(taken, 3)) == 1
    assert view(studio, held).credits == 0


def test_what_ends_soon_is_listed_unless_something_follows(studio: Studio) -> None:
    cards = card(studio)
    soon = studio.sell(studio.person("Ends Soon"), cards, until=5)
    studio.sell(studio.person("Ends Later"), cards, until=40)
    followed = studio.person("Is Renewed")
    studio.sell(followed, cards, until=5)
    studio.sell(followed, monthly(studio))
    leaving = studio.sell(studio.person("Leaves"), monthly(studio))
    cancel(studio, leaving, 10)
    used_up = studio.sell(studio.person("Used Up"), cards, until=40)
    adjust(studio, used_up, -9)
    with studio.act() as session:
        day = studio.day(0)
        found = queries.expiring(session, ExpiringFilter(14), day, cut=Cut())
        assert [one.id for one in found.rows] == [soon, leaving]
        wanted = ExpiringFilter(14, max_credits_left=1)
        found = queries.expiring(session, wanted, day, cut=Cut())
        assert [one.id for one in found.rows] == [soon, leaving, used_up]
