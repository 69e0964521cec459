"""What sets an automation off: for whom, on what occasion, and each occasion once."""

from datetime import date, datetime
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from app.automations.queries.matching import matches
from app.automations.service.told import told
from app.automations.shapes import Shape
from app.automations.views import Match
from app.bookings import service as bookings
from app.bookings.models import Booking
from app.bookings.terms import BookingStatus
from app.core.ids import new_id
from app.desk.queries import RosterFilter, roster
from app.leads.models import Lead
from app.leads.terms import LeadSource, LeadStage
from app.memberships import queries as bought
from app.memberships import service as memberships
from app.memberships.terms import PlanKind
from app.messages import queries as messages
from app.messages.filters import AudienceFilter
from app.messages.queries.audience import birthdays
from app.messages.views import Audience
from app.people.models import Member
from app.studio.paging import Cut
from tests.reachable import reachable, told_alone
from tests.studio import Studio


def found(studio: Studio, kind: str, **more: Any) -> list[Match]:  # noqa: ANN401 - as the trigger's
    one = {"trigger": {"kind": kind, **more}, "actions": [{"kind": "create_task", "title": "Call"}]}
    with studio.act() as session:
        return matches(session, studio.org_id, Shape.model_validate(one), studio.now)


def people(studio: Studio, kind: str, **more: Any) -> set[UUID]:  # noqa: ANN401 - as above
    return {one.person_id for one in found(studio, kind, **more)}


def became(studio: Studio, booking_id: UUID, status: BookingStatus) -> None:
    with studio.act() as session:
        session.get_one(Booking, booking_id).status = status


def test_a_new_lead_is_one_for_some_days_while_it_is_open(studio: Studio) -> None:
    with studio.act() as session:
        lead = Lead(
            org_id=studio.org_id,
            first_name="Gal",
            phone="+972541110000",
            source=LeadSource.GOOGLE,
            stage_since=studio.now,
        )
        session.add(lead)
    (match,) = found(studio, "lead_created")
    assert (match.person_id, match.is_lead) == (lead.id, True)
    studio.wait(days=4)
    assert found(studio, "lead_created") == []
    with studio.act() as session:
        session.get_one(Lead, lead.id).stage = LeadStage.WON
    assert found(studio, "lead_created") == []


def test_who_joined_lately_is_new_and_who_was_brought_in_is_not(studio: Studio) -> None:
    dana = told_alone(studio)
    told_alone(studio, "Old Timer", joined_on=studio.day(-100))
    assert people(studio, "member_joined") == {dana}
    studio.wait(days=4)
    assert people(studio, "member_joined") == set()


def test_a_birthday_is_of_one_day_and_a_leap_child_has_one_every_year(studio: Studio) -> None:
    dana = told_alone(studio, birth_date=date(1990, 11, 30))
    told_alone(studio, "Noa Bar", birth_date=date(1990, 12, 1))
    (match,) = found(studio, "birthday")
    assert (match.person_id, match.ref) == (dana, "2026")
    assert birthdays(date(2027, 2, 28)) == ((2, 28), (2, 29))
    assert birthdays(date(2028, 2, 28)) == ((2, 28),)
    assert birthdays(date(2028, 2, 29)) == ((2, 29),)


def test_an_absence_is_one_occasion_however_long_it_lasts(studio: Studio) -> None:
    dana = studio.member()
    with studio.act() as session:
        session.get_one(Member, dana).joined_on = studio.day(-60)
    booking_id = studio.booking(dana, studio.session(day=1))
    studio.wait(days=2)
    became(studio, booking_id, BookingStatus.ATTENDED)
    assert found(studio, "absent_n_days", count=10) == []
    studio.wait(days=10)
    (first,) = found(studio, "absent_n_days", count=10)
    studio.wait(days=5)
    (second,) = found(studio, "absent_n_days", count=10)
    assert (first.person_id, first.ref, first.facts) == (dana, second.ref, {"days": 10})


def test_a_membership_that_ends_is_told_with_its_plan_unless_another_goes_on(
    studio: Studio,
) -> None:
    dana, noa = told_alone(studio), told_alone(studio, "Noa Bar")
    plan, other = studio.plan(), studio.plan(5)
    studio.sell(dana, plan, until=5)
    studio.sell(noa, plan, until=5)
    studio.sell(noa, other, until=50)
    (match,) = found(studio, "membership_expiring", count=7)
    assert match.person_id == dana
    assert match.facts == {"plan": "Plan None", "until": studio.day(5).isoformat()}
    assert found(studio, "membership_expiring", count=4) == []


def test_credits_run_low_once_a_card(studio: Studio) -> None:
    dana = studio.member(credits_=2)
    studio.member("Noa Bar", credits_=5)
    assert found(studio, "credits_low", count=1) == []
    studio.booking(dana, studio.session())
    (match,) = found(studio, "credits_low", count=1)
    assert (match.person_id, match.facts["credits"]) == (dana, 1)
    studio.booking(dana, studio.session(day=2))
    (again,) = found(studio, "credits_low", count=1)
    assert again.ref == match.ref


