"""The schedule, as coaches ask for it."""

from datetime import time
from itertools import count
from typing import Any

from sqlalchemy import select

from app.bookings import service as bookings
from app.bookings.service import KnownBooking
from app.bookings.terms import BookingStatus
from app.core.actor import Role
from app.schedule import service as schedule
from app.schedule.models import ClassSession
from app.schedule.service import NewSession
from tests.programming import attach, class_type, programmed, workout
from tests.requests.request import Request
from tests.studio import Studio


def empty(studio: Studio) -> dict[str, Any]:
    return {"class_session_id": studio.session()}


def tomorrow(studio: Studio) -> dict[str, Any]:
    empty(studio)
    return {"from_date": str(studio.day(1))}


def with_dana(studio: Studio) -> dict[str, Any]:
    found = empty(studio)
    studio.booking(studio.member(), found["class_session_id"])
    return found


def cancelled(studio: Studio) -> dict[str, Any]:
    found = with_dana(studio)
    with studio.act() as session:
        bookings.cancel_session(session, studio.owner, found["class_session_id"], now=studio.now)
    return found


def with_own_workout(studio: Studio) -> dict[str, Any]:
    """One class of a kind that has another workout that day."""
    found = {**with_workout(studio), "workout_id": workout(studio, "Grace")}
    attach(studio, found["class_session_id"], found["workout_id"])
    return found


def with_workout(studio: Studio) -> dict[str, Any]:
    """A class of a kind that has a workout of the day, in half a year so that it stays alone."""
    kept, studio.class_type_id = studio.class_type_id, class_type(studio)
    session_id = studio.session(day=180)
    programmed(studio, studio.class_type_id, studio.day(180))
    studio.class_type_id = kept
    return {"class_session_id": session_id}


def new(studio: Studio) -> dict[str, Any]:
    return {
        "class_type_id": studio.class_type_id,
        "date": str(studio.day(2)),
        "start_time": "07:00",
        "duration_min": 45,
    }


def later(studio: Studio) -> dict[str, Any]:
    return {**with_dana(studio), "date": str(studio.day(1)), "start_time": "19:30"}


def weekly(studio: Studio) -> dict[str, Any]:
    """Every Tuesday and Thursday at seven until the end of May: over Hanukkah and Passover."""
    return {
        "class_type_id": studio.class_type_id,
        "weekdays": [2, 4],
        "start_time": "07:00",
        "duration_min": 60,
        "from_date": str(studio.day(1)),
        "until_date": str(studio.day(182)),
        "skip_dates": [str(studio.day(24))],
    }


def repeating(studio: Studio) -> dict[str, Any]:
    """The second of four classes of a series."""
    new = schedule.NewSeries(studio.class_type_id, (3,), time(7), 60, studio.day(2), studio.day(25))
    with studio.act() as session:
        made, _ = schedule.create_series(session, studio.owner, new, now=studio.now)
        of_it = select(ClassSession.id).where(ClassSession.series_id == made)
        second = session.scalars(of_it.order_by(ClassSession.starts_at)).all()[1]
    return {"class_session_id": second, "scope": "following"}


def later_from_then_on(studio: Studio) -> dict[str, Any]:
    return {**repeating(studio), "date": str(studio.day(10)), "start_time": "08:00"}


def holiday(studio: Studio) -> dict[str, Any]:
    """Two classes on one day, one of them booked."""
    day = next(_closed)
    first = studio.session("07:00", day=day)
    studio.session("18:00", day=day)
    studio.booking(studio.member(), first)
    closed = str(studio.day(day))
    return {"from_date": closed, "to_date": closed, "reason": "The gym is closed"}


_closed = count(170)
"""A day of its own for each call."""


