"""Workouts of one class, instead of its day's: attaching them and taking them off."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import BadInput, NotFound
from app.programs.errors import AlreadyAttached, PublishInPast
from app.programs.models import SessionWorkout
from app.programs.service import building
from app.schedule import service as schedule
from app.schedule.errors import SessionNotScheduled
from app.schedule.terms import SessionStatus
from app.workouts import queries as workouts


@dataclass(frozen=True, slots=True)
class Attachment:
    session_id: UUID
    workout_id: UUID
    position: int | None = None
    """Among the class's own workouts; None: the last."""
    visible_from: datetime | None = None
    """When members see it; None: at once."""


def attach(session: Session, actor: Actor, new: Attachment, *, now: datetime) -> None:
    """Raises NotFound, WorkoutArchived, AlreadyAttached, SessionNotScheduled, BadInput."""
    held = schedule.lock(session, new.session_id)
    known = _find(session, held.id, new.workout_id)
    if actor.undoing and known is not None:
        known.removed = False
        session.flush()
        return
    if held.status is SessionStatus.CANCELLED:
        raise SessionNotScheduled(state=held.status.value)
    slot = building.slots_of(session, actor, [new.workout_id])[new.workout_id]
    if known is not None and not known.removed:
        raise AlreadyAttached(workout=slot.title)
    if new.visible_from is not None and new.visible_from <= now:
        raise PublishInPast(at=new.visible_from)
    row = known or SessionWorkout(
        org_id=actor.org_id, session_id=held.id, workout_id=slot.workout_id
    )
    row.position = _make_room(_others(session, held.id), new.position)
    row.visible_from, row.removed = new.visible_from, False
    session.add(row)
    session.flush()


def detach(session: Session, actor: Actor, session_id: UUID, workout_id: UUID) -> None:
    """Raises NotFound. Taking an attachment back leaves nothing of it."""
    held = schedule.lock(session, session_id)
    row = attached(session, held.id, workout_id)
    if actor.undoing:
        for other in _others(session, held.id):
            other.position -= other.position > row.position
        session.delete(row)
    else:
        row.removed = True
    session.flush()


def attached(session: Session, session_id: UUID, workout_id: UUID) -> SessionWorkout:
    """Raises NotFound for a workout that isn't this class's own."""
    found = _find(session, session_id, workouts.brief(session, workout_id).id)
    if found is None or found.removed:
        raise NotFound(what="session_workout")
    return found


def _find(session: Session, session_id: UUID, workout_id: UUID) -> SessionWorkout | None:
    query = select(SessionWorkout).where(
        SessionWorkout.session_id == session_id, SessionWorkout.workout_id == workout_id
    )
    return session.scalar(query)


def _others(session: Session, session_id: UUID) -> Sequence[SessionWorkout]:
    query = select(SessionWorkout).where(
        SessionWorkout.session_id == session_id, SessionWorkout.removed.is_(False)
    )
    return session.scalars(query.order_by(SessionWorkout.position, SessionWorkout.id)).all()


def _make_room(others: Sequence[SessionWorkout], position: int | None) -> int:
    building.check_room(len(others) + 1)
    place = max((one.position for one in others), default=0) + 1
    if position is None:
        return place
    if position > len(others) + 1:
        raise BadInput(fields=("position",))
    if position <= len(others):
        place = others[position - 1].position
        for one in others[position - 1 :]:
            one.position += 1
    return place
