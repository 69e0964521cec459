"""Classes with people in them: cancelling, bringing back, moving, resizing, deleting."""

from dataclasses import replace
from datetime import date, time
from uuid import UUID

import pytest
from sqlalchemy import select

from app.bookings import service
from app.bookings.errors import SessionHasBookings
from app.bookings.queries import roster, session_view
from app.bookings.service import NewTime
from app.bookings.terms import BookingStatus
from app.core.actor import Role
from app.core.errors import NotFound, StaleVersion
from app.core.outbox import Outbox
from app.memberships.queries import balance, ledger
from app.schedule import service as schedule
from app.schedule.errors import (
    BadDuration,
    CapacityBelowBooked,
    CoachBusy,
    DateTooFar,
    SessionCancelledAlready,
    SessionInPast,
    SessionNotCancelled,
    SessionNotScheduled,
    TimeDoesNotExist,
)
from app.schedule.models import ClassSession
from app.schedule.service import Changes, NewSession
from app.schedule.terms import SessionStatus
from app.studio.paging import Cut
from tests.studio import Studio


def cancel(studio: Studio, wod: UUID, *, notify: bool = True) -> service.SessionCancelled:
    with studio.act() as session:
        return service.cancel_session(session, studio.coach, wod, now=studio.now, notify=notify)


def reinstate(studio: Studio, wod: UUID) -> service.SessionReinstated:
    with studio.act() as session:
        return service.reinstate_session(session, studio.coach, wod, now=studio.now)


def notices(studio: Studio, kind: str) -> list[str]:
    with studio.act() as session:
        rows = session.scalars(select(Outbox).where(Outbox.topic == "member_notice"))
        return [row.body["member_id"] for row in rows if row.body["notice"] == kind]


def statuses(studio: Studio, wod: UUID) -> dict[str, BookingStatus]:
    with studio.act() as session:
        rows = roster(session, wod, "en", waiting=True, cut=Cut()).rows
    return {row.member: row.status for row in rows}


def test_the_gym_cancels_and_every_credit_comes_back_however_late(studio: Studio) -> None:
    wod = studio.session("18:00", day=0, capacity=1)
    dana, noa = studio.member("Dana Levi", credits_=5), studio.member("Noa Katz", credits_=5)
    studio.booking(dana, wod)
    studio.booking(noa, wod, join_waitlist=True)
    studio.wait(hours=7, minutes=50)
    gone = cancel(studio, wod)
    assert (gone.booked, gone.waiting, gone.credits) == (1, 1, 1)
    assert gone.session.status is SessionStatus.CANCELLED
    with studio.act() as session:
        assert [balance(session, one, studio.day(0)) for one in (dana, noa)] == [5, 5]
    assert set(statuses(studio, wod).values()) == {BookingStatus.CANCELLED}
    assert sorted(notices(studio, "session_cancelled")) == sorted(map(str, (dana, noa)))


def test_nobody_is_told_when_that_was_not_wanted(studio: Studio) -> None:
    wod = studio.session()
    studio.booking(studio.member(), wod)
    cancel(studio, wod, notify=False)
    assert notices(studio, "session_cancelled") == []


def test_a_class_is_cancelled_once(studio: Studio) -> None:
    wod = studio.session()
    cancel(studio, wod)
    with pytest.raises(SessionCancelledAlready):
        cancel(studio, wod)


def test_a_class_comes_back_as_it_was(studio: Studio) -> None:
    wod = studio.session(capacity=1)
    dana, noa = studio.member("Dana Levi", credits_=1), studio.member("Noa Katz", credits_=5)
    studio.booking(dana, studio.session("12:00"))
    studio.booking(dana, wod, override_reason="Owes one")
    studio.booking(noa, wod, join_waitlist=True)
    studio.wait(minutes=1)
    cancel(studio, wod)
    back = reinstate(studio, wod)
    assert (back.restored, back.left_out) == (2, ())
    assert statuses(studio, wod) == {
        "Dana Levi": BookingStatus.BOOKED,
        "Noa Katz": BookingStatus.WAITLISTED,
    }
    with studio.act() as session:
        assert balance(session, dana, studio.day(0)) == -1
        kinds = [row.reason.value for row in ledger(session, dana, cut=Cut()).rows]
    assert kinds == ["reverse", "refund", "consume", "consume", "grant"]


def test_who_cancelled_before_the_class_did_stays_away(studio: Studio) -> None:
    wod = studio.session()
    booking = studio.booking(studio.member(), wod)
    with studio.act() as session:
        service.cancel(session, studio.coach, booking, now=studio.now)
    studio.wait(minutes=1)
    cancel(studio, wod)
    assert reinstate(studio, wod).restored == 0


def test_who_spent_the_credit_or_has_another_class_is_left_out_by_name(studio: Studio) -> None:
    wod = studio.session("18:00")
    spent, clashing = studio.member("Spent It", credits_=1), studio.member("Other Class")
    for member in (spent, clashing):
        studio.booking(member, wod)
    cancel(studio, wod)
    studio.booking(spent, studio.session("12:00"))
    studio.booking(clashing, studio.session("18:30"))
    back = reinstate(studio, wod)
    assert (back.restored, back.left_out) == (0, ("Other Class", "Spent It"))
    with studio.act() as session:
        assert balance(session, spent, studio.day(0)) == 0


def test_only_a_cancelled_class_that_is_still_ahead_comes_back(studio: Studio) -> None:
    wod = studio.session("18:00", day=0)
    with pytest.raises(SessionNotCancelled):
        reinstate(studio, wod)
    cancel(studio, wod)
    studio.wait(hours=8)
    with pytest.raises(SessionInPast):
        reinstate(studio, wod)


