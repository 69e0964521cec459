"""Automations: kept within the gym's plan, looked at, and carried out once for each occasion."""

from app.automations.service.doing import TELL_STAFF
from app.automations.service.keeping import (
    Seeded,
    create,
    delete,
    disable,
    enable,
    preview_enable,
    tier_changed,
    update,
)
from app.automations.service.running import (
    RUN,
    look,
    plan_now,
    put_off,
    run,
    run_for,
    stands,
    system,
)
from app.automations.service.seeding import seed_people

__all__ = [
    "RUN",
    "TELL_STAFF",
    "Seeded",
    "create",
    "delete",
    "disable",
    "enable",
    "look",
    "plan_now",
    "preview_enable",
    "put_off",
    "run",
    "run_for",
    "seed_people",
    "stands",
    "system",
    "tier_changed",
    "update",
]
