"""Cancelling a booking: in time or late, and what happens to its credit (rules 16, 17, 24)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.orm import Session

from app.bookings.errors import BookingClosed
from app.bookings.models import Booking
from app.bookings.notices import MemberNotice, Teller
from app.bookings.queries import booking_view
from app.bookings.service import facts
from app.bookings.service.booking import find, free_place
from app.bookings.terms import BookingStatus
from app.bookings.views import BookingView
from app.core.actor import Actor, Role
from app.core.errors import NotAllowed
from app.memberships import service as credit
from app.schedule.models import ClassSession
from app.schedule.service import lock
from app.schedule.terms import SessionStatus
from app.studio import queries as studio
from app.studio.policy import free_until

_OPEN = (BookingStatus.BOOKED, BookingStatus.WAITLISTED)


@dataclass(frozen=True, slots=True)
class Cancelled:
    """`credits` come back to the member; a late one stays used."""

    booking: BookingView
    late: bool
    credits: int


def preview_cancel(
    session: Session, actor: Actor, booking_id: UUID, *, now: datetime, waive: bool = False
) -> Cancelled:
    """What `cancel` does in this transaction, its class locked; raises what it would raise."""
    row = lock(session, find(session, booking_id).class_session_id)
    booking = find(session, booking_id, fresh=True)
    late = _late(actor, booking, row, now=now, waive=waive)
    back = 0 if late else credit.cost_of(session, booking.id)
    return Cancelled(booking_view(session, booking.id, actor.language), late, back)


def cancel(
    session: Session,
    actor: Actor,
    booking_id: UUID,
    *,
    now: datetime,
    waive: bool = False,
    reason: str | None = None,
) -> Cancelled:
    """Cancel a booking or leave the queue. `waive` spares an admin's member the late rule.

    Raises NotFound, BookingClosed, NotAllowed.
    """
    row = lock(session, find(session, booking_id).class_session_id)
    booking = find(session, booking_id, fresh=True)
    facts.lock_member(session, booking.member_id)
    late = _late(actor, booking, row, now=now, waive=waive)
    freed = booking.status is BookingStatus.BOOKED
    booking.status = BookingStatus.LATE_CANCELLED if late else BookingStatus.CANCELLED
    booking.cancelled_at, booking.cancel_reason = now, reason
    session.flush()
    today = studio.today(session, actor.org_id, now)
    back = 0 if late else credit.give_back(session, actor, booking.id, today=today)
    if freed:
        free_place(session, row)
    Teller(session, actor, row.id).tell(MemberNotice.BOOKING_CANCELLED, booking.member_id)
    return Cancelled(booking_view(session, booking.id, actor.language), late, back)


def is_free(booking: Booking, row: ClassSession, *, now: datetime) -> bool:
    """In time, within the grace of a booking made after the cutoff, or the class was moved."""
    policy = facts.policy_of(row)
    cutoff = free_until(policy, row.starts_at, row.zone)
    if now <= cutoff:
        return True
    if now >= row.starts_at:
        return False
    moved = row.rescheduled_at is not None and booking.booked_at <= row.rescheduled_at
    grace = booking.booked_at > cutoff and now <= booking.booked_at + timedelta(
        minutes=policy.grace_min
    )
    return moved or grace


def _late(actor: Actor, booking: Booking, row: ClassSession, *, now: datetime, waive: bool) -> bool:
    """Whether the credit stays used. Raises BookingClosed, NotAllowed."""
    if booking.status not in _OPEN or row.status is SessionStatus.CANCELLED:
        raise BookingClosed(state=booking.status.value)
    late = booking.status is BookingStatus.BOOKED and not is_free(booking, row, now=now)
    if not late or actor.undoing:
        return False
    if waive and not actor.role.at_least(Role.ADMIN):
        raise NotAllowed(role=Role.ADMIN.value)
    return not waive
