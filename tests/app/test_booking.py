"""Booking: capacity, the order of eligibility, credits, overruling."""

from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy import select

from app.bookings import service
from app.bookings.errors import (
    AlreadyBooked,
    Clash,
    DailyLimit,
    Full,
    FutureLimit,
    HealthFormMissing,
    MembershipFrozen,
    MemberSuspended,
    NoCredits,
    NoMembership,
    NotBookable,
    NotOpenYet,
    SessionOff,
    SessionOver,
    Unpaid,
    WeeklyLimit,
)
from app.bookings.models import Booking
from app.bookings.queries import booking_view
from app.bookings.terms import BookingStatus
from app.core.actor import Actor, Role
from app.core.errors import NotAllowed, NotFound
from app.core.ids import new_id
from app.core.outbox import Outbox
from app.memberships import service as memberships
from app.memberships.queries import balance
from app.memberships.terms import PaymentStatus
from app.people import service as people
from app.schedule.errors import CoachBusy
from tests.studio import Studio, open_studio


def reason(studio: Studio, member: UUID, session_id: UUID) -> type[NotBookable] | None:
    with studio.act() as session:
        found = service.check(session, session_id, member, now=studio.now).reason
    return type(found) if found else None


def credits_of(studio: Studio, member: UUID) -> int:
    with studio.act() as session:
        return balance(session, member, studio.day(0))


def test_a_booking_takes_a_place_and_one_credit(studio: Studio) -> None:
    dana, wod = studio.member(credits_=10), studio.session()
    booking = studio.booking(dana, wod)
    with studio.act() as session:
        view = booking_view(session, booking, "en")
    assert (view.status, view.credits, view.position) == (BookingStatus.BOOKED, 1, None)
    assert credits_of(studio, dana) == 9


def test_a_plan_without_credits_costs_none(studio: Studio) -> None:
    dana = studio.member()
    studio.booking(dana, studio.session())
    assert credits_of(studio, dana) == 0


def test_what_costs_nothing_is_used_before_a_punch_card(studio: Studio) -> None:
    dana = studio.member(credits_=10)
    studio.sell(dana, studio.plan())
    studio.booking(dana, studio.session())
    assert credits_of(studio, dana) == 10


def test_the_card_that_lapses_first_is_used_first(studio: Studio) -> None:
    dana = studio.member(credits_=10, until=60)
    sooner = studio.sell(dana, studio.plan(5), until=20)
    booking = studio.booking(dana, studio.session())
    with studio.act() as session:
        kept = session.execute(
            select(Booking.membership_id).where(Booking.id == booking)
        ).scalar_one()
    assert kept == sooner


def test_of_two_cards_alike_the_narrower_plan_pays(studio: Studio) -> None:
    dana = studio.member(credits_=10, until=30)
    narrow = studio.sell(dana, studio.plan(10, class_type_ids=(studio.class_type_id,)), until=30)
    with studio.act() as session:
        wish = service.BookingRequest(studio.session(), dana)
        service.book(session, studio.coach, wish, now=studio.now)
        found = session.scalars(select(Booking.membership_id)).one()
    assert found == narrow


def test_a_full_class_refuses_and_queues_only_when_asked(studio: Studio) -> None:
    wod = studio.session(capacity=1)
    studio.booking(studio.member("Noa Katz"), wod)
    dana = studio.member(credits_=3)
    with pytest.raises(Full) as refused:
        studio.booking(dana, wod)
    assert refused.value.values == {"booked": 1, "capacity": 1, "waiting": 0}
    queued = studio.booking(dana, wod, join_waitlist=True)
    with studio.act() as session:
        view = booking_view(session, queued, "en")
    assert (view.status, view.position, view.credits) == (BookingStatus.WAITLISTED, 1, 0)
    assert credits_of(studio, dana) == 3


def test_wanting_the_queue_of_a_class_with_room_gives_a_place(studio: Studio) -> None:
    booking = studio.booking(studio.member(), studio.session(), join_waitlist=True)
    with studio.act() as session:
        assert booking_view(session, booking, "en").status is BookingStatus.BOOKED


