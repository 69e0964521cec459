"""Plans, memberships and every movement of credits: the rules, by what they are about."""

from app.memberships.service.credits import (
    Adjustment,
    Charge,
    adjust,
    consume,
    cost_of,
    give_back,
    grant,
    preview_adjust,
    take_again,
)
from app.memberships.service.ending import (
    Ending,
    Extended,
    cancel,
    changed_at,
    extend,
    extensible,
    preview_cancel,
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
    add_plan,
    archive_plan,
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
    "add_plan",
    "adjust",
    "archive_plan",
    "bring_in_freeze",
    "cancel",
    "change_plan",
    "changed_at",
    "consume",
    "cost_of",
    "create",
    "create_plan",
    "extend",
    "extensible",
    "freeze",
    "give_back",
    "grant",
    "newest_freeze_at",
    "preview_adjust",
    "preview_cancel",
    "preview_freeze",
    "reinstate",
    "roll_over",
    "sell",
    "take_again",
    "take_in",
    "unfreeze",
    "update_plan",
]
