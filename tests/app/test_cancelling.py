"""Cancelling: the two kinds of cutoff, grace, and what becomes of the credit."""

from dataclasses import replace
from datetime import datetime, time
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from app.bookings import service
from app.bookings.errors import BookingClosed, NoMembership, PlaceGone
from app.bookings.models import Booking
from app.bookings.terms import BookingStatus
from app.core.actor import Actor
from app.core.errors import NotAllowed
from app.memberships.queries import balance, ledger
from app.studio.paging import Cut
from app.studio.policy import BookingPolicy, HoursBefore, PreviousDayAt, free_until
from tests.app.bought import roll_over
from tests.studio import ZONE, Studio


def cancel(
    studio: Studio, booking: UUID, actor: Actor | None = None, *, waive: bool = False
) -> service.Cancelled:
    with studio.act() as session:
        who = actor or studio.coach
        return service.cancel(session, who, booking, now=studio.now, waive=waive)


def credits_of(studio: Studio, member: UUID) -> int:
    with studio.act() as session:
        return balance(session, member, studio.day(0))


def test_in_time_the_credit_comes_back(studio: Studio) -> None:
    dana = studio.member(credits_=10)
    booking = studio.booking(dana, studio.session("18:00"))
    done = cancel(studio, booking)
    assert (done.late, done.credits, done.booking.status) == (False, 1, BookingStatus.CANCELLED)
    assert credits_of(studio, dana) == 10


def test_late_the_credit_stays_used(studio: Studio) -> None:
    dana = studio.member(credits_=10)
    booking = studio.booking(dana, studio.session("18:00", day=0))
    studio.wait(hours=5, minutes=1)
    done = cancel(studio, booking)
    assert (done.late, done.credits) == (True, 0)
    assert done.booking.status is BookingStatus.LATE_CANCELLED
    assert credits_of(studio, dana) == 9


def test_the_cutoff_itself_is_in_time(studio: Studio) -> None:
    booking = studio.booking(studio.member(), studio.session("18:00", day=0))
    studio.wait(hours=5)
    assert not cancel(studio, booking).late


def test_a_booking_made_after_the_cutoff_has_ten_minutes_of_grace(studio: Studio) -> None:
    dana, wod = studio.member(credits_=9), studio.session("12:00", day=0)
    booking = studio.booking(dana, wod)
    studio.wait(minutes=10)
    assert not cancel(studio, booking).late
    again = studio.booking(dana, wod)
    studio.wait(minutes=11)
    assert cancel(studio, again).late


def test_only_an_admin_waives_the_late_rule(studio: Studio) -> None:
    dana = studio.member(credits_=10)
    booking = studio.booking(dana, studio.session("18:00", day=0))
    studio.wait(hours=6)
    with pytest.raises(NotAllowed):
        cancel(studio, booking, waive=True)
    done = cancel(studio, booking, studio.admin, waive=True)
    assert (done.late, done.credits) == (False, 1)


def test_taking_back_has_no_penalty(studio: Studio) -> None:
    dana = studio.member(credits_=10)
    booking = studio.booking(dana, studio.session("18:00", day=0))
    studio.wait(hours=6)
    done = cancel(studio, booking, replace(studio.coach, undoing=True))
    assert (done.late, done.credits) == (False, 1)
    with studio.act() as session:
        rows = ledger(session, dana, cut=Cut()).rows
    assert [row.reason.value for row in rows] == ["reverse", "consume", "grant"]


def test_the_preview_says_what_then_happens(studio: Studio) -> None:
    booking = studio.booking(studio.member(credits_=3), studio.session("18:00", day=0))
    studio.wait(hours=6)
    with studio.act() as session:
        seen = service.preview_cancel(session, studio.coach, booking, now=studio.now)
    done = cancel(studio, booking)
    assert (seen.late, seen.credits) == (done.late, done.credits) == (True, 0)


