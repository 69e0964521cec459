"""Places in classes that were held, and who came."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Integer,
    String,
    and_,
    cast,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.orm import Session

from app.analytics.periods import Days
from app.analytics.queries.standings import living
from app.analytics.queries.weeks import first_of_week
from app.analytics.views import Attendance, Repeater, Visits
from app.bookings.models import Booking
from app.bookings.terms import BookingStatus
from app.people.models import Member, Staff
from app.schedule.models import ClassSession, ClassType
from app.schedule.terms import SessionStatus
from app.studio.paging import Cut, Page, page_of


class VisitsBy(StrEnum):
    """What classes may be told apart by."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    CLASS_TYPE = "class_type"
    WEEKDAY = "weekday"
    HOUR = "hour"
    COACH = "coach"


def attendance(
    session: Session,
    days: Days,
    by: VisitsBy | None,
    *,
    language: str,
    week_start: int,
    now: datetime,
    today: date,
) -> Attendance:
    """Classes of these days that have ended by now; capacity is that of classes with places."""
    whole = _parts(session, days, literal(""), now=now)
    parts: Sequence[tuple[str, Visits]] = []
    if by is not None:
        label = _label(by, language, week_start)
        parts = _in_order(_parts(session, days, label, now=now, by=by), by, week_start)
    return Attendance(
        days=days,
        whole=whole[0][1] if whole else Visits(),
        members=len(living(session, days.last, today=today)),
        parts=parts,
    )


def visits_by_coach(session: Session, days: Days, *, now: datetime) -> dict[UUID, Visits]:
    query = _figures(ClassSession.coach_id, days, now)
    rows = session.execute(query.where(ClassSession.coach_id.is_not(None)))
    return {coach: _visits(more) for coach, *more in rows}


def repeaters(
    session: Session, days: Days, *, least: int, now: datetime, cut: Cut
) -> Page[Repeater]:
    """Members who stayed away or cancelled late so often, the most often first."""
    missed = func.count().filter(Booking.status == BookingStatus.NO_SHOW)
    late = func.count().filter(Booking.status == BookingStatus.LATE_CANCELLED)
    query = (
        select(Member, missed, late)
        .join(Booking, Booking.member_id == Member.id)
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(*_held(days, now), Booking.status.in_(_MISSED))
        .group_by(Member.id)
        .having(missed + late >= least)
        .order_by((missed + late).desc(), Member.first_name, Member.id)
    )
    rows = session.execute(query)
    return page_of([Repeater(one.id, one.name, no, slow) for one, no, slow in rows], cut)


