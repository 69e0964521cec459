"""Reading workouts."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.workouts.models import Workout
from app.workouts.views import WorkoutBrief


def brief(session: Session, workout_id: UUID) -> WorkoutBrief:
    """A workout without its parts. Raises NotFound."""
    found = session.get(Workout, workout_id)
    if found is None:
        raise NotFound(what="workout")
    return _brief(found)


def briefs(session: Session, workout_ids: Collection[UUID]) -> dict[UUID, WorkoutBrief]:
    """Several at once, by id; what isn't there is left out."""
    rows = session.scalars(select(Workout).where(Workout.id.in_(workout_ids)))
    return {row.id: _brief(row) for row in rows}


def _brief(row: Workout) -> WorkoutBrief:
    return WorkoutBrief(
        id=row.id,
        version=row.version,
        title=row.title,
        kind=row.kind,
        status=row.status,
        visibility=row.visibility,
        tags=tuple(row.tags),
        est_minutes=row.est_minutes,
        coach_notes=row.coach_notes,
        member_notes=row.member_notes,
        created_by=row.created_by,
    )