def test_what_is_cancelled_from_a_day_on_covers_it_nowhere(studio: Studio) -> None:
    """Also where nobody has closed it yet: for the list, the groups and the triggers alike."""
    dana, card = reachable(studio), studio.plan(2)
    held = studio.sell(dana, card)
    with studio.act() as session:
        memberships.cancel(session, studio.admin, held, studio.day(1), today=studio.day(0))
    plan = AudienceFilter(plan_ids=(card,))
    for there in (True, False):
        with studio.act() as session:
            today = studio.day(0)
            wanted = RosterFilter(plan_id=card)
            listed = roster(session, studio.org_id, wanted, now=studio.now, cut=Cut())
            meant = messages.members(session, studio.owner, Audience(plan), studio.now)
            assert listed.total == len(meant) == int(there)
            assert bool(bought.plans_of(session, [dana], today)) == there
            assert any(one.covers for one in bought.covers(session, dana, today)) == there
        assert bool(people(studio, "credits_low", count=2)) == there
        studio.wait(days=1)


CHARGE = """
INSERT INTO payment_ledger (id, created_at, updated_at, org_id, version, member_id, kind, status,
                            amount_minor, currency, due_date, invoice_no, paid_at)
VALUES (:id, now(), now(), :org, 1, :member, 'charge', :status, 38000, 'ILS', :due, '77', :paid)
"""


def test_a_failed_charge_is_one_occasion_until_it_is_paid(studio: Studio) -> None:
    dana, noa = told_alone(studio), told_alone(studio, "Noa Bar")

    def charge(member_id: UUID, status: str, paid: datetime | None = None) -> None:
        who = {"id": new_id(), "org": studio.org_id, "member": member_id}
        values = {**who, "status": status, "due": studio.day(-1), "paid": paid}
        with studio.db.engine.begin() as connection:  # as the provider's import, which alone may
            connection.execute(text("SET LOCAL row_security = off"))
            connection.execute(text(CHARGE), values)

    charge(dana, "failed")
    charge(noa, "failed")
    assert people(studio, "payment_failed") == {dana, noa}
    charge(noa, "succeeded", studio.now)
    assert people(studio, "payment_failed") == {dana}
    studio.wait(days=4)
    assert people(studio, "payment_failed") == set()


def test_what_became_of_a_booking_is_told_with_its_class(studio: Studio) -> None:
    with studio.act() as session:
        new = memberships.NewPlan("Trial", PlanKind.TRIAL, 0, 1)
        trial = memberships.create_plan(session, studio.org_id, new)
    dana, noa = told_alone(studio), studio.member("Noa Bar")
    studio.sell(dana, trial)
    session_id = studio.session()
    first, second = studio.booking(dana, session_id), studio.booking(noa, session_id)
    studio.wait(days=2)
    became(studio, first, BookingStatus.ATTENDED)
    became(studio, second, BookingStatus.NO_SHOW)
    assert people(studio, "trial_attended") == {dana}
    (match,) = found(studio, "no_show")
    assert (match.person_id, match.ref) == (noa, str(second))
    assert match.facts["when"] == "2026-12-01T18:00"
    said = told(match.facts, "he", studio.day(0))
    assert said["class"] == "WOD"
    assert "יום ג׳ 1.12" in said["when"]


def test_a_cancelled_class_reaches_who_had_a_place_or_waited(studio: Studio) -> None:
    session_id = studio.session(capacity=1)
    dana, noa = studio.member(), studio.member("Noa Bar")
    studio.booking(dana, session_id)
    studio.booking(noa, session_id, join_waitlist=True)
    with studio.act() as session:
        bookings.cancel_session(session, studio.owner, session_id, now=studio.now)
    assert people(studio, "class_cancelled") == {dana, noa}
    studio.wait(days=4)
    assert people(studio, "class_cancelled") == set()


def test_a_missing_form_is_one_occasion_for_each_that_ran_out(studio: Studio) -> None:
    dana = told_alone(studio)
    told_alone(studio, "Noa Bar", health_form_until=studio.day(30))
    (match,) = found(studio, "form_missing")
    assert (match.person_id, match.ref) == (dana, "until:None")
    studio.wait(days=31)
    assert len(found(studio, "form_missing")) == 2


@pytest.mark.parametrize(
    ("weekdays", "at", "count"),
    [([1], "09:59", 1), ([1], "10:01", 0), ([0, 2, 3, 4, 5, 6], "09:00", 0)],
)
def test_a_schedule_waits_for_its_day_and_hour(
    studio: Studio, weekdays: list[int], at: str, count: int
) -> None:
    told_alone(studio)
    assert len(found(studio, "schedule", weekdays=weekdays, at=at)) == count
