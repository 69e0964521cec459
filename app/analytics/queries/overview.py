"""The day's headline numbers."""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.analytics import formulas
from app.analytics.queries.standings import living, revenue
from app.bookings.models import Booking
from app.bookings.terms import IN_PLACE, BookingStatus
from app.leads.models import Lead
from app.leads.terms import OPEN
from app.memberships import queries as memberships
from app.schedule.models import ClassSession
from app.schedule.terms import SessionStatus
from app.tasks.models import Task
from app.tasks.terms import TaskStatus


@dataclass(frozen=True, slots=True)
class Headline:
    """Money is None for who may not see it."""

    day: date
    classes: int
    places: int
    booked: int
    came: int
    members: int
    new_leads: int
    follow_ups: int
    tasks: int
    owing: int | None = None
    owed: int | None = None
    mrr: int | None = None


def headline(
    session: Session, day: date, *, now: datetime, today: date, zone: str, money: bool
) -> Headline:
    classes, places = _classes(session, day)
    booked, came = _bookings(session, day)
    debts = memberships.owed(session, day, zone=zone) if money else {}
    return Headline(
        day=day,
        classes=classes,
        places=places,
        booked=booked,
        came=came,
        members=len(living(session, day, today=today)),
        new_leads=_leads(session),
        follow_ups=_follow_ups(session, now),
        tasks=_tasks(session, now),
        owing=len(debts) if money else None,
        owed=sum(debts.values()) if money else None,
        mrr=formulas.agorot(revenue(session, day)) if money else None,
    )


def _classes(session: Session, day: date) -> tuple[int, int]:
    query = select(func.count(), func.coalesce(func.sum(ClassSession.capacity), 0)).where(
        ClassSession.local_date == day, ClassSession.status != SessionStatus.CANCELLED
    )
    classes, places = session.execute(query).one()
    return classes, int(places)


def _bookings(session: Session, day: date) -> tuple[int, int]:
    query = (
        select(
            func.count().filter(Booking.status.in_(IN_PLACE)),
            func.count().filter(Booking.status == BookingStatus.ATTENDED),
        )
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(ClassSession.local_date == day)
    )
    booked, came = session.execute(query).one()
    return booked, came


def _leads(session: Session) -> int:
    return session.scalar(select(func.count()).where(Lead.stage == OPEN[0])) or 0


def _follow_ups(session: Session, now: datetime) -> int:
    query = select(func.count()).where(Lead.stage.in_(OPEN), Lead.next_follow_up_at <= now)
    return session.scalar(query) or 0


def _tasks(session: Session, now: datetime) -> int:
    query = select(func.count()).where(Task.status == TaskStatus.OPEN, Task.due_at <= now)
    return session.scalar(query) or 0
