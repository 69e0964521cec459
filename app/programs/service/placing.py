"""Workouts on the days of a program: putting them there, moving them, taking them off."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import BadInput, NotFound
from app.core.ids import new_id
from app.programs.models import Program, ProgramDay, ProgramWeek, ProgramWorkout
from app.programs.queries import programs as queries
from app.programs.service import building
from app.programs.views import SlotView


def add_workout(
    session: Session,
    actor: Actor,
    program_id: UUID,
    day_id: UUID,
    workout_id: UUID,
    *,
    position: int | None = None,
) -> SlotView:
    """Place a workout; its day is none of rest then.

    Raises NotFound, WorkoutArchived, ProgramDayFull, BadInput for a position after the end.
    """
    row = building.lock(session, program_id)
    day = _day(session, row, day_id)
    slot = building.slots_of(session, actor, [workout_id])[workout_id]
    made = ProgramWorkout(
        id=new_id(), org_id=row.org_id, day_id=day.id, workout_id=slot.workout_id, loads={}
    )
    _insert(session, made, day, position)
    session.add(made)
    building.changed(row)
    session.flush()
    return queries.slot(session, row.id, made.id)


def move_workout(
    session: Session, program_id: UUID, slot_id: UUID, *, to_week: int, to_day: int
) -> SlotView:
    """To the end of another day. Raises NotFound, ProgramDayFull."""
    row = building.lock(session, program_id)
    moved = session.get_one(ProgramWorkout, queries.slot(session, row.id, slot_id).id)
    week = queries.week(session, row.id, to_week)
    target = session.get_one(ProgramDay, week.days[to_day - 1].id)
    if target.id != moved.day_id:
        before = moved.day_id
        _insert(session, moved, target, None)
        moved.day_id = target.id
        session.flush()
        _close_up(_on(session, before))
        building.changed(row)
        session.flush()
    return queries.slot(session, row.id, slot_id)


def remove_workout(session: Session, program_id: UUID, slot_id: UUID) -> SlotView:
    """Take it off its day; the workout itself stays. Raises NotFound."""
    row = building.lock(session, program_id)
    gone = queries.slot(session, row.id, slot_id)
    placed = session.get_one(ProgramWorkout, gone.id)
    session.delete(placed)
    session.flush()
    _close_up(_on(session, placed.day_id))
    building.changed(row)
    session.flush()
    return gone


def _day(session: Session, row: Program, day_id: UUID) -> ProgramDay:
    query = (
        select(ProgramDay)
        .join(ProgramWeek, ProgramWeek.id == ProgramDay.week_id)
        .where(ProgramDay.id == day_id, ProgramWeek.program_id == row.id)
    )
    found = session.scalar(query)
    if found is None:
        raise NotFound(what="program_day")
    return found


def _insert(
    session: Session, placed: ProgramWorkout, day: ProgramDay, position: int | None
) -> None:
    """Give it its place among those that are on the day."""
    others = _on(session, day.id)
    building.check_room(len(others) + 1)
    place = len(others) + 1 if position is None else position
    if place > len(others) + 1:
        raise BadInput(fields=("position",))
    for one in others[place - 1 :]:
        one.position += 1
    placed.position = place
    day.is_rest = False


def _on(session: Session, day_id: UUID) -> Sequence[ProgramWorkout]:
    query = select(ProgramWorkout).where(ProgramWorkout.day_id == day_id)
    return session.scalars(query.order_by(ProgramWorkout.position, ProgramWorkout.id)).all()


def _close_up(placed: Sequence[ProgramWorkout]) -> None:
    for position, one in enumerate(placed, 1):
        one.position = position
