"""The table of bookings."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, Index, func, select, text
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.bookings.errors import Clash, PlaceGone
from app.bookings.terms import IN_PLACE, BookingSource, BookingStatus
from app.core.columns import text_enum
from app.core.db import OrgRow
from app.core.erasing import Erasure, blanked
from app.memberships.models import Membership
from app.people.models import Member
from app.schedule.models import ClassSession, name_of


class Booking(OrgRow):
    """A member's place in a class, or in its queue."""

    __tablename__ = "booking"
    __erase__: ClassVar[Erasure] = blanked(
        override_reason=None, cancel_reason=None, refund_reason=None
    )
    __table_args__ = (
        Index(
            "uq_booking_one_place",
            "class_session_id",
            "member_id",
            unique=True,
            postgresql_where=text("status IN ('booked', 'waitlisted', 'attended')"),
        ),
        Index(
            "ix_booking_attended",
            "org_id",
            "class_session_id",
            "member_id",
            postgresql_where=text("status = 'attended'"),
        ),
    )

    class_session_id: Mapped[UUID] = mapped_column(ForeignKey(ClassSession.id), index=True)
    member_id: Mapped[UUID] = mapped_column(ForeignKey(Member.id), index=True)
    membership_id: Mapped[UUID | None] = mapped_column(ForeignKey(Membership.id))
    status: Mapped[BookingStatus] = mapped_column(text_enum(BookingStatus))
    waitlisted_at: Mapped[datetime | None]
    """Their place in the queue is counted from these times, so it can have no gaps (rule 5).

    Who leaves the queue keeps it: they were never in place.
    """
    source: Mapped[BookingSource] = mapped_column(
        text_enum(BookingSource), default=BookingSource.STAFF
    )
    booked_by: Mapped[UUID | None]
    booked_at: Mapped[datetime]
    cancelled_at: Mapped[datetime | None]
    cancelled_from: Mapped[BookingStatus | None] = mapped_column(text_enum(BookingStatus))
    """What it was when the gym cancelled the class, so that it can be brought back as that."""
    checked_in_at: Mapped[datetime | None]
    checked_in_from: Mapped[BookingStatus | None] = mapped_column(text_enum(BookingStatus))
    """What it was before the check-in, so that taking that back restores it."""
    trial: Mapped[bool] = mapped_column(default=False)
    """A first class, of a lead: wherever it is judged, it takes no membership."""
    walk_in: Mapped[bool] = mapped_column(default=False)
    """Made by the check-in."""
    takes_late: Mapped[bool] = mapped_column(default=False)
    """Who waits wants a place even when leaving it is no longer free (rule 7)."""
    offered_at: Mapped[datetime | None]
    """When who waits was last told of a free place."""
    override_reason: Mapped[str | None]
    cancel_reason: Mapped[str | None]
    refund_reason: Mapped[str | None]
    """Why its credit came back though the rules keep it."""

    @classmethod
    def lock_touched(
        cls, session: Session, ids: Sequence[UUID], before: Sequence[dict[str, Any]]
    ) -> None:
        """Lock the classes and members of bookings that an undo takes up, before those.

        In the order of all who book (`app.bookings.service.facts`).
        """
        now = select(Booking.class_session_id, Booking.member_id).where(Booking.id.in_(ids))
        was = [(UUID(one["class_session_id"]), UUID(one["member_id"])) for one in before]
        stood = [*session.execute(now).all(), *was]
        _lock_classes(session, {class_id for class_id, _ in stood})
        _lock_members(session, {member_id for _, member_id in stood})

    @classmethod
    def check_restored(cls, session: Session, rows: Sequence["Booking"]) -> None:
        """Whether places that an undo gives back are free. Raises PlaceGone, Clash (rule 8)."""
        placed = [row for row in rows if row.status in IN_PLACE]
        classes = {row.class_session_id for row in placed}
        # Classes before members, as a booking locks them: both are looked at as they will stay.
        _lock_classes(session, classes)
        _lock_members(session, {row.member_id for row in placed})
        for session_id in sorted(classes):
            _check_place(session, session_id)
        for row in placed:
            _check_clash(session, row)


def _lock_classes(session: Session, ids: set[UUID]) -> None:
    locked = select(ClassSession.id).where(ClassSession.id.in_(ids)).order_by(ClassSession.id)
    session.execute(locked.with_for_update())


def _lock_members(session: Session, ids: set[UUID]) -> None:
    locked = select(Member.id).where(Member.id.in_(ids)).order_by(Member.id)
    session.execute(locked.with_for_update(key_share=True))


def _check_place(session: Session, session_id: UUID) -> None:
    room = select(ClassSession.capacity).where(ClassSession.id == session_id)
    capacity = session.scalar(room) or 0
    taken = select(func.count()).where(
        Booking.class_session_id == session_id, Booking.status.in_(IN_PLACE)
    )
    if (session.scalar(taken) or 0) > capacity:
        raise PlaceGone(capacity=capacity)


def _check_clash(session: Session, row: Booking) -> None:
    own = session.get_one(ClassSession, row.class_session_id)
    other = session.scalar(
        select(ClassSession)
        .join(Booking, Booking.class_session_id == ClassSession.id)
        .where(
            Booking.member_id == row.member_id,
            Booking.id != row.id,
            Booking.status.in_(IN_PLACE),
            ClassSession.starts_at < own.ends_at,
            ClassSession.ends_at > own.starts_at,
        )
        .limit(1)
    )
    if other is not None:
        named = {"class": name_of(session, other)}
        raise Clash(date=other.local_date, time=other.local_start, **named)
