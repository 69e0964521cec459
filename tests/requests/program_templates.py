"""Program templates, as coaches ask for them."""

from typing import Any

from app.core.actor import Role
from tests.programming import SUNDAY, lifted, program, template, workout
from tests.requests.request import Request
from tests.studio import Studio

PERCENTS = (70, 75)


def one(studio: Studio) -> dict[str, Any]:
    return {"template_id": template(studio, percents=PERCENTS)}


def listed(studio: Studio) -> dict[str, Any]:
    one(studio)
    return {"q": "Streng"}


def previewed(studio: Studio) -> dict[str, Any]:
    """On a member whose best single is known."""
    member = studio.member("Noa Katz")
    lifted(studio, member, 93)
    days = ["sun", "tue", "thu"]
    return {**one(studio), "start_date": str(SUNDAY), "days_of_week": days, "member_id": member}


def filled(studio: Studio) -> dict[str, Any]:
    percents = [{"lift": "back_squat", "percent": 75}]
    return {**one(studio), "title": "Noa's strength", "parameters": percents}


def edited(studio: Studio) -> dict[str, Any]:
    return {**one(studio), "week": 1, "day": 3, "workouts": [str(workout(studio, "Front squat"))]}


REQUESTS = [
    Request("program_templates.list", "какие есть шаблоны программ?", listed, ("Strength",)),
    Request(
        "program_templates.get",
        "what's in the strength template?",
        one,
        ("Strength", "starts at: 70%"),
        role=Role.COACH,
    ),
    Request(
        "program_templates.preview",
        "תראה לי איך התבנית של הכוח יוצאת אצל נועה אם מתחילים ב-6.12 בימים א ג ה",
        previewed,
        ("Strength", "Back squat"),
        role=Role.COACH,
    ),
    Request(
        "program_templates.create_from_program",
        "keep the squat cycle as a template",
        lambda studio: {"program_id": program(studio), "title": "Squat template"},
        ("Squat template", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "program_templates.update",
        "the strength template is for beginners",
        lambda studio: {**one(studio), "level": "beginner"},
        ("Strength", "UNDO"),
    ),
    Request(
        "program_templates.edit_day",
        "в шаблоне силы поставь фронтальный присед на вторник первой недели",
        edited,
        ("Front squat", "вернуть"),
        role=Role.COACH,
    ),
    Request(
        "program_templates.duplicate",
        "תשכפל את תבנית הכוח",
        one,
        ("Strength", "להחזיר"),
    ),
    Request(
        "program_templates.instantiate",
        "make Noa a strength program from the template, squats start at 75",
        filled,
        ("Noa's strength", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "program_templates.delete",
        "delete the strength template",
        one,
        ("Strength", "UNDO"),
    ),
]
