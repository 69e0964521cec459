"""Reading what is sold, what members bought and owe, and the ledger of credits."""

from app.memberships.queries.bought import (
    expiring,
    extensible,
    freezes,
    membership,
    memberships,
)
from app.memberships.queries.credits import (
    Lot,
    balance,
    covers,
    covers_of,
    ledger,
    lots,
    lots_of,
    plans_of,
)
from app.memberships.queries.current import covering, current, ends
from app.memberships.queries.owing import in_debt, owed, owes
from app.memberships.queries.payments import payments
from app.memberships.queries.plans import check_plans, plan, plans

__all__ = [
    "Lot",
    "balance",
    "check_plans",
    "covering",
    "covers",
    "covers_of",
    "current",
    "ends",
    "expiring",
    "extensible",
    "freezes",
    "in_debt",
    "ledger",
    "lots",
    "lots_of",
    "membership",
    "memberships",
    "owed",
    "owes",
    "payments",
    "plan",
    "plans",
    "plans_of",
]