def test_taking_a_cancellation_back_tells_nobody(studio: Studio) -> None:
    wod = studio.session()
    studio.booking(studio.member(), wod)
    cancel(studio, wod)
    with studio.act() as session:
        undoing = replace(studio.coach, undoing=True)
        service.reinstate_session(session, undoing, wod, now=studio.now)
    assert notices(studio, "session_reinstated") == []


def test_moving_keeps_bookings_tells_all_and_names_who_clashes(studio: Studio) -> None:
    wod, later = studio.session("18:00"), studio.session("20:00")
    dana, noa = studio.member("Dana Levi"), studio.member("Noa Katz")
    for member in (dana, noa):
        studio.booking(member, wod)
    studio.booking(dana, later)
    to = NewTime(studio.day(1), time(19, 30))
    with studio.act() as session:
        seen = service.preview_reschedule(session, studio.coach, wod, to, now=studio.now)
        done = service.reschedule_session(session, studio.coach, wod, to, now=studio.now)
    for move in (seen, done):
        assert (move.told, move.clashing) == (2, ("Dana Levi",))
        assert (move.was.start, move.slot.start, move.slot.end) == (
            time(18),
            time(19, 30),
            time(20, 30),
        )
    assert set(statuses(studio, wod).values()) == {BookingStatus.BOOKED}
    assert sorted(notices(studio, "session_moved")) == sorted(map(str, (dana, noa)))


def test_a_class_is_not_moved_onto_its_coachs_other_class(studio: Studio) -> None:
    coach = studio.staff[Role.COACH]
    wod = studio.session("18:00", coach=coach)
    studio.session("20:00", coach=coach)
    to = NewTime(studio.day(1), time(19, 30))
    with studio.act() as session, pytest.raises(CoachBusy):
        service.reschedule_session(session, studio.coach, wod, to, now=studio.now)
    with studio.act() as session:
        meant = replace(to, override_reason="Two halls")
        service.reschedule_session(session, studio.coach, wod, meant, now=studio.now)


def test_a_class_is_not_made_smaller_than_its_bookings(studio: Studio) -> None:
    wod = studio.session(capacity=3)
    for name in ("Noa Katz", "Dana Levi"):
        studio.booking(studio.member(name), wod)
    with studio.act() as session, pytest.raises(CapacityBelowBooked) as refused:
        service.change_session(session, studio.coach, wod, Changes(capacity=1), now=studio.now)
    assert refused.value.values == {
        "capacity": 1,
        "booked": 2,
        "names": ("Dana Levi", "Noa Katz"),
    }


def test_a_change_of_what_was_changed_meanwhile_is_refused(studio: Studio) -> None:
    wod = studio.session()
    with studio.act() as session:
        seen = session_view(session, wod, "en").version
        service.change_session(session, studio.coach, wod, Changes(notes="A"), now=studio.now)
    with studio.act() as session, pytest.raises(StaleVersion):
        service.change_session(
            session, studio.coach, wod, Changes(notes="B"), now=studio.now, expected_version=seen
        )


def test_only_a_class_nobody_ever_booked_is_deleted(studio: Studio) -> None:
    empty, wod = studio.session("12:00"), studio.session("18:00")
    booking = studio.booking(studio.member(), wod)
    with studio.act() as session:
        service.delete_session(session, studio.coach, empty)
        service.cancel(session, studio.coach, booking, now=studio.now)
    with studio.act() as session, pytest.raises(NotFound):
        session_view(session, empty, "en")
    with studio.act() as session, pytest.raises(SessionHasBookings):
        service.delete_session(session, studio.coach, wod)


def test_what_is_over_is_not_changed(studio: Studio) -> None:
    wod = studio.session("10:30", day=0)
    studio.wait(hours=3)
    with studio.act() as session, pytest.raises(SessionNotScheduled):
        service.change_session(session, studio.coach, wod, Changes(notes="A"), now=studio.now)


def create(studio: Studio, day: date, start: time, **more: object) -> ClassSession:
    with studio.act() as session:
        new = replace(NewSession(studio.class_type_id, day, start), **more)  # type: ignore[arg-type] # as a test says
        return schedule.create(session, studio.owner, new, now=studio.now)


def test_gaps_are_filled_from_the_class_type(studio: Studio) -> None:
    made = create(studio, studio.day(1), time(13))
    assert (made.local_end, made.capacity) == (time(14), 12)
    assert made.location_id is not None


def test_a_time_that_the_clocks_skip_is_refused(studio: Studio) -> None:
    with pytest.raises(TimeDoesNotExist):
        create(studio, date(2027, 3, 26), time(2, 30))


def test_a_class_late_in_the_evening_may_end_on_the_next_day(studio: Studio) -> None:
    made = create(studio, studio.day(1), time(23, 30), end=time(0, 30))
    assert (made.ends_at - made.starts_at).total_seconds() == 3_600


@pytest.mark.parametrize(
    ("ahead", "start", "more", "refusal"),
    [
        (0, time(8), {}, SessionInPast),
        (400, time(8), {}, DateTooFar),
        (1, time(8), {"minutes": 2}, BadDuration),
        (1, time(8), {"end": time(18)}, BadDuration),
    ],
)
def test_nonsense_is_refused(
    studio: Studio, ahead: int, start: time, more: dict[str, object], refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        create(studio, studio.day(ahead), start, **more)
