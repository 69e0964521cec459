"""Adding to the library what only this gym has."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.ids import new_id
from app.workouts import queries
from app.workouts.errors import ExerciseExists
from app.workouts.finding import find
from app.workouts.library.shelf import Known
from app.workouts.models import Exercise
from app.workouts.queries.exercises import known
from app.workouts.terms import Measure

_LONGEST: Final = 50


@dataclass(frozen=True, slots=True)
class NewExercise:
    name: str
    aliases: tuple[str, ...] = ()
    equipment: tuple[str, ...] = ()
    measure: Measure = Measure.REPS
    video_url: str | None = None


def create_exercise(session: Session, actor: Actor, new: NewExercise) -> tuple[UUID, Known]:
    """Raises ExerciseExists for a name or alias that already means an exercise."""
    everything = queries.all_exercises(session)
    for name in (new.name, *new.aliases):
        same = next((one for one in find(name, everything.values()) if one.exact), None)
        if same is not None:
            raise ExerciseExists(name=name, exercise=same.exercise.name(actor.language))
    row = Exercise(
        org_id=actor.org_id,
        slug=_slug(new.name, everything.keys()),
        name=new.name,
        aliases=list(dict.fromkeys(new.aliases)),
        equipment=list(new.equipment),
        measure=new.measure,
        video_url=new.video_url,
        created_by=actor.user_id,
    )
    session.add(row)
    session.flush()
    return row.id, known(row)


def _slug(name: str, taken: Collection[str]) -> str:
    """From Latin letters; a name in other ones, or one that is taken, gets letters of its own."""
    made = "_".join(re.findall(r"[a-z0-9]+", name.lower()))[:_LONGEST]
    if made[:1].isalpha() and made not in taken:
        return made
    return f"own_{new_id().hex[-8:]}"
