"""Workouts, as coaches ask for them."""

from typing import Any
from uuid import UUID

from app.core.actor import Role
from app.programs.queries import programs
from app.workouts.service import results
from app.workouts.service import workouts as service
from app.workouts.service.results import NewResult
from app.workouts.views import WorkoutView
from tests.programming import lifted, program
from tests.requests.request import Request
from tests.studio import Studio

FRAN = "Fran\n21-15-9 for time\nThrusters 43/30kg\nPull-ups\nTC 8 min"
PLAN = "A. Back squat 5x5 @ 80%\nB. AMRAP 12\n10 burpees\n15 KB swings 24/16"


def saved(studio: Studio, text: str = FRAN, title: str | None = None) -> WorkoutView:
    """A workout as its text has it."""
    with studio.act() as session:
        new = service.new_from_text(session, studio.coach, text, title)
        return service.create(session, studio.coach, new)


def scored(studio: Studio, workout_id: UUID, member_id: UUID, score: str, **more: Any) -> UUID:  # noqa: ANN401 - as NewResult
    new = NewResult(workout_id=workout_id, member_id=member_id, score=score, **more)
    with studio.act() as session:
        return results.log_result(session, studio.coach, new, now=studio.now).result.id


def one(studio: Studio) -> dict[str, Any]:
    return {"workout_id": saved(studio).brief.id}


def found(studio: Studio) -> dict[str, Any]:
    one(studio)
    return {"q": "fran"}


def for_dana(studio: Studio) -> dict[str, Any]:
    member = studio.member()
    lifted(studio, member, 100)
    return {"workout_id": saved(studio, PLAN, "Tuesday").brief.id, "member_id": member}


def with_results(studio: Studio) -> dict[str, Any]:
    given = one(studio)
    scored(studio, given["workout_id"], studio.member(), "4:32")
    scored(studio, given["workout_id"], studio.member("Noa Cohen"), "3:58")
    return given


def section(studio: Studio) -> dict[str, Any]:
    """The second one of a class plan."""
    view = saved(studio, PLAN, "Tuesday")
    return {"workout_id": view.brief.id, "section_id": view.sections[1].id}


def capped(studio: Studio) -> dict[str, Any]:
    return {**section(studio), "scheme": {"type": "amrap", "duration_s": 900}}


def thruster(studio: Studio) -> dict[str, Any]:
    """In pounds, as the coach says it."""
    view = saved(studio)
    load = {"type": "absolute", "unit": "lb", "rx_m": 95, "rx_f": 65}
    movement = view.sections[0].movements[0].id
    return {"workout_id": view.brief.id, "movement_id": movement, "load": load}


def in_program(studio: Studio) -> dict[str, Any]:
    """On the days of a program, and meant to go all the same."""
    made = program(studio)
    with studio.act() as session:
        found = programs.week(session, made, 1).slots[0].workout_id
    return {"workout_id": found, "force": True}


def result(studio: Studio) -> dict[str, Any]:
    """Better than the last time."""
    given = {**one(studio), "member_id": studio.member()}
    scored(studio, given["workout_id"], given["member_id"], "4:32", performed_on=studio.day(-30))
    return {**given, "score": "3:58"}


def member_with_results(studio: Studio) -> dict[str, Any]:
    member = studio.member()
    scored(studio, saved(studio).brief.id, member, "4:32")
    lifted(studio, member, 100)
    return {"member_id": member}


REQUESTS = [
    Request(
        "workouts.list",
        "какие у нас есть Фрэн?",
        found,
        ("Fran",),
        role=Role.COACH,
    ),
    Request("workouts.get", "show me Fran", one, ("Thruster", "21-15-9", "8:00"), role=Role.COACH),
    Request("workouts.get", "what does Dana lift on Tuesday?", for_dana, ("80 kg",)),
    Request(
        "workouts.parse_text",
        "תקרא לי את זה: אמרפ 12, 10 ברפי, 15 סווינג 24/16",
        lambda _: {"text": "אמרפ 12 דק׳:\n10 ברפי\n15 קטלבל סווינג 24/16"},
        ("AMRAP", "12:00", "24/16"),
        role=Role.COACH,
    ),
    Request(
        "workouts.create",
        "save this as Fran: 21-15-9 thrusters 43/30 and pull-ups",
        lambda _: {"text": FRAN},
        ("Fran", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "workouts.update",
        "назови её «Фрэн» и убери в архив",
        lambda studio: {**one(studio), "title": "Фрэн", "status": "archived"},
        ("Фрэн", "вернуть"),
    ),
    Request(
        "workouts.duplicate",
        "תשכפל את פראן בשם Fran light",
        lambda studio: {**one(studio), "title": "Fran light"},
        ("Fran light", "להחזיר"),
        role=Role.COACH,
    ),
    Request(
        "workouts.add_section",
        "add a warm-up: 3 rounds of 10 air squats",
        lambda studio: {
            **one(studio),
            "position": 1,
            "section": {
                "kind": "warmup",
                "scheme": {"type": "rounds_for_quality", "rounds": 3},
                "movements": [{"exercise": "air_squat", "reps": 10}],
            },
        },
        ("Fran", "Warm-up", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "workouts.update_section", "make B 15 minutes", capped, ("Tuesday", "UNDO"), role=Role.COACH
    ),
    Request("workouts.remove_section", "убери часть B", section, ("Tuesday",), role=Role.COACH),
    Request(
        "workouts.update_movement",
        "make the thrusters 95/65 lb instead",
        thruster,
        ("Thruster", "UNDO"),
        role=Role.COACH,
    ),
    Request("workouts.delete", "delete this workout", one, ("Fran",), role=Role.COACH),
    Request("workouts.delete", "תמחק אותו בכל זאת", in_program, ("האימון נמחק",)),
    Request(
        "workouts.log_result",
        "Дана сделала Фрэн за 3:58",
        result,
        ("Dana Levi", "3:58", "Личный рекорд"),
        role=Role.COACH,
    ),
    Request("workouts.list_results", "who was fastest in Fran?", with_results, ("3:58", "4:32")),
    Request(
        "workouts.create_exercise",
        "add the exercise flurb, we call it FLB",
        lambda _: {"name": "Flurb", "aliases": ["FLB"], "equipment": ["barbell"]},
        ("Flurb", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "read.search_exercises",
        "מה זה תלמ?",
        lambda _: {"q": "תלמ"},
        ("toes_to_bar",),
        role=Role.COACH,
    ),
    Request(
        "read.get_member_results",
        "какие рекорды у Даны?",
        member_with_results,
        ("4:32", "Back squat", "100 кг"),
        role=Role.COACH,
    ),
]
