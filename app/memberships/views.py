"""Memberships and credits as other parts see them: values, not rows."""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from app.memberships.terms import CreditReason, MembershipStatus


@dataclass(frozen=True, slots=True)
class Cover:
    """A membership on one day: whether, and how, a class of that day may be booked on it."""

    membership_id: UUID
    plan: str
    status: MembershipStatus
    covers: bool
    """It has begun by that day and not ended."""
    frozen: bool
    class_type_ids: tuple[UUID, ...]
    """Empty: every class type."""
    credits: int | None
    """Usable on that day; None: classes cost no credits on this plan."""
    largest_lot: int
    """The most that one booking can take: it is paid from one lot (rule 23)."""
    expires_on: date | None
    """When the credits that would be used first lapse."""
    weekly_limit: int | None
    unpaid: bool
    until: date | None
    """The last day it covers."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    id: UUID
    at: datetime
    delta: int
    reason: CreditReason
    plan: str
    booking_id: UUID | None
    expires_on: date | None
    note: str | None
