"""The workout of the day, as coaches ask for it."""

from typing import Any

from app.core.actor import Role
from app.programs.service import daily
from app.programs.service.daily import Key
from tests.programming import SUNDAY, class_type, programmed, workout
from tests.requests.request import Request
from tests.studio import Studio


def tomorrow(studio: Studio) -> dict[str, Any]:
    """A kind of class that has Fran tomorrow, as a draft."""
    kind = class_type(studio)
    programmed(studio, kind, studio.day(1))
    return {"date": str(studio.day(1)), "class_type_id": kind}


def squats_tomorrow(studio: Studio) -> dict[str, Any]:
    """A kind of class whose workout has a part to show."""
    kind = class_type(studio)
    programmed(studio, kind, studio.day(1), workout(studio, "Squats", percents=(70, 75, 80)))
    return {"date": str(studio.day(1)), "class_type_id": kind}


def published(studio: Studio) -> dict[str, Any]:
    found = tomorrow(studio)
    with studio.act() as session:
        key = Key(studio.day(1), found["class_type_id"])
        daily.publish(session, studio.coach, key, now=studio.now)
    return found


def replaced(studio: Studio) -> dict[str, Any]:
    """Another workout in place of Fran."""
    return {**tomorrow(studio), "workout_id": workout(studio, "Cindy")}


def this_week(studio: Studio) -> dict[str, Any]:
    return {"class_type_id": tomorrow(studio)["class_type_id"]}


def copied(studio: Studio) -> dict[str, Any]:
    """Two days of this week; one of them is taken next week."""
    kind = class_type(studio)
    programmed(studio, kind, studio.day(1))
    programmed(studio, kind, studio.day(2), workout(studio, "Cindy"))
    programmed(studio, kind, studio.day(9), workout(studio, "Grace"))
    return {
        "from_week_start": str(studio.day(0)),
        "to_week_start": str(SUNDAY),
        "class_type_ids": [str(kind)],
    }


REQUESTS = [
    Request(
        "daily_programming.get_day",
        "what's the wod tomorrow?",
        squats_tomorrow,
        ("Squats", "80%"),
        role=Role.COACH,
    ),
    Request("daily_programming.get_week", "מה מתוכנן השבוע?", this_week, ("Fran",)),
    Request(
        "daily_programming.set",
        "make it Cindy tomorrow instead",
        replaced,
        ("Cindy", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "daily_programming.update",
        "show tomorrow's wod at eight tonight",
        lambda studio: {**tomorrow(studio), "publish_at": f"{studio.day(0)}T20:00"},
        ("Fran", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "daily_programming.copy_week",
        "скопируй план этой недели на следующую",
        copied,
        ("вернуть",),
        role=Role.COACH,
    ),
    Request("daily_programming.publish", "תפרסם את האימון של מחר", tomorrow, ("Fran", "להחזיר")),
    Request(
        "daily_programming.unpublish",
        "hide tomorrow's wod again",
        published,
        ("Fran", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "daily_programming.clear",
        "take tomorrow's wod off",
        published,
        ("Fran", "UNDO"),
        role=Role.COACH,
    ),
]
