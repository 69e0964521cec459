"""Closed sets about plans, memberships and credits."""

from enum import StrEnum


class PlanKind(StrEnum):
    RECURRING = "recurring"
    FIXED_TERM = "fixed_term"
    PUNCH_CARD = "punch_card"
    TRIAL = "trial"
    DROP_IN = "drop_in"


class PeriodUnit(StrEnum):
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


class MembershipStatus(StrEnum):
    PENDING = "pending"
    ACTIVE = "active"
    FROZEN = "frozen"
    PAST_DUE = "past_due"
    CANCEL_SCHEDULED = "cancel_scheduled"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class PaymentStatus(StrEnum):
    PAID = "paid"
    DUE = "due"
    FAILED = "failed"
    OVERDUE = "overdue"
    WAIVED = "waived"
    EXTERNAL = "external"


OWING = (PaymentStatus.FAILED, PaymentStatus.OVERDUE)
NOT_OWED = (PaymentStatus.WAIVED, PaymentStatus.EXTERNAL)
"""What was waived, or is paid elsewhere, whatever a ledger tells."""


class PaymentKind(StrEnum):
    CHARGE = "charge"
    REFUND = "refund"
    ADJUSTMENT = "adjustment"
    CHARGEBACK = "chargeback"


class PaymentState(StrEnum):
    """What became of one payment, as its provider tells it."""

    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    REFUNDED = "refunded"
    VOID = "void"


UNSETTLED = (PaymentState.FAILED, PaymentState.PENDING)
CAME_IN = (PaymentState.SUCCEEDED, PaymentState.REFUNDED)
"""Though some of it may have gone back since."""


class CreditReason(StrEnum):
    GRANT = "grant"
    CONSUME = "consume"
    REFUND = "refund"
    EXPIRE = "expire"
    ADJUST = "adjust"
    TRANSFER = "transfer"
    REVERSE = "reverse"


LIVE = (
    MembershipStatus.ACTIVE,
    MembershipStatus.FROZEN,
    MembershipStatus.PAST_DUE,
    MembershipStatus.CANCEL_SCHEDULED,
    MembershipStatus.PENDING,
)
"""Statuses on which a class may be booked, if the dates agree."""
OVER = (MembershipStatus.CANCELLED, MembershipStatus.EXPIRED)