def came_and_stayed(
    session: Session, days: Days, *, now: datetime, today: date
) -> dict[UUID, float]:
    """By coach: percent of those who came in the first half of the days and live at their end."""
    half = Days(days.first, days.first + timedelta(days=days.count // 2))
    query = (
        select(ClassSession.coach_id, Booking.member_id)
        .join(Booking, Booking.class_session_id == ClassSession.id)
        .where(
            *_held(half, now),
            Booking.status == BookingStatus.ATTENDED,
        )
        .distinct()
    )
    still = living(session, days.last, today=today)
    theirs: dict[UUID, list[bool]] = {}
    for coach, member in session.execute(query):
        if coach is not None:
            theirs.setdefault(coach, []).append(member in still)
    return {coach: 100 * sum(some) / len(some) for coach, some in theirs.items()}


_MISSED = (BookingStatus.NO_SHOW, BookingStatus.LATE_CANCELLED)
_CANCELLED = (BookingStatus.CANCELLED, BookingStatus.LATE_CANCELLED)
_CAME_TO_IT = (BookingStatus.BOOKED, BookingStatus.ATTENDED, BookingStatus.NO_SHOW)


def _held(days: Days, now: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        ClassSession.local_date >= days.first,
        ClassSession.local_date <= days.last,
        ClassSession.status != SessionStatus.CANCELLED,
        ClassSession.ends_at <= now,
    )


def _in_order(
    parts: Sequence[tuple[str, Visits]], by: VisitsBy, week_start: int
) -> Sequence[tuple[str, Visits]]:
    """Weekdays follow the gym's own week."""
    if by is not VisitsBy.WEEKDAY:
        return parts
    return sorted(parts, key=lambda part: (int(part[0]) - week_start) % 7)


def _parts(
    session: Session,
    days: Days,
    label: Any,  # noqa: ANN401 - an expression of SQL
    *,
    now: datetime,
    by: VisitsBy | None = None,
) -> Sequence[tuple[str, Visits]]:
    query = _figures(label, days, now)
    if by is VisitsBy.CLASS_TYPE:
        query = query.join(ClassType, ClassType.id == ClassSession.class_type_id)
    if by is VisitsBy.COACH:
        query = query.outerjoin(Staff, Staff.id == ClassSession.coach_id)
    return [(str(name or ""), _visits(more)) for name, *more in session.execute(query)]


def _figures(label: Any, days: Days, now: datetime) -> Any:  # noqa: ANN401 - expressions of SQL
    """Bookings are counted a class first, so that a class's places count once."""
    counted = _counted(days, now).subquery()
    row = counted.c
    return (
        select(
            label.label("label"),
            func.count().label("sessions"),
            func.sum(ClassSession.capacity),
            *(func.coalesce(func.sum(row[name]), 0) for name in _COUNTS),
            func.coalesce(func.sum(row.people), 0),
        )
        .select_from(ClassSession)
        .outerjoin(counted, row.class_session_id == ClassSession.id)
        .where(*_held(days, now), ClassSession.capacity > 0)
        .group_by(label)
        .order_by(label)
    )


_COUNTS = ("booked", "attended", "no_shows", "late", "waiting")


def _counted(days: Days, now: datetime) -> Any:  # noqa: ANN401 - a select of seven columns
    """Booked and waiting are counted as the class began: who walked in had no place by then."""
    status = Booking.status
    left_since = and_(status.in_(_CANCELLED), Booking.cancelled_at > ClassSession.starts_at)
    queued = Booking.waitlisted_at.is_not(None)
    counts = {
        "booked": and_(
            ~Booking.walk_in,
            or_(status.in_(_CAME_TO_IT), and_(left_since, ~queued)),
        ),
        "attended": status == BookingStatus.ATTENDED,
        "no_shows": status == BookingStatus.NO_SHOW,
        "late": status == BookingStatus.LATE_CANCELLED,
        "waiting": or_(
            status == BookingStatus.WAITLISTED,
            and_(left_since, queued),
            Booking.checked_in_from == BookingStatus.WAITLISTED,
        ),
    }
    return (
        select(
            Booking.class_session_id,
            *(func.count().filter(so).label(name) for name, so in counts.items()),
            func.count(Booking.member_id.distinct())
            .filter(status == BookingStatus.ATTENDED)
            .label("people"),
        )
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(*_held(days, now))
        .group_by(Booking.class_session_id)
    )


def people(session: Session, days: Days, *, now: datetime) -> int:
    """Different members who came."""
    query = (
        select(func.count(Booking.member_id.distinct()))
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(*_held(days, now), Booking.status == BookingStatus.ATTENDED)
    )
    return session.scalar(query) or 0


def _visits(more: Sequence[Any]) -> Visits:
    return Visits(*(int(one or 0) for one in more))


def _label(by: VisitsBy, language: str, week_start: int) -> Any:  # noqa: ANN401 - an expression of SQL
    match by:
        case VisitsBy.COACH:
            return func.coalesce(Staff.name, "")
        case VisitsBy.CLASS_TYPE:
            own = {"he": ClassType.name_he, "ru": ClassType.name_ru}.get(language)
            return ClassType.name_en if own is None else func.coalesce(own, ClassType.name_en)
        case VisitsBy.HOUR:
            return func.to_char(ClassSession.local_start, "HH24:00")
        case _:
            return _by_day(by, ClassSession.local_date, week_start)


def _by_day(by: VisitsBy, day: Any, week_start: int) -> Any:  # noqa: ANN401 - expressions of SQL
    match by:
        case VisitsBy.WEEKDAY:
            return cast(cast(func.extract("dow", day), Integer), String)
        case VisitsBy.WEEK:
            return func.to_char(first_of_week(day, week_start), "YYYY-MM-DD")
        case VisitsBy.MONTH:
            return func.to_char(day, "YYYY-MM")
        case _:
            return func.to_char(day, "YYYY-MM-DD")
