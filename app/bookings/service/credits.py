"""Giving a booking's credit back though the rules keep it: an admin's word (rules 17, 24)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.bookings.errors import NothingToRefund, NotLate, RefundTooLarge
from app.bookings.models import Booking
from app.bookings.queries import booking_view
from app.bookings.service import facts
from app.bookings.service.booking import find
from app.bookings.terms import BookingStatus
from app.bookings.views import BookingView
from app.core.actor import Actor
from app.memberships import service as credit
from app.schedule.service import lock
from app.studio import queries as studio

LATE = (BookingStatus.LATE_CANCELLED, BookingStatus.NO_SHOW)
"""Of these the credit stays used."""


@dataclass(frozen=True, slots=True)
class Refunded:
    booking: BookingView
    credits: int


def preview_refund(
    session: Session, actor: Actor, booking_id: UUID, *, credits_: int | None = None
) -> Refunded:
    """What `refund` gives back; locks the class.

    Raises NotFound, NothingToRefund, RefundTooLarge.
    """
    booking = _locked(session, booking_id)
    cost = credit.cost_of(session, booking.id)
    if not cost:
        raise NothingToRefund
    if credits_ is not None and credits_ > cost:
        raise RefundTooLarge(cost=cost)
    return Refunded(booking_view(session, booking.id, actor.language), credits_ or cost)


def refund(
    session: Session,
    actor: Actor,
    booking_id: UUID,
    *,
    reason: str,
    now: datetime,
    credits_: int | None = None,
) -> Refunded:
    """Give the credit of a booking back, or a part of it, once; the booking stays as it is."""
    given = preview_refund(session, actor, booking_id, credits_=credits_)
    facts.lock_member(session, given.booking.member_id)
    find(session, booking_id).refund_reason = reason
    session.flush()
    today = studio.today(session, actor.org_id, now)
    back = credit.give_back(session, actor, booking_id, today=today, most=credits_)
    return Refunded(booking_view(session, booking_id, actor.language), back)


def preview_waive(session: Session, actor: Actor, booking_id: UUID) -> Refunded:
    """What `waive` does; locks the class. Raises NotFound, NotLate."""
    booking = _locked(session, booking_id)
    if booking.status not in LATE:
        raise NotLate(state=booking.status.value)
    view = booking_view(session, booking.id, actor.language)
    return Refunded(view, credit.cost_of(session, booking.id))


def waive(
    session: Session, actor: Actor, booking_id: UUID, *, reason: str, now: datetime
) -> Refunded:
    """Turn a late cancel or a no-show into a free cancel, with its credit back."""
    given = preview_waive(session, actor, booking_id)
    facts.lock_member(session, given.booking.member_id)
    booking = find(session, booking_id)
    booking.status, booking.refund_reason = BookingStatus.CANCELLED, reason
    booking.cancelled_at = booking.cancelled_at or now
    session.flush()
    today = studio.today(session, actor.org_id, now)
    back = credit.give_back(session, actor, booking_id, today=today)
    return Refunded(booking_view(session, booking_id, actor.language), back)


def _locked(session: Session, booking_id: UUID) -> Booking:
    lock(session, find(session, booking_id).class_session_id)
    return find(session, booking_id, fresh=True)
