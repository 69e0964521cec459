"""Where a workout is used: what stands in the way of deleting it (rule 41)."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from app.programs.models import (
    Assignment,
    AssignmentDay,
    DailyProgramming,
    ProgramWorkout,
    SessionWorkout,
)
from app.programs.terms import AssignmentStatus
from app.workouts.models import WorkoutResult


@dataclass(frozen=True, slots=True)
class Uses:
    """How often it is on the schedule, in programs, due for members, and was scored."""

    scheduled: int = 0
    programs: int = 0
    assigned: int = 0
    results: int = 0

    @property
    def any(self) -> bool:
        return bool(self.scheduled or self.programs or self.assigned or self.results)


def uses(session: Session, workout_id: UUID) -> Uses:
    """What was taken off a class, or ended with its assignment, doesn't count."""
    own = SessionWorkout.workout_id == workout_id
    active = Assignment.status == AssignmentStatus.ACTIVE
    due = select(AssignmentDay.assignment_id).where(AssignmentDay.workout_id == workout_id)
    assigned = active & (Assignment.id.in_(due) | (Assignment.workout_id == workout_id))
    return Uses(
        scheduled=_count(session, DailyProgramming.workout_id == workout_id)
        + _count(session, own & ~SessionWorkout.removed),
        programs=_count(session, ProgramWorkout.workout_id == workout_id),
        assigned=_count(session, assigned),
        results=_count(session, WorkoutResult.workout_id == workout_id),
    )


def _count(session: Session, condition: ColumnElement[bool]) -> int:
    return session.scalar(select(func.count()).where(condition)) or 0
