"""Plans, memberships and every movement of credits: the rules, by what they are about."""

from app.memberships.service.credits import (
    Adjustment,
    Charge,
    adjust,
    consume,
    cost_of,
    give_back,
    grant,
    take_again,
)
from app.memberships.service.ending import (
    Ending,
    Extended,
    cancel,
    changed_at,
    extend,
    preview_cancel,
    preview_extend,
    reinstate,
)
from app.memberships.service.freezing import (
    FreezeWish,
    Frozen,
    bring_in_freeze,
    freeze,
    newest_freeze_at,
    preview_freeze,
    unfreeze,
)
from app.memberships.service.payments import Payment, take_in
from app.memberships.service.plans import (
    NewPlan,
    PlanChanges,
    archive_plan,
    check_whole,
    create_plan,
    update_plan,
)
from app.memberships.service.selling import PlanMove, Terms, change_plan, create, sell
from app.memberships.service.turning import roll_over

__all__ = [
    "Adjustment",
    "Charge",
    "Ending",
    "Extended",
    "FreezeWish",
    "Frozen",
    "NewPlan",
    "Payment",
    "PlanChanges",
    "PlanMove",
    "Terms",
    "adjust",
    "archive_plan",
    "bring_in_freeze",
    "cancel",
    "change_plan",
    "changed_at",
    "check_whole",
    "consume",
    "cost_of",
    "create",
    "create_plan",
    "extend",
    "freeze",
    "give_back",
    "grant",
    "newest_freeze_at",
    "preview_cancel",
    "preview_extend",
    "preview_freeze",
    "reinstate",
    "roll_over",
    "sell",
    "take_again",
    "take_in",
    "unfreeze",
    "update_plan",
]
