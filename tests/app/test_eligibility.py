"""The rules of eligibility over any facts: their order, and who pays."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from app.bookings import errors
from app.bookings.eligibility import Case, OtherClass, Places, judge
from app.memberships.terms import MembershipStatus
from app.memberships.views import Cover
from app.people.terms import MemberStatus
from app.schedule.times import slot_lasting
from app.studio.policy import BookingPolicy
from tests.studio import ZONE

ORDER = (
    errors.MemberSuspended,
    errors.SessionOff,
    errors.SessionOver,
    errors.NoMembership,
    errors.MembershipFrozen,
    errors.ClassNotInPlan,
    errors.NoCredits,
    errors.WeeklyLimit,
    errors.Unpaid,
    errors.HealthFormMissing,
    errors.NotOpenYet,
    errors.NoShowBlock,
    errors.DailyLimit,
    errors.FutureLimit,
    errors.Clash,
    errors.Full,
)
WOD, OTHER = uuid4(), uuid4()
SLOT = slot_lasting(date(2026, 12, 1), time(18), 60, ZONE)


@st.composite
def covers(draw: st.DrawFn) -> Cover:
    left = draw(st.none() | st.integers(-2, 3))
    return Cover(
        membership_id=draw(st.uuids()),
        plan="Plan",
        status=MembershipStatus.ACTIVE,
        covers=draw(st.booleans()),
        frozen=draw(st.booleans()),
        class_type_ids=draw(st.sampled_from([(), (WOD,), (OTHER,), (WOD, OTHER)])),
        credits=left,
        largest_lot=max(left or 0, 0),
        expires_on=draw(st.none() | st.dates(date(2026, 12, 1), date(2027, 6, 1))),
        weekly_limit=draw(st.none() | st.integers(1, 3)),
        unpaid=draw(st.booleans()),
        until=None,
    )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    held = tuple(draw(st.lists(covers(), max_size=3)))
    clash = OtherClass("WOD", SLOT.date, SLOT)
    return Case(
        now=SLOT.starts_at + timedelta(hours=draw(st.integers(-72, 2))),
        slot=SLOT,
        cancelled=draw(st.booleans()),
        class_type_id=WOD,
        credit_cost=draw(st.integers(0, 2)),
        policy=BookingPolicy(
            opens_hours_before=draw(st.none() | st.just(48)),
            max_bookings_per_day=draw(st.none() | st.just(1)),
            max_future_bookings=draw(st.none() | st.just(2)),
            blocks_debtors=draw(st.booleans()),
            needs_health_form=draw(st.booleans()),
        ),
        places=Places(draw(st.integers(1, 3)), draw(st.integers(0, 3)), draw(st.integers(0, 1))),
        member="Dana",
        member_status=draw(st.sampled_from(MemberStatus)),
        health_form_until=draw(st.none() | st.just(date(2027, 1, 1))),
        covers=held,
        week_visits={one.membership_id: draw(st.integers(0, 3)) for one in held},
        same_day=draw(st.integers(0, 2)),
        ahead=draw(st.integers(0, 3)),
        clash=draw(st.none() | st.just(clash)),
        blocked_until=draw(st.none() | st.just(SLOT.ends_at)),
    )


@given(cases())
def test_failures_come_in_the_order_of_the_rules_each_once(case: Case) -> None:
    found = [ORDER.index(type(one)) for one in judge(case).failures]
    assert found == sorted(set(found))


@given(cases())
def test_who_may_book_pays_with_a_membership_that_fits(case: Case) -> None:
    verdict = judge(case)
    if verdict.failures:
        return
    paying = verdict.cover
    assert paying is not None
    assert paying.covers
    assert not paying.frozen
    assert not paying.class_type_ids or WOD in paying.class_type_ids
    if case.credit_cost and paying.credits is not None:
        assert paying.largest_lot >= case.credit_cost
    assert not (case.policy.blocks_debtors and paying.unpaid)
    assert case.places.free > 0


@given(cases(), st.uuids())
def test_one_more_good_membership_never_hurts(case: Case, membership_id: UUID) -> None:
    good = Cover(
        membership_id=membership_id,
        plan="Good",
        status=MembershipStatus.ACTIVE,
        covers=True,
        frozen=False,
        class_type_ids=(),
        credits=None,
        largest_lot=0,
        expires_on=None,
        weekly_limit=None,
        unpaid=False,
        until=None,
    )
    more = judge(replace(case, covers=(*case.covers, good)))
    without = {type(one) for one in judge(case).failures}
    assert {type(one) for one in more.failures} <= without
    assert more.cover is not None
    assert more.cover.credits is None


@given(cases())
def test_the_first_to_lapse_pays_of_two_cards(case: Case) -> None:
    base = Cover(
        membership_id=uuid4(),
        plan="Card",
        status=MembershipStatus.ACTIVE,
        covers=True,
        frozen=False,
        class_type_ids=(),
        credits=5,
        largest_lot=5,
        expires_on=date(2027, 1, 1),
        weekly_limit=None,
        unpaid=False,
        until=None,
    )
    sooner = replace(base, membership_id=uuid4(), expires_on=date(2026, 12, 20))
    for order in ((base, sooner), (sooner, base)):
        assert judge(replace(case, covers=order, week_visits={})).cover == sooner


def test_a_place_that_is_kept_for_the_queue_is_not_free() -> None:
    assert Places(capacity=5, booked=4, waiting=1, held=1).free == 0
    assert SLOT.starts_at == datetime(2026, 12, 1, 16, tzinfo=UTC)
