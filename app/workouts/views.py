"""Workouts as other parts see them: values, not rows."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from app.workouts.scores import Score
from app.workouts.structure import Movement, Section
from app.workouts.terms import Division, Visibility, WeightUnit, WorkoutKind, WorkoutStatus


@dataclass(frozen=True, slots=True)
class WorkoutBrief:
    """A workout without its parts, as lists and other things name it."""

    id: UUID
    version: int
    title: str
    kind: WorkoutKind
    status: WorkoutStatus
    visibility: Visibility
    tags: tuple[str, ...]
    est_minutes: int | None
    coach_notes: str | None
    member_notes: str | None
    created_by: UUID | None
    """A user."""


@dataclass(frozen=True, slots=True)
class MovementView:
    id: UUID
    version: int
    movement: Movement


@dataclass(frozen=True, slots=True)
class SectionView:
    id: UUID
    version: int
    position: int
    section: Section
    """With its movements, as they are in `movements` with their ids."""
    movements: tuple[MovementView, ...]


@dataclass(frozen=True, slots=True)
class WorkoutView:
    brief: WorkoutBrief
    sections: tuple[SectionView, ...]
    benchmark: str | None
    source_text: str | None

    @property
    def parts(self) -> tuple[Section, ...]:
        return tuple(one.section for one in self.sections)


@dataclass(frozen=True, slots=True)
class WorkoutFilter:
    """None or empty: not asked about. `created_by` is a user."""

    q: str | None = None
    tags: tuple[str, ...] = ()
    scheme: str | None = None
    created_by: UUID | None = None
    status: WorkoutStatus | None = None


@dataclass(frozen=True, slots=True)
class ResultView:
    id: UUID
    version: int
    workout_id: UUID
    workout: str
    section: str | None
    """The label or title of the part that it was for."""
    member_id: UUID
    member: str
    performed_on: date
    score: Score
    text: str
    division: Division
    is_pr: bool
    notes: str | None


@dataclass(frozen=True, slots=True)
class RecordView:
    exercise: str
    rep_max: int
    grams: int
    unit: WeightUnit
    achieved_on: date
