"""Rows from bodies: putting weeks, days and workouts into a program."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.errors import NotFound, StaleVersion
from app.core.ids import new_id
from app.people import queries as people
from app.programs.body import MOST_A_DAY, MOST_WEEKS, Body, BodyDay, BodyWeek, Slot
from app.programs.errors import ProgramDayFull, TooManyWeeks, WorkoutArchived
from app.programs.models import Program, ProgramDay, ProgramWeek, ProgramWorkout
from app.programs.terms import Level
from app.workouts import queries as workouts
from app.workouts.terms import Visibility, WorkoutStatus
from app.workouts.views import WorkoutBrief


@dataclass(frozen=True, slots=True)
class Head:
    """What a program, or a template, says of itself."""

    title: str
    description: str | None = None
    goal: str | None = None
    level: Level = Level.ANY


def draft(
    session: Session, actor: Actor, head: Head, *, template_id: UUID | None = None
) -> Program:
    """A program with nothing in it yet."""
    made = Program(
        id=new_id(),
        org_id=actor.org_id,
        title=head.title,
        description=head.description,
        goal=head.goal,
        level=head.level,
        owner_id=own_place(session, actor),
        template_id=template_id,
    )
    session.add(made)
    session.flush()
    return made


def free_title(title: str, taken: Sequence[str]) -> str:
    """The title with the first number from 2 on that nothing bears yet."""
    return next(one for one in (f"{title} ({n})" for n in count(2)) if one not in taken)


def lock(session: Session, program_id: UUID, *, expected_version: int | None = None) -> Program:
    """The row of a program, for this transaction alone. Raises NotFound, StaleVersion."""
    query = select(Program).where(Program.id == program_id)
    found = session.scalar(query.with_for_update().execution_options(populate_existing=True))
    if found is None:
        raise NotFound(what="program")
    if expected_version is not None and found.version != expected_version:
        raise StaleVersion(version=found.version)
    return found


def changed(program: Program) -> None:
    """Say that what it holds is another than before: a number that no other state of it had."""
    program.revision = program.version + 1


def own_place(session: Session, actor: Actor) -> UUID | None:
    """The caller as one of the team."""
    staff = people.staff_of_user(session, actor.user_id)
    return None if staff is None else staff.id


def slots_of(session: Session, actor: Actor, workout_ids: Iterable[UUID]) -> dict[UUID, Slot]:
    """Workouts as they are placed anew. Raises NotFound, WorkoutArchived."""
    wanted = set(workout_ids)
    found = workouts.briefs(session, wanted)
    if wanted - found.keys():
        raise NotFound(what="workout")
    for one in found.values():
        if not may_see(actor, one):
            raise NotFound(what="workout")
        if one.status is WorkoutStatus.ARCHIVED:
            raise WorkoutArchived(workout=one.title)
    return {key: Slot(workout_id=key, title=one.title) for key, one in found.items()}


def may_see(actor: Actor, workout: WorkoutBrief) -> bool:
    """A private workout is its author's, and of who runs the gym."""
    hidden = workout.visibility is Visibility.PRIVATE and workout.created_by != actor.user_id
    return not hidden or actor.undoing or actor.role.at_least(Role.ADMIN)


def there(session: Session, body: Body) -> Collection[UUID]:
    """Those of a body's workouts that are still there."""
    return workouts.briefs(session, {one.slot.workout_id for one in body.placed()}).keys()


def fill(session: Session, program: Program, body: Body) -> None:
    """Put all that a body holds into a program that is empty. Raises TooManyWeeks."""
    if len(body.weeks) > MOST_WEEKS:
        raise TooManyWeeks(limit=MOST_WEEKS)
    for number, week in enumerate(body.weeks, 1):
        put_week(session, program, week, number)
    session.flush()


def put_week(session: Session, program: Program, week: BodyWeek, number: int) -> UUID:
    made = ProgramWeek(
        id=new_id(),
        org_id=program.org_id,
        program_id=program.id,
        number=number,
        focus=week.focus,
    )
    session.add(made)
    session.flush()
    days = [_day(made, day) for day in week.days]
    session.add_all(row for row, _ in days)
    session.flush()
    for row, day in days:
        put_slots(session, row, day.slots)
    return made.id


def put_slots(session: Session, day: ProgramDay, slots: Iterable[Slot]) -> None:
    """Raises ProgramDayFull."""
    placed = list(slots)
    check_room(len(placed))
    session.add_all(
        ProgramWorkout(
            org_id=day.org_id,
            day_id=day.id,
            workout_id=slot.workout_id,
            position=position,
            loads=dict(slot.loads),
        )
        for position, slot in enumerate(placed, 1)
    )


def check_room(workouts_: int) -> None:
    if workouts_ > MOST_A_DAY:
        raise ProgramDayFull(limit=MOST_A_DAY)


def _day(week: ProgramWeek, day: BodyDay) -> tuple[ProgramDay, BodyDay]:
    made = ProgramDay(
        id=new_id(), org_id=week.org_id, week_id=week.id, day_no=day.day_no, is_rest=day.is_rest
    )
    return made, day