def test_staff_overrule_a_full_class_with_a_reason(studio: Studio) -> None:
    wod = studio.session(capacity=1)
    studio.booking(studio.member("Noa Katz"), wod)
    with studio.act() as session:
        wish = service.BookingRequest(wod, studio.member(), override_reason="A guest")
        made = service.book(session, studio.coach, wish, now=studio.now)
    assert [one.code for one in made.overruled] == ["full"]


def test_a_member_overrules_nothing(studio: Studio) -> None:
    wod = studio.session(capacity=1)
    studio.booking(studio.member("Noa Katz"), wod)
    member = Actor(studio.org_id, new_id(), Role.MEMBER)
    wish = service.BookingRequest(wod, studio.member(), override_reason="Please")
    with studio.act() as session, pytest.raises(NotAllowed):
        service.book(session, member, wish, now=studio.now)


def test_a_suspended_member_is_let_in_by_no_reason(studio: Studio) -> None:
    dana, wod = studio.member(), studio.session()
    with studio.act() as session:
        people.suspend(session, studio.owner, dana, now=studio.now)
    with pytest.raises(MemberSuspended):
        studio.booking(dana, wod, override_reason="A friend")


def test_overruling_lets_credits_go_below_zero(studio: Studio) -> None:
    dana = studio.member(credits_=1)
    studio.booking(dana, studio.session("17:00"))
    with pytest.raises(NoCredits):
        studio.booking(dana, studio.session("18:00"))
    studio.booking(dana, studio.session("19:00"), override_reason="Pays tomorrow")
    assert credits_of(studio, dana) == -1


def test_nobody_is_booked_twice_into_a_class(studio: Studio) -> None:
    dana, wod = studio.member(), studio.session()
    studio.booking(dana, wod)
    with pytest.raises(AlreadyBooked):
        studio.booking(dana, wod)
    with pytest.raises(AlreadyBooked):
        studio.booking(dana, wod, override_reason="Twice")


def test_classes_may_touch_but_not_overlap(studio: Studio) -> None:
    dana = studio.member()
    studio.booking(dana, studio.session("18:00"))
    studio.booking(dana, studio.session("19:00"))
    with pytest.raises(Clash):
        studio.booking(dana, studio.session("18:59", minutes=30))


def test_the_first_failing_rule_is_the_reason_in_the_order_of_the_rules(studio: Studio) -> None:
    """Each step removes the obstacle that was named, and the next one in the order shows."""
    types = studio.policy(
        opens_hours_before=24, max_bookings_per_day=1, needs_health_form=True, blocks_debtors=True
    )
    dana, wod = studio.person(), studio.session("18:00", day=2, capacity=1)
    other = studio.session("17:30", day=2)
    studio.booking(studio.member("Noa Katz"), wod, override_reason="First")
    with studio.act() as session:
        people.suspend(session, studio.owner, dana, now=studio.now)
    assert reason(studio, dana, wod) is MemberSuspended
    with studio.act() as session:
        people.unsuspend(session, dana)
    assert reason(studio, dana, wod) is NoMembership
    plan = studio.plan(1, class_type_ids=(types,), weekly_visit_limit=1)
    with studio.act() as session:
        held = memberships.sell(
            session, studio.owner, dana, plan, start=studio.day(0), payment=PaymentStatus.FAILED
        )
    assert reason(studio, dana, wod) is Unpaid
    studio.booking(dana, other, override_reason="Early")
    assert reason(studio, dana, wod) is NoCredits
    with studio.act() as session:
        memberships.grant(session, studio.owner, held, 5, expires_on=None)
    assert reason(studio, dana, wod) is WeeklyLimit
    studio.sell(dana, studio.plan(9))
    assert reason(studio, dana, wod) is HealthFormMissing
    with studio.act() as session:
        facts = service.facts.member_of(session, dana)
        facts.health_form_until = studio.day(60)
    assert reason(studio, dana, wod) is NotOpenYet
    studio.wait(hours=33)
    assert reason(studio, dana, wod) is DailyLimit