def begun(studio: Studio) -> dict[str, Any]:
    """A class that began half an hour ago, with Dana and Noa in it."""
    dana, noa = studio.person("Dana Levi"), studio.person("Noa Cohen")
    bought = studio.sell(dana, studio.plan(5))
    new = NewSession(studio.class_type_id, studio.day(0), time(9, 30))
    with studio.act() as session:
        (session_id,) = schedule.bring_in(session, studio.owner, [new], now=studio.now)
        known = [
            KnownBooking(session_id, dana, bought, BookingStatus.BOOKED, studio.now, credits=1),
            KnownBooking(session_id, noa, None, BookingStatus.BOOKED, studio.now),
        ]
        bookings.bring_in(session, studio.owner, known)
    return {"class_session_id": session_id, "member_id": dana}


def arrived(studio: Studio) -> dict[str, Any]:
    found = begun(studio)
    with studio.act() as session:
        bookings.check_in(session, studio.owner, bookings.Arrival(**found), now=studio.now)
    return found


def everybody(studio: Studio) -> dict[str, Any]:
    return {"class_session_id": begun(studio)["class_session_id"]}


REQUESTS = [
    Request(
        "class_sessions.list_workouts",
        "what do we train in that class?",
        with_workout,
        ("Engine", "Fran"),
        role=Role.COACH,
    ),
    Request(
        "class_sessions.attach_workout",
        "give tomorrow's six o'clock Grace",
        lambda studio: {**empty(studio), "workout_id": workout(studio, "Grace")},
        ("Grace", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "class_sessions.detach_workout",
        "תוריד את גרייס מהשיעור של מחר",
        with_own_workout,
        ("Grace", "להחזיר"),
    ),
    Request("class_sessions.list", "что завтра по расписанию?", tomorrow, ("WOD",)),
    Request(
        "class_sessions.get", "show me tomorrow's WOD", empty, ("WOD", "18:00"), role=Role.COACH
    ),
    Request("class_sessions.get_roster", "מי רשום מחר ב-18:00?", with_dana, ("Dana Levi",)),
    Request("class_sessions.create", "add a WOD on Wednesday at 7", new, ("WOD", "UNDO")),
    Request(
        "class_sessions.update",
        "make room for 20 tomorrow at six",
        lambda studio: {**empty(studio), "capacity": 20},
        ("WOD", "UNDO"),
        role=Role.COACH,
    ),
    Request("class_sessions.reschedule", "move tomorrow's WOD to 19:30", later, ("19:30", "UNDO")),
    Request("class_sessions.cancel", "cancel tomorrow's WOD", with_dana, ("Cancelled", "UNDO")),
    Request("class_sessions.reinstate", "bring tomorrow's WOD back", cancelled, ("WOD", "UNDO")),
    Request("class_sessions.delete", "delete the empty class tomorrow", empty, ("WOD", "UNDO")),
    Request(
        "class_sessions.check_in",
        "דנה הגיעה",
        begun,
        ("Dana Levi", "להחזיר"),
        role=Role.COACH,
    ),
    Request(
        "class_sessions.undo_check_in",
        "Даны всё-таки нет, сними отметку",
        arrived,
        ("Dana Levi", "вернуть"),
        role=Role.COACH,
    ),
    Request(
        "class_sessions.bulk_check_in",
        "everybody came",
        everybody,
        ("2 members", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "class_sessions.mark_no_show",
        "Dana never showed up",
        begun,
        ("No-show", "Dana Levi", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "class_sessions.create_series",
        "כל יום שלישי וחמישי בשבע בבוקר WOD עד סוף מאי, חוץ מ-24 בדצמבר",
        weekly,
        ("WOD", "להחזיר"),
        role=Role.ADMIN,
    ),
    Request(
        "class_sessions.reschedule",
        "from next week on the Wednesday class is on Thursdays at eight",
        later_from_then_on,
        ("WOD", "3 classes", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "class_sessions.delete",
        "убери утренний WOD по средам с 9 декабря",
        repeating,
        ("WOD", "3 занятия", "вернуть"),
        role=Role.COACH,
    ),
    Request(
        "class_sessions.bulk_cancel",
        "אין שיעורים ביום הזה, תבטל הכול",
        holiday,
        ("שיעורים", "להחזיר"),
        role=Role.ADMIN,
        replays=False,
    ),
]
