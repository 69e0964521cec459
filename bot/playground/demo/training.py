"""What is trained in the demo gym: workouts, a program somebody follows, and today's workout."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from app.programs.service import assigning, daily, programs
from app.programs.service.assigning import AssignRequest
from app.programs.service.daily import Key, NewDaily
from app.programs.service.programs import NewProgram, Placement, ProgramChanges
from app.programs.terms import ProgramStatus
from app.workouts.service import workouts
from bot.playground.demo.site import Site
from bot.playground.demo.texts import PROGRAM, WORKOUT_TEXTS, WORKOUT_TITLES

WEEKS = 4
DAYS = (1, 4)
"""Of each week."""


def train(site: Site, class_type_id: UUID, member_id: UUID) -> None:
    """The workout of the day is that class type's; the member starts the program tomorrow."""
    made = workouts_of(site)
    new = NewDaily(Key(site.today, class_type_id), made[0])
    daily.put(site.session, site.actor, new, now=site.now)
    daily.publish(site.session, site.actor, new.key, now=site.now)
    wish = AssignRequest(site.today + timedelta(days=1), program_id=program_of(site, made))
    copy = assigning.copy_of(site.session, site.actor, wish, today=site.today)
    assigning.assign(site.session, site.actor, member_id, copy)


def workouts_of(site: Site, series: str = "") -> list[UUID]:
    """One of each text; `series` follows their titles."""
    titles = WORKOUT_TITLES[site.actor.language]
    found = []
    for text, title in zip(WORKOUT_TEXTS, titles, strict=True):
        new = workouts.new_from_text(site.session, site.actor, text, f"{title} {series}".strip())
        found.append(workouts.create(site.session, site.actor, new).brief.id)
    return found


def program_of(site: Site, made: Sequence[UUID]) -> UUID:
    """A published program with these on each week's days."""
    outline = tuple(
        Placement(week, day, workout_id)
        for week in range(1, WEEKS + 1)
        for day, workout_id in zip(DAYS, reversed(made), strict=True)
    )
    new = NewProgram(PROGRAM[site.actor.language], WEEKS, len(DAYS), outline=outline)
    program_id = programs.create(site.session, site.actor, new).id
    programs.update(site.session, program_id, ProgramChanges(status=ProgramStatus.PUBLISHED))
    return program_id
