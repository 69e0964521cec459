"""What happens by itself at the end of a class, and before one that too few booked.

Both may run as often as they like: what is done already is passed by (rules 10, 17). Each class
is seen to by itself, so that none stands in another's way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal
from uuid import UUID

import structlog
from sqlalchemy import and_, exists, func, or_, select
from sqlalchemy.orm import Session

from app.bookings.models import Booking
from app.bookings.queries import session_view
from app.bookings.service import facts
from app.bookings.service.attendance import CLOSES
from app.bookings.terms import IN_PLACE, BookingStatus
from app.bookings.views import SessionView
from app.schedule.models import ClassSession, ClassType
from app.schedule.queries import class_type
from app.schedule.service import lock
from app.schedule.terms import SessionStatus

LOOK_BACK: Final = CLOSES + timedelta(days=1)
"""Attendance that was noted later than it may be isn't waited for."""
AT_MOST: Final = 200
"""So many classes a look: the next one sees to the rest."""
_NOTED = (BookingStatus.ATTENDED, BookingStatus.NO_SHOW)
_OPEN = (SessionStatus.SCHEDULED, SessionStatus.IN_PROGRESS)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that a person should see to.

    `unmarked`: over, and nobody's attendance was noted. `few_booked`: fewer than `minimum`.
    """

    kind: Literal["unmarked", "few_booked"]
    session: SessionView
    minimum: int | None = None

    @property
    def due_at(self) -> datetime:
        """Until when it can be seen to."""
        slot = self.session.slot
        return slot.starts_at if self.kind == "few_booked" else slot.ends_at + CLOSES


@dataclass(frozen=True, slots=True)
class Closed:
    """`over` classes are completed now, one or none; `absent` bookings became no-shows."""

    over: int = 0
    absent: int = 0
    flags: tuple[Flag, ...] = ()


def ended(session: Session, *, now: datetime) -> Sequence[UUID]:
    """Classes for `close_class`, the oldest first; one that was flagged isn't looked at again.

    Over and not completed, or completed where somebody is marked and somebody isn't yet.
    """
    ours = Booking.class_session_id == ClassSession.id
    lately = and_(
        ClassSession.status == SessionStatus.COMPLETED,
        ClassSession.ends_at > now - LOOK_BACK,
        exists().where(ours, Booking.status == BookingStatus.BOOKED),
        exists().where(ours, Booking.status.in_(_NOTED)),
    )
    query = (
        select(ClassSession.id)
        .where(ClassSession.ends_at <= now, or_(ClassSession.status.in_(_OPEN), lately))
        .order_by(ClassSession.ends_at, ClassSession.id)
        .limit(AT_MOST)
    )
    return session.scalars(query).all()


def close_class(session: Session, session_id: UUID, language: str, *, now: datetime) -> Closed:
    """Complete a class that is over; who was booked and didn't come is a no-show.

    Where the coach marked nobody, no one is: it is flagged, once.
    """
    row = lock(session, session_id)
    booked = facts.of_session(session, row.id, (BookingStatus.BOOKED,))
    marked, last = _marks(session, row.id)
    late = now < max(row.ends_at, last or row.ends_at) + _patience(row)
    if late or row.status is SessionStatus.CANCELLED:
        return Closed()
    fresh, absent = row.status in _OPEN, 0
    flags: tuple[Flag, ...] = ()
    if booked and marked:
        absent = _absent(booked)
    elif booked and fresh:
        flags = (Flag("unmarked", session_view(session, row.id, language)),)
    row.status = SessionStatus.COMPLETED
    session.flush()
    return Closed(int(fresh), absent, flags)


def small(session: Session, *, now: datetime) -> Sequence[UUID]:
    """Classes ahead that may be too small, for `flag_small`, the soonest first."""
    booked = (
        select(func.count())
        .where(Booking.class_session_id == ClassSession.id, Booking.status.in_(IN_PLACE))
        .correlate(ClassSession)
        .scalar_subquery()
    )
    query = (
        select(ClassSession.id)
        .join(ClassType, ClassType.id == ClassSession.class_type_id)
        .where(
            ClassSession.status == SessionStatus.SCHEDULED,
            ClassSession.short_flagged_at.is_(None),
            ClassSession.starts_at > now,
            ClassSession.starts_at <= now + timedelta(days=7),
            ClassType.min_participants > booked,
        )
        .order_by(ClassSession.starts_at, ClassSession.id)
        .limit(AT_MOST)
    )
    return session.scalars(query).all()


def flag_small(
    session: Session, session_id: UUID, language: str, *, now: datetime
) -> tuple[Flag, ...]:
    """Flag a class ahead with too few bookings, once, when its gym looks (rule 10)."""
    row = lock(session, session_id)
    minimum = class_type(session, row.class_type_id).min_participants or 0
    early = timedelta(minutes=facts.policy_of(row).min_check_min)
    enough = facts.places(session, row).booked >= minimum
    off = row.status is not SessionStatus.SCHEDULED
    if off or row.short_flagged_at is not None or enough or now < row.starts_at - early:
        return ()
    row.short_flagged_at = now
    session.flush()
    return (Flag("few_booked", session_view(session, row.id, language), minimum),)


def _marks(session: Session, session_id: UUID) -> tuple[bool, datetime | None]:
    """Whether anybody's attendance was noted, and when the last one came."""
    query = select(func.count(), func.max(Booking.checked_in_at)).where(
        Booking.class_session_id == session_id, Booking.status.in_(_NOTED)
    )
    count, last = session.execute(query).one()
    return count > 0, last


def _patience(row: ClassSession) -> timedelta:
    """Counted from the last check-in: a coach who notes it later isn't interrupted."""
    return timedelta(minutes=facts.policy_of(row).no_show_after_min)


def _absent(booked: Sequence[Booking]) -> int:
    for booking in booked:
        booking.status = BookingStatus.NO_SHOW
        log.info("no_show", booking_id=str(booking.id))
    return len(booked)
