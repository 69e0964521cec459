"""Selling memberships and moving them to other plans (rules 26, 29, 31)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from uuid import UUID

import pytest
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from app.bookings import service as bookings
from app.core.errors import BadInput, NotFound, StaleVersion
from app.memberships import queries, service
from app.memberships.errors import (
    AlreadyOnPlan,
    AlreadyRecurring,
    CreditsNotCounted,
    FreezeNotInPlan,
    NoBillingDate,
    NotPossibleNow,
    NotSold,
    PlanIncomplete,
    StartTooFar,
)
from app.memberships.models import Membership
from app.memberships.service import NewPlan, PlanChanges, Terms
from app.memberships.terms import PaymentStatus, PeriodUnit, PlanKind
from tests.app.bought import check_history, freeze, history, roll_over, view
from tests.programming import class_type
from tests.requests.commerce import card, monthly, plan
from tests.studio import Studio


def create(
    studio: Studio, member_id: UUID, plan_id: UUID, terms: Terms | None = None, *, start: int = 0
) -> UUID:
    with studio.act() as session:
        return service.create(
            session,
            studio.admin,
            member_id,
            plan_id,
            terms or Terms(),
            start=studio.day(start),
            today=studio.day(0),
        )


def change(
    studio: Studio, membership_id: UUID, plan_id: UUID, *, later: bool = False
) -> service.PlanMove:
    with studio.act() as session:
        return service.change_plan(
            session,
            studio.admin,
            membership_id,
            plan_id,
            at_next_billing=later,
            today=studio.day(0),
        )


def test_a_sale_copies_the_price_and_is_billed_on_its_day(studio: Studio) -> None:
    dana, unlimited = studio.person(), monthly(studio)
    held = create(studio, dana, unlimited, Terms(discount_minor=3_000, billing_day=31))
    with studio.act() as session:
        service.update_plan(session, unlimited, PlanChanges(price_minor=50_000))
    one = view(studio, held)
    assert (one.price_minor, one.discount_minor) == (38_000, 3_000)
    assert (one.billing_day, one.next_billing) == (31, date(2026, 12, 31))
    assert (one.status, one.until, one.payment) == ("active", None, "due")
    ahead = view(studio, create(studio, studio.person("Noa C"), unlimited, start=10))
    assert (ahead.status, ahead.price_minor) == ("pending", 50_000)
    assert ahead.next_billing == date(2027, 1, 10)
    check_history(studio)


def test_terms_and_cards_end_by_themselves_with_their_credits(studio: Studio) -> None:
    dana = studio.person()
    quarter = plan(studio, PlanKind.FIXED_TERM, period_unit=PeriodUnit.MONTH, period_count=3)
    term = view(studio, create(studio, dana, quarter))
    assert (term.until, term.next_billing, term.credits) == (date(2027, 2, 27), None, None)
    ten = view(studio, create(studio, dana, card(studio)))
    assert (ten.until, ten.credits) == (studio.day(89), 10)
    free = view(studio, create(studio, dana, plan(studio, PlanKind.TRIAL, 0, validity_days=7)))
    assert free.payment == "waived"


def test_credits_of_a_period_lapse_as_it_is_billed_again(studio: Studio) -> None:
    eight = plan(studio, PlanKind.RECURRING, credits=8, period_unit=PeriodUnit.MONTH)
    held = create(studio, studio.person(), eight)
    billed = view(studio, held).next_billing
    assert billed is not None
    with studio.act() as session:
        last = queries.lots_of(session, held, studio.day(0))[0]
    assert (last.left, last.expires_on) == (8, billed - timedelta(days=1))


def test_what_may_not_be_sold(studio: Studio) -> None:
    dana, unlimited = studio.person(), monthly(studio)
    with pytest.raises(StartTooFar):
        create(studio, dana, unlimited, start=400)
    with pytest.raises(StartTooFar):
        create(studio, dana, unlimited, start=-100)
    with pytest.raises(NoBillingDate):
        create(studio, dana, card(studio), Terms(billing_day=5))
    for price in (None, 100):
        with pytest.raises(BadInput):
            create(studio, dana, unlimited, Terms(price, 38_001))
    free = create(studio, studio.person("Free"), unlimited, Terms(100, 100))
    assert view(studio, free).payment is PaymentStatus.WAIVED
    for unknown in ((dana, UUID(int=1)), (UUID(int=1), unlimited)):
        with pytest.raises(NotFound):
            create(studio, *unknown)
    with studio.act() as session:
        service.update_plan(session, unlimited, PlanChanges(sells_until=studio.day(-1)))
    with pytest.raises(NotSold):
        create(studio, dana, unlimited)


def test_one_recurring_membership_at_a_time_for_the_same_classes(studio: Studio) -> None:
    dana, unlimited = studio.person(), monthly(studio)
    held = create(studio, dana, unlimited)
    with pytest.raises(AlreadyRecurring):
        create(studio, dana, monthly(studio))
    yoga = plan(
        studio,
        PlanKind.RECURRING,
        period_unit=PeriodUnit.MONTH,
        class_type_ids=(studio.class_type_id,),
    )
    create(studio, dana, yoga)
    create(studio, dana, card(studio))
    create(studio, dana, card(studio))
    with studio.act() as session:
        service.cancel(session, studio.admin, held, studio.day(20), today=studio.day(0))
    with pytest.raises(AlreadyRecurring):
        create(studio, dana, unlimited, start=19)
    create(studio, dana, unlimited, start=20)


def test_two_sales_at_once_leave_one(studio: Studio) -> None:
    dana, unlimited = studio.person(), monthly(studio)

    def sold() -> bool:
        try:
            create(studio, dana, unlimited)
        except (AlreadyRecurring, DBAPIError):
            return False
        return True

    assert sum(at_once(sold, 4)) == 1


def at_once(act: Callable[[], bool], times: int) -> list[bool]:
    with ThreadPoolExecutor(times) as threads:
        return [one.result() for one in [threads.submit(act) for _ in range(times)]]


def test_a_new_plan_counts_now_and_its_credits_replace_the_old(studio: Studio) -> None:
    dana = studio.person()
    held = create(studio, dana, card(studio))
    twenty = plan(studio, PlanKind.PUNCH_CARD, 90_000, credits=20, validity_days=120)
    move = change(studio, held, twenty)
    one = view(studio, held)
    assert (move.on, move.credits, one.credits) == (studio.day(0), 20, 20)
    assert (one.price_minor, one.until) == (90_000, studio.day(119))
    assert [was.price for was in history(studio, held)] == [55_000, 90_000]
    with pytest.raises(AlreadyOnPlan):
        change(studio, held, twenty)
    with pytest.raises(NoBillingDate):
        change(studio, held, card(studio), later=True)
    with studio.act() as session:
        service.archive_plan(session, twenty)
        with pytest.raises(NotSold):
            service.archive_plan(session, twenty)
    check_history(studio)


def test_a_plan_for_the_next_billing_date_waits_until_then(studio: Studio) -> None:
    held = create(studio, studio.person(), monthly(studio))
    dearer = plan(studio, PlanKind.RECURRING, 50_000, period_unit=PeriodUnit.MONTH, credits=12)
    billed = view(studio, held).next_billing
    assert billed is not None
    assert change(studio, held, dearer, later=True).on == billed
    waiting = view(studio, held)
    assert (waiting.price_minor, waiting.next_plan) == (38_000, "Recurring")
    studio.wait(days=(billed - studio.day(0)).days - 1)
    assert roll_over(studio) == {}
    studio.wait(days=1)
    assert roll_over(studio) == {"renewed": 1}
    one = view(studio, held)
    assert (one.price_minor, one.next_plan, one.credits) == (50_000, None, 12)
    assert one.next_billing == date(2027, 1, 30)
    assert history(studio, held)[-1].on == billed
    check_history(studio)


def test_whoever_spends_a_credit_is_let_finish_before_the_plan_turns(studio: Studio) -> None:
    dana, eight = studio.person(), monthly(studio, credits=8)
    held = create(studio, dana, eight)
    turns = change(studio, held, monthly(studio, credits=12), later=True).on
    extra = service.Adjustment(1, "A present", turns + timedelta(days=9))
    with studio.act() as session:
        service.adjust(session, studio.admin, held, extra, today=studio.day(0))
    studio.wait(days=(turns - studio.day(0)).days)
    wod = studio.session("18:00", day=1)
    with studio.act() as session:
        wish = bookings.BookingRequest(wod, dana)
        bookings.book(session, studio.coach, wish, now=studio.now)
        assert roll_over(studio) == {}
    assert roll_over(studio) == {"renewed": 1}
    with studio.act() as session:
        assert {lot.left for lot in queries.lots_of(session, held, turns)} == {0, 12}


def test_a_change_that_can_not_be_is_refused_when_it_is_agreed(studio: Studio) -> None:
    dana, yoga = studio.person(), monthly_of(studio, studio.class_type_id)
    held = create(studio, dana, monthly(studio))
    beside = create(studio, dana, yoga)
    for later in (False, True):
        with pytest.raises(AlreadyRecurring):
            change(studio, held, monthly_of(studio, studio.class_type_id), later=later)
    wod = monthly_of(studio, class_type(studio))
    move = change(studio, held, wod, later=True)
    with pytest.raises(AlreadyRecurring):
        create(studio, dana, wod, start=40)
    with studio.act() as session:
        service.cancel(session, studio.admin, beside, move.on, today=studio.day(0))
    change(studio, held, yoga, later=True)


def monthly_of(studio: Studio, *only: UUID) -> UUID:
    return monthly(studio, class_type_ids=only, credits=8)


def test_what_a_rule_stands_against_does_not_stand_before_the_others(studio: Studio) -> None:
    held = [studio.sell(studio.person(), studio.plan(), until=1) for _ in range(5)]
    studio.wait(days=2)
    with studio.act() as session:

        @event.listens_for(session, "before_flush")
        def _(session: Session, *_: object) -> None:
            if any(one.id in held[:4] for one in session.dirty if isinstance(one, Membership)):
                raise NotPossibleNow(state="active")

        done = service.roll_over(session, studio.org_id, now=studio.now, at_once=2)
    assert done == {"expired": 1}
    assert view(studio, held[4]).status == "expired"


def test_who_holds_a_plan_keeps_what_was_agreed_until_they_change_it(studio: Studio) -> None:
    dana, noa, twice = studio.person(), studio.person("Noa C"), monthly(studio)
    held = create(studio, dana, twice)
    less = PlanChanges(
        credits=1,
        weekly_visit_limit=2,
        class_type_ids=(studio.class_type_id,),
        freeze_policy={"allowed": False},
    )
    with studio.act() as session:
        service.update_plan(session, twice, less)
        kept = queries.covers(session, dana, studio.day(0))[0]
    assert (kept.credits, kept.weekly_limit, kept.class_type_ids) == (None, None, ())
    assert view(studio, held).credits is None
    present = service.Adjustment(1, "A present")
    with studio.act() as session, pytest.raises(CreditsNotCounted):
        service.adjust(session, studio.admin, held, present, today=studio.day(0))
    freeze(studio, held, 1, 10)
    studio.wait(days=60)
    assert roll_over(studio)["renewed"]
    assert view(studio, held).credits is None
    bought = create(studio, noa, monthly(studio))
    change(studio, bought, twice)
    with studio.act() as session:
        new = queries.covers(session, noa, studio.day(0))[0]
    assert (new.credits, new.weekly_limit) == (1, 2)
    assert new.class_type_ids == (studio.class_type_id,)
    with pytest.raises(FreezeNotInPlan):
        freeze(studio, bought, 1, 10)


def test_what_is_owed_is_taken_off_the_next_period_once_unless_it_is_settled(
    studio: Studio,
) -> None:
    people = [studio.person(name) for name in ("Dana Levi", "Noa Katz", "Omer Bar")]
    two, wods = monthly(studio, credits=2), [studio.session(f"1{n}:00", day=9) for n in range(3)]
    held = [create(studio, one, two) for one in people]
    for one in people:
        for wod in wods:
            studio.booking(one, wod, override_reason="Pays next month")
    assert [view(studio, one).credits for one in held] == [-1, -1, -1]
    with studio.act() as session:
        paid = service.Adjustment(1, "Paid at the desk")
        service.adjust(session, studio.admin, held[1], paid, today=studio.day(0))
    studio.wait(days=29)
    change(studio, held[2], monthly(studio, credits=3))
    assert [view(studio, one).credits for one in held] == [-1, 0, 2]
    for days, credits_ in ((31, [1, 2, 3]), (20, [2, 2, 3])):
        studio.wait(days=days)
        assert roll_over(studio)["renewed"] == len(held)
        assert [view(studio, one).credits for one in held] == credits_


def test_a_plan_is_whole_and_changes_for_future_sales_only(studio: Studio) -> None:
    elsewhere = NewPlan("Trial", PlanKind.TRIAL, 1, class_type_ids=(UUID(int=1),))
    with studio.act() as session:
        with pytest.raises(PlanIncomplete):
            service.add_plan(session, studio.org_id, NewPlan("Ten", PlanKind.PUNCH_CARD, 1))
        with pytest.raises(PlanIncomplete):
            service.add_plan(session, studio.org_id, NewPlan("Month", PlanKind.RECURRING, 1))
        with pytest.raises(NotFound):
            service.add_plan(session, studio.org_id, elsewhere)
        made = service.add_plan(session, studio.org_id, NewPlan("Trial", PlanKind.TRIAL, 5_000))
        with pytest.raises(StaleVersion):
            service.update_plan(session, made, PlanChanges(name="New"), expected_version=7)
        service.update_plan(session, made, PlanChanges(name="New", class_type_ids=()))
        assert queries.plan(session, made).name == "New"
