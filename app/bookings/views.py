"""Classes and bookings as other parts see them: values, not rows."""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from app.bookings.terms import BookingStatus
from app.schedule.terms import SessionStatus
from app.schedule.times import Slot


@dataclass(frozen=True, slots=True)
class SessionView:
    id: UUID
    version: int
    class_type_id: UUID
    title: str
    """Its own title, or the type's name in the reader's language."""
    slot: Slot
    status: SessionStatus
    coach_id: UUID | None
    coach: str | None
    location: str | None
    capacity: int
    booked: int
    waiting: int
    notes: str | None
    cancel_reason: str | None
    series_id: UUID | None
    waitlist: str
    """What a freed place does: auto, offer or staff."""
    opens_at: datetime | None
    """When booking opens; None: it is open from the beginning."""
    free_until: datetime
    """Until when a member may cancel for nothing."""

    def is_open(self, now: datetime) -> bool:
        """It is still to come."""
        return self.status is SessionStatus.SCHEDULED and self.slot.starts_at > now


@dataclass(frozen=True, slots=True)
class BookingView:
    id: UUID
    version: int
    member_id: UUID
    member: str
    class_session_id: UUID
    title: str
    slot: Slot
    coach: str | None
    status: BookingStatus
    position: int | None
    """The place in the queue, from 1."""
    credits: int
    """What it costs as things stand."""
    checked_in_at: datetime | None
    walk_in: bool
    trial: bool
    """A lead's: it takes no membership."""


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """Local dates, both included; None: not asked about."""

    since: date | None = None
    until: date | None = None
    class_type_id: UUID | None = None
    coach_id: UUID | None = None
    location_id: UUID | None = None
    statuses: tuple[SessionStatus, ...] = ()


@dataclass(frozen=True, slots=True)
class BookingFilter:
    member_id: UUID | None = None
    class_session_id: UUID | None = None
    since: date | None = None
    until: date | None = None
    statuses: tuple[BookingStatus, ...] = ()
