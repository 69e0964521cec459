"""The rules of the schedule: kinds of class, dated classes, repeating ones."""

from app.schedule.service.class_types import (
    ClassTypeChanges,
    NewClassType,
    check_deletable,
    create_class_type,
    delete_class_type,
    set_active,
    update_class_type,
)
from app.schedule.service.classes import (
    Changes,
    NewSession,
    bring_in,
    change,
    check_coach,
    check_future,
    check_scheduled,
    create,
    lock,
    shift,
)

__all__ = [
    "Changes",
    "ClassTypeChanges",
    "NewClassType",
    "NewSession",
    "bring_in",
    "change",
    "check_coach",
    "check_deletable",
    "check_future",
    "check_scheduled",
    "create",
    "create_class_type",
    "delete_class_type",
    "lock",
    "set_active",
    "shift",
    "update_class_type",
]
