"""Workouts, programs, templates and assignments for tests: one line for each."""

from datetime import date
from typing import Any
from uuid import UUID

from app.programs.service import assigning, attaching, daily, templates
from app.programs.service import programs as service
from app.programs.service.assigning import AssignRequest
from app.programs.service.attaching import Attachment
from app.programs.service.daily import Key, NewDaily
from app.programs.service.programs import NewProgram, Placement
from app.programs.service.templates import NewTemplate
from app.schedule import queries
from app.schedule import service as schedule
from app.schedule.service import NewClassType
from app.workouts.models import PersonalRecord, Workout, WorkoutMovement, WorkoutSection
from app.workouts.terms import ScoreType, SectionKind, WeightUnit, WorkoutStatus
from tests.studio import Studio

SUNDAY = date(2026, 12, 6)
"""The first one after the tests' Monday."""


def workout(
    studio: Studio, title: str = "Fran", *, archived: bool = False, percents: tuple[int, ...] = ()
) -> UUID:
    """With back squats at so many percent of the maximum, if some are given."""
    with studio.act() as session:
        status = WorkoutStatus.ARCHIVED if archived else WorkoutStatus.READY
        made = Workout(org_id=studio.org_id, title=title, status=status)
        session.add(made)
        session.flush()
        if percents:
            load = {"type": "percent", "value": list(percents), "of": "1rm", "lift": "back_squat"}
            section = WorkoutSection(
                org_id=studio.org_id,
                workout_id=made.id,
                position=1,
                kind=SectionKind.STRENGTH,
                scheme={"type": "sets"},
                score=ScoreType.LOAD,
            )
            session.add(section)
            session.flush()
            movement = WorkoutMovement(
                org_id=studio.org_id,
                section_id=section.id,
                position=1,
                exercise="back_squat",
                dose={"load": load},
            )
            session.add(movement)
        return made.id


def lifted(studio: Studio, member: UUID, kilos: int) -> None:
    """A member's best single of the back squat."""
    with studio.act() as session:
        record = PersonalRecord(
            org_id=studio.org_id,
            member_id=member,
            exercise="back_squat",
            rep_max=1,
            value_g=kilos * 1_000,
            unit=WeightUnit.KG,
            achieved_on=studio.day(-30),
        )
        session.add(record)


def program(
    studio: Studio,
    title: str = "Squat cycle",
    *,
    weeks: int = 2,
    days: tuple[int, ...] = (1, 3, 5),
    percents: tuple[int, ...] = (),
    **more: Any,  # noqa: ANN401 - as NewProgram
) -> UUID:
    """The same workout on some days of every week."""
    placed = workout(studio, "Back squat", percents=percents)
    outline = tuple(Placement(week, day, placed) for week in range(1, weeks + 1) for day in days)
    with studio.act() as session:
        new = NewProgram(title, weeks, len(days), outline=outline, **more)
        return service.create(session, studio.coach, new).id


def template(studio: Studio, title: str = "Strength", **more: Any) -> UUID:  # noqa: ANN401 - as program
    source = program(studio, **more)
    with studio.act() as session:
        new = NewTemplate(source, title)
        return templates.create_from_program(session, studio.coach, new).id


def assignment(
    studio: Studio, member: UUID, of: UUID, *, start: date = SUNDAY, weekdays: tuple[int, ...] = ()
) -> UUID:
    with studio.act() as session:
        wish = AssignRequest(start, program_id=of, weekdays=weekdays)
        made = assigning.create(session, studio.coach, member, wish, today=studio.day(0))
        return made.id


def class_type(studio: Studio) -> UUID:
    """Another kind of class each time; no two may be called the same."""
    with studio.act() as session:
        known = queries.list_class_types(session, studio.org_id, "en", active=None)
        new = NewClassType(f"Engine {len(known)}", capacity=12)
        return schedule.create_class_type(session, studio.org_id, new)


def attach(studio: Studio, session_id: UUID, of: UUID, **more: Any) -> None:  # noqa: ANN401 - as Attachment
    """A workout of one class alone."""
    with studio.act() as session:
        new = Attachment(session_id, of, **more)
        attaching.attach(session, studio.coach, new, now=studio.now)


def programmed(studio: Studio, kind: UUID, day: date, of: UUID | None = None) -> UUID:
    """A workout of the day; its workout's id."""
    chosen = of or workout(studio)
    with studio.act() as session:
        new = NewDaily(Key(day, kind), chosen)
        daily.put(session, studio.coach, new, now=studio.now)
    return chosen
