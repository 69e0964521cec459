"""A lead's trial class: booked without a membership, as one person with whoever has that phone."""

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from app.bookings.errors import AlreadyBooked, Full, NoMembership
from app.bookings.notices import PROMOTE
from app.bookings.service import Booked, cancel
from app.bookings.terms import BookingStatus
from app.core.errors import NotFound
from app.core.outbox import Outbox
from app.inbox.models import InboxThread
from app.inbox.service import receive
from app.inbox.terms import ThreadChannel
from app.leads import queries
from app.leads.errors import LeadClosed
from app.leads.models import LeadActivity
from app.leads.service import Trial, book_trial, convert, mark_lost
from app.leads.terms import LeadStage, LostReason
from app.people import queries as people
from app.people.errors import ContactShared
from app.people.terms import MemberStatus
from bot.conversation.notices import Notices
from tests.requests.leads import lead
from tests.studio import Studio
from tests.tools.catalog.asking import Asking
from tools.kit.cards import Pick, for_model


def book(studio: Studio, who: UUID, wod: UUID, **more: Any) -> Booked:  # noqa: ANN401 - as Trial
    with studio.act() as session:
        return book_trial(session, studio.coach, Trial(who, wod, **more), now=studio.now)


def full(studio: Studio) -> tuple[UUID, UUID]:
    """A class, and the booking that fills it."""
    wod = studio.session("18:00", capacity=1)
    return wod, studio.booking(studio.member("Has Place"), wod)


def step(studio: Studio, who: UUID) -> tuple[LeadStage, UUID | None]:
    with studio.act() as session:
        view = queries.lead(session, who)
        return view.stage, view.trial_booking_id


def stage(studio: Studio, who: UUID) -> LeadStage:
    with studio.act() as session:
        return queries.lead(session, who).stage


def test_a_lead_becomes_a_prospect_with_a_place_that_costs_nothing(studio: Studio) -> None:
    tom = lead(studio, "Tom Ziv")
    made = book(studio, tom, studio.session())
    assert (made.booking.status, made.booking.credits) == (BookingStatus.BOOKED, 0)
    with studio.act() as session:
        view = queries.lead(session, tom)
        member = people.member(session, made.booking.member_id)
    assert (view.stage, view.trial_booking_id) == (LeadStage.TRIAL_BOOKED, made.booking.id)
    assert (member.name, member.status, member.phone) == (
        "Tom Ziv",
        MemberStatus.PROSPECT,
        view.phone,
    )


def test_a_second_class_is_the_same_persons(studio: Studio) -> None:
    tom, wod = lead(studio, "Tom Ziv"), studio.session()
    first = book(studio, tom, wod)
    with pytest.raises(AlreadyBooked):
        book(studio, tom, wod)
    again = book(studio, tom, studio.session("20:00"))
    assert again.booking.member_id == first.booking.member_id


def test_a_member_of_the_same_phone_is_who_comes(studio: Studio) -> None:
    tom = lead(studio, "Tom Ziv")
    with studio.act() as session:
        phone = queries.lead(session, tom).phone
    known = studio.person("Thomas Ziv", phone=phone)
    assert book(studio, tom, studio.session()).booking.member_id == known


def test_of_several_who_share_a_phone_it_is_said_who_comes(studio: Studio) -> None:
    tom, eva = lead(studio, "Tom Ziv"), lead(studio, "Eva Ziv")
    with studio.act() as session:
        phones = [queries.lead(session, who).phone for who in (tom, eva)]
    known = [(name, phone) for phone in phones for name in ("Ann Ziv", "Ben Ziv")]
    *_, ben = (studio.person(name, phone=phone) for name, phone in known)
    with studio.act() as session:
        sms = ThreadChannel.SMS
        thread_id = receive(session, studio.org_id, sms, phones[0], "Hi", at=studio.now)
        assert session.get_one(InboxThread, thread_id).member_id is None
    with pytest.raises(ContactShared) as failed:
        book(studio, tom, studio.session())
    assert failed.value.values == {"members": ("Ann Ziv", "Ben Ziv")}
    assert book(studio, tom, studio.session(), member_id=ben).booking.member_id == ben
    with pytest.raises(ContactShared), studio.act() as session:
        convert(session, studio.admin, eva, now=studio.now)
    with pytest.raises(ContactShared):
        lead(studio, "Eva Ziv", phone=phones[1])
    given = {"lead_id": eva, "member_id": ben}
    assert Asking(studio, studio.admin).outcome("leads.convert", **given).ok
    with studio.act() as session:
        assert queries.lead(session, eva).converted_member_id == ben


