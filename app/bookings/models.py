"""The table of bookings."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.bookings.terms import BookingSource, BookingStatus
from app.core.columns import text_enum
from app.core.db import OrgRow
from app.memberships.models import Membership
from app.people.models import Member
from app.schedule.models import ClassSession


class Booking(OrgRow):
    """A member's place in a class, or in its queue."""

    __tablename__ = "booking"
    __table_args__ = (
        Index(
            "uq_booking_one_place",
            "class_session_id",
            "member_id",
            unique=True,
            postgresql_where=text("status IN ('booked', 'waitlisted', 'attended')"),
        ),
    )

    class_session_id: Mapped[UUID] = mapped_column(ForeignKey(ClassSession.id), index=True)
    member_id: Mapped[UUID] = mapped_column(ForeignKey(Member.id), index=True)
    membership_id: Mapped[UUID | None] = mapped_column(ForeignKey(Membership.id))
    status: Mapped[BookingStatus] = mapped_column(text_enum(BookingStatus))
    waitlisted_at: Mapped[datetime | None]
    """Their place in the queue is counted from these times, so it can have no gaps (rule 5)."""
    source: Mapped[BookingSource] = mapped_column(
        text_enum(BookingSource), default=BookingSource.STAFF
    )
    booked_by: Mapped[UUID | None]
    booked_at: Mapped[datetime]
    cancelled_at: Mapped[datetime | None]
    cancelled_from: Mapped[BookingStatus | None] = mapped_column(text_enum(BookingStatus))
    """What it was when the gym cancelled the class, so that it can be brought back as that."""
    checked_in_at: Mapped[datetime | None]
    override_reason: Mapped[str | None]
    cancel_reason: Mapped[str | None]
