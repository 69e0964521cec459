"""Plans, memberships, payments and credits as other parts see them: values, not rows."""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from app.memberships.policy import FreezePolicy
from app.memberships.terms import (
    CreditReason,
    MembershipStatus,
    PaymentKind,
    PaymentState,
    PaymentStatus,
    PeriodUnit,
    PlanKind,
)


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


@dataclass(frozen=True, slots=True)
class PlanView:
    """`holders` have it now; `credits` None: classes cost none."""

    id: UUID
    version: int
    name: str
    kind: PlanKind
    price_minor: int
    currency: str
    period_unit: PeriodUnit | None
    period_count: int
    credits: int | None
    weekly_limit: int | None
    class_type_ids: tuple[UUID, ...]
    validity_days: int | None
    sells_until: date | None
    active: bool
    freezing: FreezePolicy
    holders: int


@dataclass(frozen=True, slots=True)
class MembershipView:
    """`until` is the last day it covers, by its end or its cancellation."""

    id: UUID
    version: int
    member_id: UUID
    member: str
    plan_id: UUID
    plan: str
    kind: PlanKind
    status: MembershipStatus
    start: date
    until: date | None
    end_date: date | None
    next_billing: date | None
    billing_day: int | None
    price_minor: int
    discount_minor: int
    currency: str
    payment: PaymentStatus
    frozen_until: date | None
    credits: int | None
    cancel_effective_on: date | None
    cancel_reason: str | None
    next_plan: str | None
    external_ref: str | None


@dataclass(frozen=True, slots=True)
class FreezeView:
    since: date
    until: date
    reason: str | None


@dataclass(frozen=True, slots=True)
class PaymentView:
    id: UUID
    member: str
    plan: str | None
    kind: PaymentKind
    status: PaymentState
    amount_minor: int
    currency: str
    due: date
    paid_at: datetime | None
    last4: str | None
    invoice_no: str | None


@dataclass(frozen=True, slots=True)
class MembershipFilter:
    member_id: UUID | None = None
    plan_id: UUID | None = None
    statuses: tuple[MembershipStatus, ...] = ()
    next_billing_before: date | None = None


@dataclass(frozen=True, slots=True)
class ExpiringFilter:
    """Ends within so many days; with `max_credits_left`, also what has so few credits."""

    within_days: int
    kind: PlanKind | None = None
    max_credits_left: int | None = None


@dataclass(frozen=True, slots=True)
class ExtensionFilter:
    """Empty: everything that isn't over."""

    plan_ids: tuple[UUID, ...] = ()
    kinds: tuple[PlanKind, ...] = ()
    member_ids: tuple[UUID, ...] = ()
    ends_before: date | None = None


@dataclass(frozen=True, slots=True)
class PaymentFilter:
    """Days on which they are due, both included."""

    member_id: UUID | None = None
    membership_id: UUID | None = None
    since: date | None = None
    until: date | None = None
    statuses: tuple[PaymentState, ...] = ()
