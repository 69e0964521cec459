"""Programs, as coaches ask for them."""

from typing import Any

from app.core.actor import Role
from app.programs.queries import programs as queries
from tests.programming import assignment, program, workout
from tests.requests.request import Request
from tests.studio import Studio


def one(studio: Studio) -> dict[str, Any]:
    return {"program_id": program(studio)}


def listed(studio: Studio) -> dict[str, Any]:
    one(studio)
    return {"q": "squat"}


def with_week(studio: Studio) -> dict[str, Any]:
    """Its second week."""
    found = one(studio)
    with studio.act() as session:
        return {**found, "week_id": queries.week(session, found["program_id"], 2).id}


def with_day(studio: Studio) -> dict[str, Any]:
    """The Monday of its first week, and a workout to put there."""
    found = one(studio)
    with studio.act() as session:
        day = queries.week(session, found["program_id"], 1).days[1]
    return {**found, "day_id": day.id, "workout_id": workout(studio, "Row intervals")}


def with_slot(studio: Studio) -> dict[str, Any]:
    """The workout of the Sunday of its first week."""
    found = one(studio)
    with studio.act() as session:
        slot = queries.week(session, found["program_id"], 1).slots[0]
    return {**found, "slot_id": slot.id}


def in_use(studio: Studio) -> dict[str, Any]:
    found = one(studio)
    assignment(studio, studio.member(), found["program_id"])
    return found


def heavier_copy(studio: Studio) -> dict[str, Any]:
    return {**one(studio), "copy_from_week": 2, "load_delta_pct": 5}


def outlined(studio: Studio) -> dict[str, Any]:
    placed = {"week": 1, "day": 1, "workout_id": str(workout(studio, "Clean ladder"))}
    return {
        "title": "Clean and jerk",
        "weeks": 4,
        "days_per_week": 2,
        "focuses": ["Base", "Build", "Peak", "Deload"],
        "outline": [placed],
    }


REQUESTS = [
    Request("programs.list", "какие у нас программы на присед?", listed, ("Squat cycle",)),
    Request(
        "programs.get",
        "תראה לי את השבוע הראשון של תוכנית הסקוואט",
        lambda studio: {**one(studio), "week": 1},
        ("Squat cycle", "Back squat"),
        role=Role.COACH,
    ),
    Request(
        "programs.create",
        "make a 4 week clean and jerk program, twice a week",
        outlined,
        ("Clean and jerk", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "programs.update",
        "publish the squat cycle",
        lambda studio: {**one(studio), "status": "published", "level": "advanced"},
        ("Squat cycle", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "programs.duplicate",
        "сделай копию приседа для весны",
        lambda studio: {**one(studio), "title": "Spring squats"},
        ("Spring squats", "вернуть"),
    ),
    Request(
        "programs.add_week",
        "add a week like week 2 but 5% heavier",
        heavier_copy,
        ("Squat cycle", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "programs.remove_week",
        "תוריד את השבוע השני מתוכנית הסקוואט",
        with_week,
        ("Squat cycle", "להחזיר"),
    ),
    Request(
        "programs.add_workout",
        "put the row intervals on monday of week 1",
        with_day,
        ("Row intervals", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "programs.move_workout",
        "move sunday's squats to tuesday of week 2",
        lambda studio: {**with_slot(studio), "to_week": 2, "to_day": 4},
        ("Back squat", "UNDO"),
    ),
    Request(
        "programs.remove_workout",
        "убери присед с воскресенья первой недели",
        with_slot,
        ("Back squat", "вернуть"),
        role=Role.COACH,
    ),
    Request(
        "programs.delete",
        "delete the squat cycle, whoever has it can keep it",
        lambda studio: {**in_use(studio), "on_active_assignments": "keep_copies"},
        ("Squat cycle", "UNDO"),
        role=Role.COACH,
    ),
    Request("programs.delete", "delete the squat cycle", in_use, ("Squat cycle", "Dana Levi")),
]
