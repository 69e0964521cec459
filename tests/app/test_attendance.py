"""Who came: when it may be noted, walk-ins, and that taking it back restores what was."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from app.bookings import service
from app.bookings.errors import (
    BookingClosed,
    CheckedInAlready,
    CheckInClosed,
    Full,
    NobodyToCheckIn,
    NoCredits,
    NotBooked,
    NotCheckedIn,
    NotStarted,
    SessionOff,
)
from app.bookings.queries import booking_view, roster, session_view
from app.bookings.service import Arrival
from app.bookings.terms import BookingStatus
from app.bookings.views import BookingView
from app.core.errors import NotFound
from app.memberships.queries import balance, ledger
from app.studio.paging import Cut
from tests.studio import Studio


def check_in(studio: Studio, wod: UUID, member: UUID, **more: Any) -> service.Booked:  # noqa: ANN401 - as Arrival
    with studio.act() as session:
        return service.check_in(session, studio.coach, Arrival(wod, member, **more), now=studio.now)


def undo(studio: Studio, wod: UUID, member: UUID) -> BookingView:
    with studio.act() as session:
        return service.undo_check_in(session, studio.coach, wod, member, now=studio.now)


def no_show(studio: Studio, wod: UUID, member: UUID) -> service.Marked:
    with studio.act() as session:
        return service.mark_no_show(session, studio.coach, wod, member, now=studio.now)


def span(studio: Studio, wod: UUID) -> tuple[datetime, datetime]:
    with studio.act() as session:
        slot = session_view(session, wod, "en").slot
    return slot.starts_at, slot.ends_at


def go(studio: Studio, at: datetime) -> None:
    studio.clock.hands[0] = at


def seen(studio: Studio, wod: UUID) -> dict[str, BookingStatus]:
    with studio.act() as session:
        rows = roster(session, wod, "en", waiting=True, cut=Cut()).rows
    return {row.member: row.status for row in rows}


def left(studio: Studio, member: UUID) -> int:
    with studio.act() as session:
        return balance(session, member, studio.day(0))


def test_attendance_is_noted_from_half_an_hour_before_to_a_day_after(studio: Studio) -> None:
    dana, wod = studio.member(), studio.session("18:00")
    studio.booking(dana, wod)
    start, end = span(studio, wod)
    for at in (start - timedelta(minutes=30, seconds=1), end + timedelta(hours=24, seconds=1)):
        go(studio, at)
        with pytest.raises(CheckInClosed) as refused:
            check_in(studio, wod, dana)
        assert refused.value.values["opens_at"] == start - timedelta(minutes=30)
    for at in (start - timedelta(minutes=30), end + timedelta(hours=24)):
        go(studio, at)
        assert check_in(studio, wod, dana).booking.checked_in_at == at
        undo(studio, wod, dana)
    with studio.act() as session:
        go(studio, start - timedelta(minutes=20))
        service.cancel_session(session, studio.coach, wod, now=studio.now)
    with pytest.raises(SessionOff):
        check_in(studio, wod, dana)


def test_a_check_in_is_noted_once_and_taken_back_once(studio: Studio) -> None:
    dana, wod = studio.member(credits_=3), studio.session()
    studio.booking(dana, wod)
    go(studio, span(studio, wod)[0])
    assert check_in(studio, wod, dana).booking.status is BookingStatus.ATTENDED
    with pytest.raises(CheckedInAlready):
        check_in(studio, wod, dana)
    back = undo(studio, wod, dana)
    assert (back.status, back.checked_in_at, back.credits) == (BookingStatus.BOOKED, None, 1)
    with pytest.raises(NotCheckedIn):
        undo(studio, wod, dana)


def test_who_is_not_booked_comes_only_as_a_walk_in_and_pays(studio: Studio) -> None:
    dana, wod = studio.member(credits_=2), studio.session()
    go(studio, span(studio, wod)[0] + timedelta(minutes=5))
    with pytest.raises(NotBooked) as refused:
        check_in(studio, wod, dana)
    assert refused.value.values["members"] == ("Dana Levi",)
    made = check_in(studio, wod, dana, walk_in=True)
    assert (made.booking.status, made.booking.credits) == (BookingStatus.ATTENDED, 1)
    assert left(studio, dana) == 1
    gone = undo(studio, wod, dana)
    assert (gone.status, left(studio, dana)) == (BookingStatus.REMOVED, 2)
    with studio.act() as session:
        kinds = [row.reason.value for row in ledger(session, dana, cut=Cut()).rows]
    assert kinds == ["reverse", "consume", "grant"]


def test_a_walk_in_keeps_to_the_rules_unless_one_is_set_aside(studio: Studio) -> None:
    wod = studio.session(capacity=1)
    studio.booking(studio.member("Noa Katz"), wod)
    dana, poor = studio.member(), studio.member("Poor One", credits_=1)
    studio.booking(poor, studio.session("07:00", day=3))
    go(studio, span(studio, wod)[0])
    with pytest.raises(Full):
        check_in(studio, wod, dana, walk_in=True)
    with pytest.raises(NoCredits):
        check_in(studio, wod, poor, walk_in=True)
    made = check_in(studio, wod, dana, walk_in=True, override_reason="There is room")
    assert [one.code for one in made.overruled] == ["full"]


def test_one_who_waits_walks_in_and_gets_the_place_in_line_back(studio: Studio) -> None:
    wod = studio.session(capacity=1)
    noa, ann, ben = (studio.member(name) for name in ("Noa Katz", "Ann A", "Ben B"))
    held = studio.booking(noa, wod)
    first = studio.booking(ann, wod, join_waitlist=True)
    studio.booking(ben, wod, join_waitlist=True)
    go(studio, span(studio, wod)[0] - timedelta(minutes=10))
    with studio.act() as session:
        service.cancel(session, studio.coach, held, now=studio.now)
    check_in(studio, wod, ann, walk_in=True)
    assert seen(studio, wod)["Ann A"] is BookingStatus.ATTENDED
    undo(studio, wod, ann)
    with studio.act() as session:
        assert booking_view(session, first, "en").position == 1


def test_all_are_marked_but_those_who_did_not_come(studio: Studio) -> None:
    wod = studio.session(capacity=3)
    dana, noa, tal = (studio.member(name) for name in ("Dana Levi", "Noa Katz", "Tal B"))
    for one in (dana, noa, tal):
        studio.booking(one, wod)
    waits = studio.member("Waits W")
    studio.booking(waits, wod, join_waitlist=True)
    go(studio, span(studio, wod)[1])
    mark = service.bulk_check_in
    with studio.act() as session:
        before = service.preview_bulk(session, studio.coach, wod, (), (tal,), now=studio.now)
        assert before.names == ("Dana Levi", "Noa Katz")
        marked = mark(session, studio.coach, wod, (), (tal,), now=studio.now)
    assert marked.names == before.names
    with pytest.raises(NotBooked) as refused, studio.act() as session:
        mark(session, studio.coach, wod, (dana, tal, waits), now=studio.now)
    assert refused.value.values["members"] == ("Dana Levi", "Waits W")
    with pytest.raises(NotFound), studio.act() as session:
        mark(session, studio.coach, wod, (), (wod,), now=studio.now)
    with studio.act() as session:
        mark(session, studio.coach, wod, (tal,), now=studio.now)
    with pytest.raises(NobodyToCheckIn), studio.act() as session:
        mark(session, studio.coach, wod, (), now=studio.now)


def test_a_no_show_keeps_the_credit_and_a_late_arrival_mends_it(studio: Studio) -> None:
    dana, wod = studio.member(credits_=3), studio.session()
    studio.booking(dana, wod)
    start, _ = span(studio, wod)
    go(studio, start - timedelta(seconds=1))
    with pytest.raises(NotStarted):
        no_show(studio, wod, dana)
    go(studio, start)
    marked = no_show(studio, wod, dana)
    assert (marked.booking.status, marked.booking.credits) == (BookingStatus.NO_SHOW, 1)
    with pytest.raises(BookingClosed):
        no_show(studio, wod, dana)
    check_in(studio, wod, dana)
    assert undo(studio, wod, dana).status is BookingStatus.NO_SHOW
    with pytest.raises(NotBooked):
        no_show(studio, wod, studio.member("Noa Katz"))


def test_the_place_of_a_no_show_may_be_taken_meanwhile(studio: Studio) -> None:
    wod = studio.session(capacity=1)
    dana, noa = studio.member(), studio.member("Noa Katz")
    studio.booking(dana, wod)
    go(studio, span(studio, wod)[0])
    no_show(studio, wod, dana)
    check_in(studio, wod, noa, walk_in=True)
    with pytest.raises(Full):
        check_in(studio, wod, dana)
    check_in(studio, wod, dana, override_reason="One more")
    assert seen(studio, wod) == dict.fromkeys(("Dana Levi", "Noa Katz"), BookingStatus.ATTENDED)


def test_the_no_show_that_is_too_many_says_how_long_booking_is_closed(studio: Studio) -> None:
    strikes = {"no_shows": 1, "within_days": 7, "block_days": 7}
    studio.policy(strikes=strikes)
    dana, wod = studio.member(), studio.session()
    studio.booking(dana, wod)
    start, end = span(studio, wod)
    go(studio, start)
    assert no_show(studio, wod, dana).blocked_until == end + timedelta(days=7)
