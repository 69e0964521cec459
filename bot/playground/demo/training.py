"""What is trained in the demo gym: workouts, a program somebody follows, and today's workout."""

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

_WEEKS = 4
_DAYS = (1, 4)
"""Of each week."""


def train(site: Site, class_type_id: UUID, member_id: UUID) -> None:
    """The workout of the day is that class type's; the member starts the program tomorrow."""
    made = [
        _workout(site, text, title)
        for text, title in zip(WORKOUT_TEXTS, WORKOUT_TITLES[site.actor.language], strict=True)
    ]
    new = NewDaily(Key(site.today, class_type_id), made[0])
    daily.put(site.session, site.actor, new, now=site.now)
    daily.publish(site.session, site.actor, new.key, now=site.now)
    outline = tuple(
        Placement(week, day, workout_id)
        for week in range(1, _WEEKS + 1)
        for day, workout_id in zip(_DAYS, reversed(made), strict=True)
    )
    _program(site, outline, member_id)


def _workout(site: Site, text: str, title: str) -> UUID:
    new = workouts.new_from_text(site.session, site.actor, text, title)
    return workouts.create(site.session, site.actor, new).brief.id


def _program(site: Site, outline: tuple[Placement, ...], member_id: UUID) -> None:
    new = NewProgram(PROGRAM[site.actor.language], _WEEKS, len(_DAYS), outline=outline)
    program_id = programs.create(site.session, site.actor, new).id
    published = ProgramChanges(status=ProgramStatus.PUBLISHED)
    programs.update(site.session, program_id, published)
    wish = AssignRequest(site.today + timedelta(days=1), program_id=program_id)
    copy = assigning.copy_of(site.session, site.actor, wish, today=site.today)
    assigning.assign(site.session, site.actor, member_id, copy)
