"""Rows from parts: putting sections and movements into a workout, changing and taking them out."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import flag_modified

from app.workouts import storage
from app.workouts.models import MovementScaling, Workout, WorkoutMovement, WorkoutSection
from app.workouts.queries import check_known
from app.workouts.structure import Load, Movement, Section
from app.workouts.terms import WeightUnit

R = TypeVar("R", WorkoutSection, WorkoutMovement, MovementScaling)

_EVERYONES: Final = frozenset(("rest", "complex"))


def check_exercises(session: Session, sections: Iterable[Section]) -> None:
    """Raises UnknownExercise for the first that is neither the library's nor the gym's."""
    movements = (one for section in sections for one in section.movements)
    check_known(session, dict.fromkeys(slug for one in movements for slug in _slugs(one)))


def _slugs(movement: Movement) -> Iterator[str]:
    named = [movement.exercise, *(one.exercise for one in movement.scaling)]
    named += [part.exercise for part in movement.parts or ()]
    named += [movement.load.lift if movement.load else None]
    yield from (slug for slug in named if slug is not None and slug not in _EVERYONES)


def set_sections(
    session: Session, workout: Workout, sections: Sequence[Section], unit: WeightUnit
) -> None:
    """Give a workout this body; a part keeps its row where there was one at its place."""
    rows = section_rows(session, workout.id)
    for at, section in enumerate(sections):
        row = rows[at] if at < len(rows) else None
        put_section(session, workout, row, section, position=at + 1, unit=unit)
    for row in rows[len(sections) :]:
        take_out_section(session, row)


def put_section(
    session: Session,
    workout: Workout,
    row: WorkoutSection | None,
    section: Section,
    *,
    position: int,
    unit: WeightUnit,
) -> WorkoutSection:
    """Write a section into its row, or into a new one."""
    values: dict[str, Any] = {
        "position": position,
        "label": section.label,
        "kind": section.kind,
        "title": section.title,
        "scheme": storage.scheme_out(section.scheme, unit),
        "score": section.score,
        "notes": section.notes,
    }
    row = _written(
        session, row, WorkoutSection, values, org_id=workout.org_id, workout_id=workout.id
    )
    set_movements(session, workout, row.id, section.movements, unit)
    return row


def set_movements(
    session: Session,
    workout: Workout,
    section_id: UUID,
    movements: Sequence[Movement],
    unit: WeightUnit,
) -> None:
    """Give a section these movements, in their order."""
    rows = movement_rows(session, section_id)
    for at, movement in enumerate(movements):
        row = rows[at] if at < len(rows) else None
        values: dict[str, Any] = {
            "position": at + 1,
            "exercise": movement.exercise,
            "dose": storage.dose_of(_whole(movement), unit),
        }
        made = _written(
            session, row, WorkoutMovement, values, org_id=workout.org_id, section_id=section_id
        )
        set_scalings(session, workout, made.id, movement, unit)
    for row in rows[len(movements) :]:
        take_out_movement(session, row)
    session.flush()


def set_scalings(
    session: Session, workout: Workout, movement_id: UUID, movement: Movement, unit: WeightUnit
) -> None:
    rows = scaling_rows(session, movement_id)
    for at, scaling in enumerate(movement.scaling):
        row = rows[at] if at < len(rows) else None
        values: dict[str, Any] = {
            "level": scaling.level,
            "exercise": scaling.exercise,
            "dose": storage.dose_of(scaling, unit),
        }
        _written(
            session, row, MovementScaling, values, org_id=workout.org_id, movement_id=movement_id
        )
    for row in rows[len(movement.scaling) :]:
        session.delete(row)


def take_out_section(session: Session, row: WorkoutSection) -> None:
    """With its movements. What was scored for it stays: a result knows its workout."""
    for movement in movement_rows(session, row.id):
        take_out_movement(session, movement)
    session.flush()
    session.delete(row)
    session.flush()


def take_out_movement(session: Session, row: WorkoutMovement) -> None:
    for scaling in scaling_rows(session, row.id):
        session.delete(scaling)
    session.flush()
    session.delete(row)


def touch(session: Session, workout: Workout) -> None:
    """A change of its parts is one of the workout: who read it before is out of date."""
    flag_modified(workout, "title")
    session.flush()


def section_rows(session: Session, workout_id: UUID) -> list[WorkoutSection]:
    query = select(WorkoutSection).where(WorkoutSection.workout_id == workout_id)
    return list(session.scalars(query.order_by(WorkoutSection.position, WorkoutSection.id)))


def movement_rows(session: Session, section_id: UUID) -> list[WorkoutMovement]:
    query = select(WorkoutMovement).where(WorkoutMovement.section_id == section_id)
    return list(session.scalars(query.order_by(WorkoutMovement.position, WorkoutMovement.id)))


def scaling_rows(session: Session, movement_id: UUID) -> list[MovementScaling]:
    query = select(MovementScaling).where(MovementScaling.movement_id == movement_id)
    return list(session.scalars(query.order_by(MovementScaling.id)))


def _written(
    session: Session, row: R | None, kind: type[R], values: dict[str, Any], **parent: UUID
) -> R:
    if row is None:
        row = kind(**parent, **values)
        session.add(row)
        session.flush()
        return row
    for name, value in values.items():
        if getattr(row, name) != value:
            setattr(row, name, value)
    session.flush()
    return row


def _whole(movement: Movement) -> Movement:
    """A share of what: of one repetition of the exercise itself, unless it says of what else."""
    load = movement.load
    if load is None or load.type != "percent":
        return movement
    named = {"of": load.of or "1rm", "lift": load.lift or movement.exercise}
    return movement.model_copy(update={"load": Load(**{**load.model_dump(), **named})})
