"""Workouts as other parts see them: values, not rows."""

from dataclasses import dataclass
from uuid import UUID

from app.workouts.terms import Visibility, WorkoutKind, WorkoutStatus


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