def test_the_last_rules_are_clash_and_full(studio: Studio) -> None:
    dana, wod = studio.member(), studio.session("18:00", capacity=1)
    studio.booking(studio.member("Noa Katz"), wod)
    aside = studio.booking(dana, studio.session("17:30"))
    assert reason(studio, dana, wod) is Clash
    with studio.act() as session:
        service.cancel(session, studio.coach, aside, now=studio.now)
    assert reason(studio, dana, wod) is Full


def test_a_freeze_on_the_day_of_the_class_counts_not_one_on_the_day_of_booking(
    studio: Studio,
) -> None:
    dana = studio.person()
    held = studio.sell(dana, studio.plan())
    with studio.act() as session:
        days = (studio.day(1), studio.day(3))
        memberships.bring_in_freeze(session, studio.owner, held, *days, today=studio.day(0))
    assert reason(studio, dana, studio.session(day=3)) is MembershipFrozen
    assert reason(studio, dana, studio.session(day=4)) is None


def test_a_class_of_another_type_needs_a_plan_that_has_it(studio: Studio) -> None:
    dana, wod_type = studio.person(), studio.class_type_id
    studio.sell(dana, studio.plan(class_type_ids=(wod_type,)))
    studio.policy()
    verdict = reason(studio, dana, studio.session())
    assert verdict is not None
    assert verdict.code == "class_not_in_plan"


def test_a_membership_must_cover_the_day_of_the_class(studio: Studio) -> None:
    dana = studio.member(until=2)
    assert reason(studio, dana, studio.session(day=2)) is None
    assert reason(studio, dana, studio.session(day=3)) is NoMembership


def test_bookings_ahead_may_be_limited(studio: Studio) -> None:
    studio.policy(max_future_bookings=1)
    dana = studio.member()
    studio.booking(dana, studio.session(day=1))
    assert reason(studio, dana, studio.session(day=2)) is FutureLimit


def test_what_has_begun_or_was_cancelled_is_not_bookable(studio: Studio) -> None:
    dana, wod, off = studio.member(), studio.session("18:00"), studio.session("20:00")
    with studio.act() as session:
        service.cancel_session(session, studio.coach, off, now=studio.now)
    assert reason(studio, dana, off) is SessionOff
    studio.wait(days=1, hours=8)
    assert reason(studio, dana, wod) is SessionOver
    with pytest.raises(SessionOver):
        studio.booking(dana, wod, override_reason="Late")


def test_ids_of_another_gym_are_not_found(studio: Studio, database_url: str) -> None:
    elsewhere = open_studio(database_url)
    dana, wod = studio.member(), studio.session()
    with pytest.raises(NotFound):
        elsewhere.booking(dana, elsewhere.session())
    with pytest.raises(NotFound):
        elsewhere.booking(elsewhere.member(), wod)
    elsewhere.db.close()


def test_a_booked_member_is_told_once_after_the_undo_window(studio: Studio) -> None:
    studio.booking(studio.member(), studio.session())
    with studio.act() as session:
        rows = session.scalars(select(Outbox)).all()
    assert [row.body["notice"] for row in rows] == ["booked"]
    assert rows[0].due_at == studio.now + timedelta(seconds=15)


def test_a_named_membership_pays_or_nothing_does(studio: Studio) -> None:
    dana, wod = studio.member(credits_=2), studio.session()
    with pytest.raises(NotFound):
        studio.booking(dana, wod, membership_id=new_id())
    card = studio.sell(dana, studio.plan(7))
    booking = studio.booking(dana, wod, membership_id=card)
    with studio.act() as session:
        paid = session.get_one(Booking, booking)
    assert paid.membership_id == card


def test_a_coach_can_teach_one_class_at_a_time(studio: Studio) -> None:
    coach = studio.staff[Role.COACH]
    studio.session("18:00", coach=coach)
    studio.session("19:00", coach=coach)
    with pytest.raises(CoachBusy):
        studio.session("18:30", coach=coach)