def test_all_other_rules_hold_for_a_trial(studio: Studio) -> None:
    wod = studio.session(capacity=1)
    studio.booking(studio.member(), wod)
    tom = lead(studio, "Tom Ziv")
    with pytest.raises(Full):
        book(studio, tom, wod)
    assert stage(studio, tom) is LeadStage.NEW
    waits = book(studio, tom, wod, join_waitlist=True)
    assert (waits.booking.status, stage(studio, tom)) == (BookingStatus.WAITLISTED, LeadStage.NEW)
    with pytest.raises(NoMembership):
        studio.booking(waits.booking.member_id, studio.session("20:00"))
    with studio.act() as session:
        mark_lost(session, studio.coach, tom, LostReason.PRICE, now=studio.now)
    with pytest.raises(LeadClosed):
        book(studio, tom, studio.session("07:00"))
    with pytest.raises(NotFound):
        book(studio, wod, studio.session("07:00"))


def test_a_lead_who_waits_gets_in_and_is_on_trial_then(studio: Studio) -> None:
    wod, last = full(studio)
    tom = lead(studio, "Tom Ziv")
    waits = book(studio, tom, wod, join_waitlist=True).booking.id
    with studio.act() as session:
        cancel(session, studio.coach, last, now=studio.now)
    studio.wait(seconds=15)
    with studio.act() as session:
        due = session.scalars(select(Outbox).where(Outbox.topic == PROMOTE)).one()
        Notices(lambda *_: None, "").acts()[PROMOTE](session, due)
    assert step(studio, tom) == (LeadStage.TRIAL_BOOKED, waits)


def test_staff_let_a_lead_in_move_the_trial_and_take_it_back(studio: Studio) -> None:
    ask, (wod, _), tom = Asking(studio, studio.coach), full(studio), lead(studio, "Tom Ziv")
    waits = book(studio, tom, wod, join_waitlist=True).booking.id
    place = {"class_session_id": wod, "booking_id": waits, "over_capacity": True}
    made = ask.outcome("bookings.promote_from_waitlist", **place)
    assert (made.ok, step(studio, tom)) == (True, (LeadStage.TRIAL_BOOKED, waits))
    assert ask.undo(made).ok
    assert step(studio, tom) == (LeadStage.NEW, None)
    later = {"booking_id": waits, "to_class_session_id": studio.session("20:00")}
    moved = ask.outcome("bookings.move", **later)
    assert (moved.ok, step(studio, tom)) == (True, (LeadStage.TRIAL_BOOKED, waits))


def test_a_lead_who_waits_and_comes_to_the_door_is_on_trial(studio: Studio) -> None:
    ask, tom = Asking(studio, studio.coach), lead(studio, "Tom Ziv")
    wod = studio.session("10:10", day=0, capacity=1)
    place = studio.booking(studio.member("Has Place"), wod)
    waits = book(studio, tom, wod, join_waitlist=True).booking
    with studio.act() as session:
        cancel(session, studio.coach, place, now=studio.now)
    at_door = {"class_session_id": wod, "member_id": waits.member_id, "walk_in": True}
    came = ask.outcome("class_sessions.check_in", **at_door)
    assert (came.ok, step(studio, tom)) == (True, (LeadStage.TRIAL_BOOKED, waits.id))
    assert ask.undo(came).ok
    assert step(studio, tom) == (LeadStage.NEW, None)
    assert ask.outcome("class_sessions.check_in", **at_door).ok
    assert step(studio, tom) == (LeadStage.TRIAL_BOOKED, waits.id)


def test_taking_it_back_leaves_the_lead_where_it_was(studio: Studio) -> None:
    ask, tom = Asking(studio, studio.coach), lead(studio, "Tom Ziv")
    given = {"class_session_id": studio.session(), "lead_id": tom}
    made = ask.outcome("bookings.book_member", **given)
    assert for_model(made.card)["member"] == "Tom Ziv"
    assert ask.undo(made).ok
    assert stage(studio, tom) is LeadStage.NEW
    with studio.act() as session:
        steps = session.scalars(select(LeadActivity.stage).where(LeadActivity.lead_id == tom))
        assert LeadStage.TRIAL_BOOKED not in steps.all()
    assert ask.outcome("bookings.book_member", **given).ok


def test_a_full_class_asks_about_a_lead_as_about_a_member(studio: Studio) -> None:
    ask, wod = Asking(studio, studio.coach), studio.session(capacity=1)
    studio.booking(studio.member(), wod)
    given = {"class_session_id": wod, "lead_id": lead(studio, "Tom Ziv")}
    asked = ask.question("bookings.book_member", **given)
    assert asked is not None
    assert isinstance(asked.card, Pick)
    over = for_model(ask.choose(2, "bookings.book_member", **given).card)
    assert (over["status"], over["notes"]) == ("booked", [{"overruled": {"rule": "full"}}])
    assert ask.told("bookings.book_member", class_session_id=wod)["error"] == "bad_input"