def test_a_booking_is_cancelled_once(studio: Studio) -> None:
    dana = studio.member(credits_=10)
    booking = studio.booking(dana, studio.session())
    cancel(studio, booking)
    with pytest.raises(BookingClosed):
        cancel(studio, booking)
    assert credits_of(studio, dana) == 10


def test_after_a_move_of_the_class_leaving_is_free_until_the_start(studio: Studio) -> None:
    wod = studio.session("18:00", day=0)
    early = studio.booking(studio.member(credits_=5), wod)
    studio.wait(hours=6)
    with studio.act() as session:
        to = service.NewTime(studio.day(0), datetime(2026, 1, 1, 17).time())  # noqa: DTZ001 - a clock time
        service.reschedule_session(session, studio.coach, wod, to, now=studio.now)
    studio.wait(minutes=1)
    late = studio.booking(studio.member("Noa Katz", credits_=5), wod)
    studio.wait(minutes=30)
    assert not cancel(studio, early).late
    assert cancel(studio, late).late


def test_a_credit_refunded_after_its_expiry_is_good_for_a_week_more(studio: Studio) -> None:
    dana = studio.member(credits_=10, until=1)
    wod = studio.session("18:00", day=1)
    studio.booking(dana, wod)
    noa = studio.member("Noa Katz", credits_=1, until=1)
    studio.booking(noa, studio.session("09:00", day=1))
    studio.booking(noa, wod, override_reason="Owes one")
    with studio.act() as session:
        to = service.NewTime(studio.day(9), datetime(2026, 1, 1, 18).time())  # noqa: DTZ001 - a clock time
        service.reschedule_session(session, studio.coach, wod, to, now=studio.now)
    studio.wait(days=5)
    with studio.act() as session:
        service.cancel_session(session, studio.coach, wod, now=studio.now)
        assert balance(session, dana, studio.day(7)) == 1
        assert balance(session, dana, studio.day(8)) == 0
        assert balance(session, noa, studio.day(0)) == 0
    assert roll_over(studio) == {"expired": 2}
    late, soon = studio.session(day=8), studio.session(day=7)
    for member_id, wod in ((dana, late), (noa, soon)):
        with pytest.raises(NoMembership):
            studio.booking(member_id, wod)
    studio.booking(dana, soon)
    with pytest.raises(NoMembership):
        studio.booking(dana, studio.session("12:00", day=3))


def test_a_place_that_was_given_away_is_not_restored(studio: Studio) -> None:
    wod = studio.session(capacity=1)
    booking = studio.booking(studio.member(), wod)
    cancel(studio, booking)
    studio.booking(studio.member("Noa Katz"), wod)
    with studio.act() as session:
        row = session.get_one(Booking, booking)
        row.status = BookingStatus.BOOKED
        session.flush()
        with pytest.raises(PlaceGone):
            Booking.check_restored(session, [row])
        session.rollback()


def cutoff(policy: BookingPolicy, local: str) -> str:
    starts = datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(ZONE))
    return free_until(policy, starts, ZONE).astimezone(ZoneInfo(ZONE)).strftime("%a %H:%M")


def test_mornings_close_the_evening_before_and_evenings_by_hours() -> None:
    eight = time(20)
    four = time(16)
    rules = (PreviousDayAt(at=eight, starts_before=four), HoursBefore(hours=3))
    policy = BookingPolicy(cancel_cutoffs=rules)
    assert cutoff(policy, "2026-12-01T15:59") == "Mon 20:00"
    assert cutoff(policy, "2026-12-01T16:00") == "Tue 13:00"


def test_hours_before_are_elapsed_time_over_the_night_of_the_clocks() -> None:
    policy = BookingPolicy(cancel_cutoffs=(HoursBefore(hours=12),))
    assert cutoff(policy, "2026-10-25T08:00") == "Sat 21:00"
    assert cutoff(policy, "2026-03-27T08:00") == "Thu 19:00"
