"""Tables of what members bought, its history, and the ledgers beside it."""

from app.memberships.models.bought import (
    Membership,
    MembershipFreeze,
    MembershipPlan,
    check_only_recurring,
    last_day,
)
from app.memberships.models.changes import MembershipChange, effective
from app.memberships.models.ledgers import CreditEntry, MembershipExtension, PaymentEntry

__all__ = [
    "CreditEntry",
    "Membership",
    "MembershipChange",
    "MembershipExtension",
    "MembershipFreeze",
    "MembershipPlan",
    "PaymentEntry",
    "check_only_recurring",
    "effective",
    "last_day",
]
