"""Making programs and changing what they hold; whoever was given one keeps what they have."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import BadInput
from app.programs.body import MOST_WEEKS, Body, blank_week
from app.programs.calendar import Spot
from app.programs.errors import OnlyWeek, ProgramEmpty, TooManyWeeks
from app.programs.models import Program, ProgramWeek
from app.programs.queries import programs as queries
from app.programs.service import building
from app.programs.service.building import Head
from app.programs.terms import Level, ProgramStatus
from app.programs.views import ProgramView, WeekView


@dataclass(frozen=True, slots=True)
class Placement:
    """A workout, and the day it is for."""

    week: int
    day: int
    workout_id: UUID


@dataclass(frozen=True, slots=True)
class NewProgram:
    title: str
    weeks: int
    days_per_week: int
    goal: str | None = None
    level: Level = Level.ANY
    description: str | None = None
    focuses: tuple[str, ...] = ()
    """What each week is about, from the first one on."""
    outline: tuple[Placement, ...] = ()


@dataclass(frozen=True, slots=True)
class ProgramChanges:
    """What is to be different; None leaves a thing as it is, '' takes it away."""

    title: str | None = None
    description: str | None = None
    goal: str | None = None
    level: Level | None = None
    status: ProgramStatus | None = None


@dataclass(frozen=True, slots=True)
class NewWeek:
    position: int | None = None
    """Before which week it comes; None: after the last."""
    copy_from: int | None = None
    load_delta_pct: int = 0


def create(session: Session, actor: Actor, new: NewProgram) -> ProgramView:
    """Raises BadInput for what is placed outside of it, NotFound, WorkoutArchived."""
    if new.weeks > MOST_WEEKS:
        raise TooManyWeeks(limit=MOST_WEEKS)
    if len(new.focuses) > new.weeks:
        raise BadInput(fields=("focuses",))
    made = building.draft(
        session,
        actor,
        Head(title=new.title, description=new.description, goal=new.goal, level=new.level),
    )
    building.fill(session, made, _outlined(session, actor, new))
    return queries.program_view(session, made.id)


def update(
    session: Session,
    program_id: UUID,
    changes: ProgramChanges,
    *,
    expected_version: int | None = None,
) -> ProgramView:
    """Raises StaleVersion, and ProgramEmpty for publishing one without a workout."""
    row = building.lock(session, program_id, expected_version=expected_version)
    if changes.status is ProgramStatus.PUBLISHED:
        check_filled(session, row)
    row.title = row.title if changes.title is None else changes.title
    row.description = _words(row.description, changes.description)
    row.goal = _words(row.goal, changes.goal)
    row.level = changes.level or row.level
    row.status = changes.status or row.status
    session.flush()
    return queries.program_view(session, row.id)


def duplicate(
    session: Session, actor: Actor, program_id: UUID, title: str | None = None
) -> ProgramView:
    """A draft with the same weeks and workouts; without a title, the same one and a number."""
    source = queries.program(session, program_id)
    head = Head(
        title=title or _numbered(session, source.title),
        description=source.description,
        goal=source.goal,
        level=source.level,
    )
    copy = building.draft(session, actor, head, template_id=source.template_id)
    building.fill(session, copy, queries.body(session, source.id))
    return queries.program_view(session, copy.id)


def add_week(session: Session, program_id: UUID, new: NewWeek) -> WeekView:
    """Raises NotFound for a week to copy that isn't there, BadInput, TooManyWeeks."""
    row = building.lock(session, program_id)
    count = _count(session, row)
    number = count + 1 if new.position is None else new.position
    if number > count + 1:
        raise BadInput(fields=("position",))
    if count >= MOST_WEEKS:
        raise TooManyWeeks(limit=MOST_WEEKS)
    if new.copy_from is None:
        week = queries.body(session, row.id).weeks[-1].emptied
    else:
        queries.week(session, row.id, new.copy_from)
        source = queries.body(session, row.id).weeks[new.copy_from - 1]
        week = source.heavier(new.load_delta_pct)
    _shift(session, row, number, 1)
    building.put_week(session, row, week, number)
    building.changed(row)
    session.flush()
    return queries.week(session, row.id, number)


def check_remove_week(session: Session, program_id: UUID, week_id: UUID) -> WeekView:
    """The week that would go. Raises NotFound, OnlyWeek."""
    row = queries.program(session, program_id)
    week = queries.week_of_id(session, program_id, week_id)
    if _count(session, row) == 1:
        raise OnlyWeek
    return week


def remove_week(session: Session, program_id: UUID, week_id: UUID) -> WeekView:
    """Later weeks move up. Raises NotFound, OnlyWeek."""
    row = building.lock(session, program_id)
    week = check_remove_week(session, program_id, week_id)
    session.delete(session.get_one(ProgramWeek, week.id))
    session.flush()
    _shift(session, row, week.number + 1, -1)
    building.changed(row)
    session.flush()
    return week


def check_filled(session: Session, row: Program) -> Body:
    """What it holds. Raises ProgramEmpty."""
    body = queries.body(session, row.id)
    if not any(body.placed()):
        raise ProgramEmpty(program=row.title)
    return body


def _outlined(session: Session, actor: Actor, new: NewProgram) -> Body:
    slots = building.slots_of(session, actor, {one.workout_id for one in new.outline})
    focuses = [*new.focuses, *[None] * new.weeks][: new.weeks]
    body = Body(weeks=tuple(blank_week(new.days_per_week, focus) for focus in focuses))
    for spot in {Spot(one.week, one.day) for one in new.outline}:
        if spot.week_no > new.weeks:
            raise BadInput(fields=("outline",))
        placed = [slots[one.workout_id] for one in new.outline if (one.week, one.day) == spot]
        body = body.with_day(spot, tuple(placed))
    return body


def _numbered(session: Session, title: str) -> str:
    """'Squat (2)', or the next number that is free."""
    like = Program.title.startswith(f"{title} (", autoescape=True)
    return building.free_title(title, session.scalars(select(Program.title).where(like)).all())


def _count(session: Session, row: Program) -> int:
    query = select(func.count(ProgramWeek.id)).where(ProgramWeek.program_id == row.id)
    return session.scalar(query) or 0


def _shift(session: Session, row: Program, first: int, by: int) -> None:
    query = select(ProgramWeek).where(ProgramWeek.program_id == row.id, ProgramWeek.number >= first)
    for week in session.scalars(query):
        week.number += by
    session.flush()


def _words(old: str | None, new: str | None) -> str | None:
    return old if new is None else new or None
