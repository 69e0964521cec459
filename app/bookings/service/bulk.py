"""Cancelling many classes or many bookings: which ones, and what it would mean for people.

Each is then cancelled by itself, as one alone would be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Final
from uuid import UUID

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session

from app.bookings import queries
from app.bookings.errors import NothingToCancel, TooMany
from app.bookings.models import Booking
from app.bookings.service.cancelling import is_free
from app.bookings.terms import ACTIVE, BookingStatus
from app.bookings.views import BookingView, SessionView
from app.core.errors import NotFound
from app.memberships import service as credit
from app.people import queries as people
from app.schedule.models import ClassSession
from app.schedule.queries import class_type
from app.schedule.terms import SessionStatus
from app.studio import queries as studio

AT_MOST: Final = 500
"""So many at once; more is a slip of the dates."""
_OPEN = (BookingStatus.BOOKED, BookingStatus.WAITLISTED)


@dataclass(frozen=True, slots=True)
class Closure:
    """Which classes: local days, both included; starts from `start` on, before `end`."""

    first: date
    last: date
    class_type_id: UUID | None = None
    location_id: UUID | None = None
    coach_id: UUID | None = None
    start: time | None = None
    end: time | None = None


@dataclass(frozen=True, slots=True)
class ToClose:
    """The classes by their start, and what cancelling them all means."""

    sessions: tuple[SessionView, ...]
    names: tuple[str, ...]
    """Who is booked, each once."""
    booked: int
    waiting: int
    credits: int


@dataclass(frozen=True, slots=True)
class BookingsAhead:
    """Which bookings to come: a member's, or these, or of some local days."""

    member_id: UUID | None = None
    booking_ids: tuple[UUID, ...] = ()
    first: date | None = None
    last: date | None = None


@dataclass(frozen=True, slots=True)
class ToLeave:
    """The bookings by the start of their class; `late` of them keep their credit used."""

    bookings: tuple[BookingView, ...]
    credits: int
    late: int


def to_close(session: Session, wanted: Closure, language: str, *, now: datetime) -> ToClose:
    """Raises NotFound, NothingToCancel, TooMany."""
    _check_filter(session, wanted)
    ids = _ids(session, _closing(wanted, now))
    active = session.execute(
        select(Booking.id, Booking.member_id, Booking.status).where(
            Booking.class_session_id.in_(ids), Booking.status.in_(ACTIVE)
        )
    ).all()
    placed = {row.member_id for row in active if row.status is not BookingStatus.WAITLISTED}
    waiting = sum(row.status is BookingStatus.WAITLISTED for row in active)
    return ToClose(
        sessions=queries.sessions_of(session, ids, language),
        names=people.member_names(session, placed),
        booked=len(active) - waiting,
        waiting=waiting,
        credits=sum(credit.costs_of(session, [row.id for row in active]).values()),
    )


def to_leave(
    session: Session, wanted: BookingsAhead, language: str, *, now: datetime, waive: bool
) -> ToLeave:
    """`waive`: all credits come back, however late it is. Raises as `to_close` does."""
    if wanted.member_id is not None:
        people.present(session, wanted.member_id)
    _check_there(session, wanted.booking_ids)
    rows = session.execute(_leaving(wanted, now).limit(AT_MOST + 1)).all()
    _check_many(len(rows))
    late = {
        booking.id
        for booking, row in rows
        if booking.status is BookingStatus.BOOKED and not (waive or is_free(booking, row, now=now))
    }
    ids = [booking.id for booking, _ in rows]
    costs = credit.costs_of(session, ids)
    back = sum(cost for key, cost in costs.items() if key not in late)
    return ToLeave(queries.bookings_of(session, ids, language), back, len(late))


def _check_filter(session: Session, wanted: Closure) -> None:
    """Nothing fits an id of nobody, but that is another mistake."""
    if wanted.class_type_id is not None:
        class_type(session, wanted.class_type_id)
    if wanted.location_id is not None:
        studio.location(session, wanted.location_id)
    if wanted.coach_id is not None:
        people.staff(session, wanted.coach_id)


def _check_many(count: int) -> None:
    if not count:
        raise NothingToCancel
    if count > AT_MOST:
        raise TooMany(most=AT_MOST)


def _check_there(session: Session, booking_ids: Sequence[UUID]) -> None:
    """A booking that is over is passed by; one that never was is a mistake."""
    known = session.scalar(select(func.count()).where(Booking.id.in_(booking_ids)))
    if known != len(set(booking_ids)):
        raise NotFound(what="booking")


def _ids(session: Session, terms: Sequence[ColumnElement[bool]]) -> list[UUID]:
    query = select(ClassSession.id).where(*terms).order_by(ClassSession.starts_at)
    found = list(session.scalars(query.limit(AT_MOST + 1)))
    _check_many(len(found))
    return found


def _closing(wanted: Closure, now: datetime) -> list[ColumnElement[bool]]:
    asked = {
        ClassSession.class_type_id: wanted.class_type_id,
        ClassSession.location_id: wanted.location_id,
        ClassSession.coach_id: wanted.coach_id,
    }
    terms = [column == value for column, value in asked.items() if value is not None]
    if wanted.start is not None:
        terms.append(ClassSession.local_start >= wanted.start)
    if wanted.end is not None:
        terms.append(ClassSession.local_start < wanted.end)
    return [
        ClassSession.status == SessionStatus.SCHEDULED,
        ClassSession.ends_at > now,
        ClassSession.local_date.between(wanted.first, wanted.last),
        *terms,
    ]


def _leaving(wanted: BookingsAhead, now: datetime) -> Select[Booking, ClassSession]:
    query = (
        select(Booking, ClassSession)
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(Booking.status.in_(_OPEN), ClassSession.starts_at > now)
        .order_by(ClassSession.starts_at, Booking.id)
    )
    if wanted.member_id is not None:
        query = query.where(Booking.member_id == wanted.member_id)
    if wanted.booking_ids:
        query = query.where(Booking.id.in_(wanted.booking_ids))
    if wanted.first is not None:
        query = query.where(ClassSession.local_date >= wanted.first)
    if wanted.last is not None:
        query = query.where(ClassSession.local_date <= wanted.last)
    return query
