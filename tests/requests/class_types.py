"""Class types, as coaches ask for them."""

from typing import Any

from app.core.actor import Role
from app.schedule import queries
from app.schedule import service as schedule
from app.schedule.service import NewClassType
from tests.requests.request import Request
from tests.studio import Studio


def another(studio: Studio, name: str) -> str:
    """A name that no type of the gym has yet, the same in every gym of so many types."""
    with studio.act() as session:
        known = queries.list_class_types(session, studio.org_id, "en", active=None)
    return f"{name} {len(known)}"


def yoga(studio: Studio, *, active: bool = True) -> dict[str, Any]:
    """A type of its own that nobody has scheduled yet."""
    name = another(studio, "Yoga")
    with studio.act() as session:
        made = schedule.create_class_type(session, studio.org_id, NewClassType(name, capacity=10))
        if not active:
            schedule.set_active(session, made, active=False)
    return {"class_type_id": made}


def rules(studio: Studio) -> dict[str, Any]:
    cutoffs = [{"kind": "previous_day_at", "at": "20:00"}]
    return {**yoga(studio), "capacity": 14, "booking_policy": {"cancel_cutoffs": cutoffs}}


REQUESTS = [
    Request("class_types.list", "what classes do we have?", shows=("WOD",)),
    Request(
        "class_types.create",
        "תוסיף סוג שיעור: מוביליטי, 45 דקות, 8 מקומות",
        lambda studio: {
            "name": another(studio, "Mobility"),
            "duration_min": 45,
            "capacity": 8,
        },
        ("Mobility", "להחזיר"),
        role=Role.ADMIN,
    ),
    Request(
        "class_types.update",
        "yoga takes 14 now, and cancelling is free until eight the evening before",
        rules,
        ("Yoga", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "class_types.archive",
        "мы больше не ведём йогу, убери её из расписания",
        yoga,
        ("Yoga", "вернуть"),
        role=Role.ADMIN,
    ),
    Request(
        "class_types.unarchive",
        "yoga is back",
        lambda studio: yoga(studio, active=False),
        ("Yoga", "UNDO"),
        role=Role.ADMIN,
    ),
    Request("class_types.delete", "תמחק את היוגה, פתחתי בטעות", yoga, ("Yoga", "להחזיר")),
]
