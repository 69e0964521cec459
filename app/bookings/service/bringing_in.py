"""Taking over bookings from elsewhere as they are: no rule is asked, nobody is told."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.bookings.models import Booking
from app.bookings.terms import BookingSource, BookingStatus
from app.core.actor import Actor
from app.memberships import service as credit
from app.schedule.models import ClassSession

_CANCELLED = (BookingStatus.CANCELLED, BookingStatus.LATE_CANCELLED)


@dataclass(frozen=True, slots=True)
class KnownBooking:
    """`credits` of the membership are used by it; `at` is when it was made, and its turn."""

    class_session_id: UUID
    member_id: UUID
    membership_id: UUID | None
    status: BookingStatus
    at: datetime
    credits: int = 0


def bring_in(session: Session, actor: Actor, known: Sequence[KnownBooking]) -> list[UUID]:
    """Ids in the order given."""
    made = [_booking(actor, one) for one in known]
    session.add_all(made)
    session.flush()
    days = _days(session, {one.class_session_id for one in known})
    for row, one in zip(made, known, strict=True):
        if one.credits and one.membership_id is not None:
            charge = credit.Charge(
                member_id=one.member_id,
                membership_id=one.membership_id,
                booking_id=row.id,
                credits=one.credits,
                on=days[one.class_session_id],
            )
            credit.consume(session, actor, charge)
    return [row.id for row in made]


def _days(session: Session, session_ids: Collection[UUID]) -> dict[UUID, date]:
    query = select(ClassSession.id, ClassSession.local_date).where(ClassSession.id.in_(session_ids))
    return dict(session.execute(query).all())


def _booking(actor: Actor, one: KnownBooking) -> Booking:
    return Booking(
        org_id=actor.org_id,
        class_session_id=one.class_session_id,
        member_id=one.member_id,
        membership_id=one.membership_id,
        status=one.status,
        source=BookingSource.IMPORT,
        booked_by=actor.user_id,
        booked_at=one.at,
        waitlisted_at=one.at if one.status is BookingStatus.WAITLISTED else None,
        cancelled_at=one.at if one.status in _CANCELLED else None,
    )
