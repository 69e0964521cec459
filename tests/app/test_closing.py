"""What happens by itself: no-shows at the end of a class, a word about one that is too small."""

from datetime import datetime, timedelta
from uuid import UUID

from app.bookings import service
from app.bookings.queries import roster, session_view
from app.bookings.service import Arrival, Closed
from app.bookings.terms import BookingStatus
from app.schedule import service as schedule
from app.schedule.service import ClassTypeChanges
from app.schedule.terms import SessionStatus
from app.studio.paging import Cut
from tests.studio import Studio

HOUR = timedelta(hours=1)


def close(studio: Studio) -> Closed:
    """All that has ended."""
    with studio.act() as session:
        ids = service.ended(session, now=studio.now)
        done = [service.close_class(session, one, "en", now=studio.now) for one in ids]
    flags = tuple(flag for one in done for flag in one.flags)
    return Closed(sum(one.over for one in done), sum(one.absent for one in done), flags)


def look(studio: Studio) -> list[tuple[str, int | None]]:
    with studio.act() as session:
        return [
            (flag.session.title, flag.minimum)
            for one in service.small(session, now=studio.now)
            for flag in service.flag_small(session, one, "en", now=studio.now)
        ]


def two_booked(studio: Studio) -> tuple[UUID, UUID, datetime]:
    """A class with two in it; the first of them, and when it ends."""
    wod = studio.session("18:00", day=0)
    dana, noa = studio.member(credits_=3), studio.member("Noa Katz")
    for one in (dana, noa):
        studio.booking(one, wod)
    with studio.act() as session:
        return wod, dana, session_view(session, wod, "en").slot.ends_at


def came(studio: Studio, wod: UUID, member: UUID) -> None:
    with studio.act() as session:
        service.check_in(session, studio.coach, Arrival(wod, member), now=studio.now)


def statuses(studio: Studio, wod: UUID) -> dict[str, BookingStatus]:
    with studio.act() as session:
        rows = roster(session, wod, "en", waiting=True, cut=Cut()).rows
    return {row.member: row.status for row in rows}


def status(studio: Studio, wod: UUID) -> SessionStatus:
    with studio.act() as session:
        return session_view(session, wod, "en").status


def test_an_hour_after_the_end_who_did_not_come_is_a_no_show(studio: Studio) -> None:
    wod, dana, ends = two_booked(studio)
    studio.clock.hands[0] = ends - timedelta(minutes=50)
    came(studio, wod, dana)
    studio.clock.hands[0] = ends + HOUR - timedelta(seconds=1)
    assert close(studio) == Closed()
    studio.wait(seconds=1)
    assert close(studio) == Closed(over=1, absent=1)
    assert statuses(studio, wod) == {
        "Dana Levi": BookingStatus.ATTENDED,
        "Noa Katz": BookingStatus.NO_SHOW,
    }
    assert status(studio, wod) is SessionStatus.COMPLETED
    assert close(studio) == Closed()


def test_where_the_coach_marked_nobody_nobody_is_absent_and_it_is_flagged_once(
    studio: Studio,
) -> None:
    wod, _, ends = two_booked(studio)
    studio.clock.hands[0] = ends + HOUR
    closed = close(studio)
    assert (closed.over, closed.absent) == (1, 0)
    assert [(flag.kind, flag.session.id) for flag in closed.flags] == [("unmarked", wod)]
    assert set(statuses(studio, wod).values()) == {BookingStatus.BOOKED}
    with studio.act() as session:
        assert service.ended(session, now=studio.now) == [], "it stands in no other's way"


def test_attendance_that_is_noted_later_counts_an_hour_after_it(studio: Studio) -> None:
    wod, dana, ends = two_booked(studio)
    studio.clock.hands[0] = ends + 3 * HOUR
    close(studio)
    came(studio, wod, dana)
    studio.wait(minutes=59)
    assert close(studio) == Closed()
    studio.wait(minutes=1)
    assert close(studio) == Closed(absent=1)


def test_a_no_show_by_itself_is_mended_by_a_check_in(studio: Studio) -> None:
    wod, dana, ends = two_booked(studio)
    studio.clock.hands[0] = ends
    came(studio, wod, dana)
    studio.wait(hours=1)
    close(studio)
    with studio.act() as session:
        rows = roster(session, wod, "en", waiting=False, cut=Cut()).rows
        noa = next(row.member_id for row in rows if row.member == "Noa Katz")
    came(studio, wod, noa)
    assert set(statuses(studio, wod).values()) == {BookingStatus.ATTENDED}
    assert close(studio) == Closed()


def test_a_gym_sets_its_own_patience_and_an_empty_class_just_ends(studio: Studio) -> None:
    studio.policy(no_show_after_min=0)
    wod = studio.session("11:00", day=0)
    studio.wait(hours=2)
    assert close(studio) == Closed(over=1)
    assert status(studio, wod) is SessionStatus.COMPLETED


def test_a_class_with_too_few_is_flagged_once_three_hours_before(studio: Studio) -> None:
    with studio.act() as session:
        changes = ClassTypeChanges(min_participants=2)
        schedule.update_class_type(session, studio.class_type_id, changes)
    wod, enough = studio.session("18:00", day=0), studio.session("18:00", day=0)
    studio.booking(studio.member(), wod)
    for name in ("Ann A", "Ben B"):
        studio.booking(studio.member(name), enough)
    studio.wait(hours=5, minutes=-1)
    assert look(studio) == []
    studio.wait(minutes=1)
    assert look(studio) == [("WOD", 2)]
    assert look(studio) == []
    assert status(studio, wod) is SessionStatus.SCHEDULED
