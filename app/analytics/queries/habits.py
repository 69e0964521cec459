"""How members come: their usual days, their last visit, and what lies ahead."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, Integer, and_, cast, func, select
from sqlalchemy.orm import Session, aliased

from app.analytics.periods import Days
from app.bookings.models import Booking
from app.bookings.terms import BookingStatus
from app.core.columns import among
from app.schedule.models import ClassSession
from app.schedule.terms import SessionStatus


class Habit(NamedTuple):
    """How a member came; twice on a day counts twice. A tuple, as there is one a member."""

    last: date
    gap: float | None = None
    """Days that usually lay between."""
    earlier: int = 0
    recent: int = 0


def habits_of(
    session: Session,
    members: Collection[UUID],
    *,
    since: date,
    earlier: Days,
    recent: Days,
    now: datetime,
) -> dict[UUID, Habit]:
    """Of those who ever came; what is usual is told by the days `since` then.

    Whoever came in those days is among them, asked for or not: to count all is less work.
    """
    found = _lately(session, since=since, earlier=earlier, recent=recent, now=now)
    away = [one for one in members if one not in found]
    return found | {one: Habit(last) for one, last in _last_visits(session, away, now)}


def _lately(
    session: Session, *, since: date, earlier: Days, recent: Days, now: datetime
) -> dict[UUID, Habit]:
    on, times = ClassSession.local_date, func.count().label("times")
    days = (
        select(Booking.member_id, on.label("day"), times)
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(on >= since, *_came(now))
        .group_by(Booking.member_id, on)
        .subquery()
    )
    before = func.lag(days.c.day).over(partition_by=days.c.member_id, order_by=days.c.day)
    steps = select(*days.c, (days.c.day - before).label("gap")).subquery()
    row = steps.c
    query = select(
        row.member_id,
        func.max(row.day),
        func.percentile_cont(0.5).within_group(row.gap),
        *(
            cast(
                func.coalesce(func.sum(row.times).filter(row.day.between(one.first, one.last)), 0),
                Integer,
            )
            for one in (earlier, recent)
        ),
    ).group_by(row.member_id)
    return {member: Habit(*habit) for member, *habit in session.execute(query)}


def _last_visits(
    session: Session, members: Collection[UUID], now: datetime
) -> Sequence[tuple[UUID, date]]:
    query = (
        select(Booking.member_id, func.max(ClassSession.local_date))
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(among(Booking.member_id, members), *_came(now))
        .group_by(Booking.member_id)
    )
    return [(member, last) for member, last in session.execute(query)] if members else []


def _came(now: datetime) -> tuple[ColumnElement[bool], ...]:
    return ClassSession.starts_at <= now, Booking.status == BookingStatus.ATTENDED


def closed_days(session: Session, since: date, until: date) -> list[date]:
    """Days whose classes were all cancelled: the gym was closed. In order."""
    other = aliased(ClassSession)
    held = (
        select(other.id)
        .where(other.local_date == ClassSession.local_date, other.status != SessionStatus.CANCELLED)
        .exists()
    )
    query = (
        select(ClassSession.local_date)
        .where(
            ClassSession.local_date.between(since, until),
            ClassSession.status == SessionStatus.CANCELLED,
            ~held,
        )
        .distinct()
        .order_by(ClassSession.local_date)
    )
    return list(session.scalars(query))


def booked_ahead(session: Session, now: datetime) -> set[UUID]:
    query = (
        select(Booking.member_id)
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(and_(ClassSession.starts_at > now, Booking.status == BookingStatus.BOOKED))
    )
    return set(session.scalars(query.distinct()))
