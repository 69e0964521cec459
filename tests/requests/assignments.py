"""Assigned programs, as coaches ask for them."""

from typing import Any

from app.core.actor import Role
from app.programs.queries import assignments as queries
from app.programs.service import moving
from tests.programming import SUNDAY, assignment, program
from tests.requests.request import Request
from tests.studio import Studio


def given(studio: Studio) -> dict[str, Any]:
    """A member's program, from next Sunday on."""
    member = studio.member()
    return {"assignment_id": assignment(studio, member, program(studio)), "member_id": member}


def one(studio: Studio) -> dict[str, Any]:
    return {"assignment_id": given(studio)["assignment_id"]}


def begun(studio: Studio) -> dict[str, Any]:
    """One that began today and goes on every day."""
    made = assignment(
        studio,
        studio.member(),
        program(studio),
        start=studio.day(0),
        weekdays=tuple(range(7)),
    )
    return {"assignment_id": made}


def listed(studio: Studio) -> dict[str, Any]:
    return {"member_id": given(studio)["member_id"]}


def looked_after(studio: Studio) -> dict[str, Any]:
    begun(studio)
    return {"coach_id": studio.staff[Role.COACH], "sort": "name"}


def paused(studio: Studio) -> dict[str, Any]:
    found = one(studio)
    with studio.act() as session:
        moving.pause(session, studio.coach, found["assignment_id"], today=studio.day(0))
    return {**found, "resume_on": str(studio.day(9))}


def marked(studio: Studio) -> dict[str, Any]:
    found = begun(studio)
    with studio.act() as session:
        day = queries.days(session, found["assignment_id"], today=studio.day(0))[0]
    return {**found, "assignment_day_id": day.id, "status": "done", "note": "92.5 for five"}


def to_dana(studio: Studio) -> dict[str, Any]:
    return {
        "member_id": studio.member(),
        "program_id": program(studio),
        "start_date": str(SUNDAY),
        "days_of_week": ["sun", "mon", "thu"],
        "notes": "Warm up well",
    }


def to_many(studio: Studio) -> dict[str, Any]:
    """One of the three has it already."""
    chosen = program(studio)
    members = [studio.member(name) for name in ("Dana Levi", "Noa Katz", "Omer Bar")]
    assignment(studio, members[2], chosen)
    return {
        "member_ids": [str(member) for member in members],
        "program_id": chosen,
        "start_date": str(SUNDAY),
    }


REQUESTS = [
    Request("assignments.list", "что назначено Дане?", listed, ("Squat cycle",)),
    Request("assignments.get", "how is Dana's program going?", one, ("Dana Levi", "Back squat")),
    Request(
        "assignments.coach_overview",
        "מי מהמתאמנים צריך תשומת לב?",
        looked_after,
        ("Dana Levi",),
        role=Role.COACH,
    ),
    Request(
        "assignments.get_compliance",
        "сколько Дана выполнила?",
        begun,
        ("Dana Levi",),
        role=Role.COACH,
    ),
    Request(
        "assignments.create",
        "назначь Дане прогу на присед со след вс, вс пн чт",
        to_dana,
        ("Squat cycle", "вернуть"),
        role=Role.COACH,
    ),
    Request(
        "assignments.bulk_create",
        "give Dana, Noa and Omer the squat cycle from sunday",
        to_many,
        ("Squat cycle", "Omer Bar", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "assignments.update",
        "move all that is left of Dana's program by a week",
        lambda studio: {**one(studio), "shift_days": 7},
        ("Squat cycle", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "assignments.pause",
        "דנה בחו״ל, תשהה לה את התוכנית עד 12.12",
        lambda studio: {**one(studio), "until": str(studio.day(12)), "reason": "Abroad"},
        ("Dana Levi", "להחזיר"),
    ),
    Request(
        "assignments.resume",
        "Dana is back on the 9th, her program goes on",
        paused,
        ("Dana Levi", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "assignments.complete",
        "Dana has finished the cycle, well done",
        lambda studio: {**begun(studio), "summary": "Squats 20 kg more"},
        ("Dana Levi", "UNDO"),
    ),
    Request(
        "assignments.set_workout_status",
        "Dana did today's squats",
        marked,
        ("Back squat", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "assignments.cancel",
        "отмени Дане программу",
        one,
        ("Squat cycle", "вернуть"),
        role=Role.COACH,
    ),
]
