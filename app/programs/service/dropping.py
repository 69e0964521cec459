"""Deleting a workout: only here is known where it is used."""

from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.programs.queries.uses import Uses, uses
from app.workouts import queries as workouts
from app.workouts.errors import WorkoutInUse
from app.workouts.service import workouts as service
from app.workouts.views import WorkoutView


def preview_delete(
    session: Session, actor: Actor, workout_id: UUID, *, force: bool
) -> tuple[WorkoutView, Uses]:
    """Raises NotFound, and WorkoutInUse unless it is forced (rule 41)."""
    view = workouts.workout(session, actor, workout_id)
    found = uses(session, workout_id)
    if found.any and not force:
        count = found.scheduled + found.programs + found.assigned + found.results
        raise WorkoutInUse(workout=view.brief.title, uses=count)
    return view, found


def delete_workout(
    session: Session, actor: Actor, workout_id: UUID, *, force: bool
) -> tuple[WorkoutView, Uses]:
    """Forced, it is taken off the schedule and out of programs as well; assigned days go on.

    Raises NotFound, WorkoutInUse.
    """
    service.held(session, actor, workout_id)
    found = preview_delete(session, actor, workout_id, force=force)
    service.delete(session, actor, workout_id)
    return found
