"""Reading which lifts workouts ask for a share of, and what that comes to for a member."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.people import queries as people
from app.programs.loads import Share
from app.studio import queries as studio
from app.workouts import queries as workouts
from app.workouts.models import WorkoutMovement, WorkoutSection
from app.workouts.structure import Load
from app.workouts.terms import WeightUnit

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Loaded(Generic[K]):
    """A lift of a week or a day, set by set; without grams where no maximum is on file."""

    of: K
    share: Share
    grams: tuple[int, ...]
    unit: WeightUnit


def loads_of(
    session: Session,
    org_id: UUID,
    member_id: UUID,
    placed: Iterable[tuple[K, UUID, Mapping[str, int]]],
) -> list[Loaded[K]]:
    """What a member is to lift in some workouts, each placed somewhere with loads of its own.

    A lift that a place has twice alike is told once.
    """
    wanted = list(placed)
    found = shares(session, {workout_id for _, workout_id, _ in wanted})
    named = {share.lift for some in found.values() for share in some}
    people.member(session, member_id)
    best = workouts.best_lifts(session, member_id, named)
    unit = WeightUnit(studio.org(session, org_id).weight_unit)
    told = dict.fromkeys(
        (of, share.with_loads(loads))
        for of, workout_id, loads in wanted
        for share in found.get(workout_id, ())
    )
    return [Loaded(of, share, share.grams(best, unit), unit) for of, share in told]


def shares(session: Session, workout_ids: Collection[UUID]) -> dict[UUID, list[Share]]:
    """By workout, in the order of its movements; those that ask for none are left out."""
    query = (
        select(WorkoutSection.workout_id, WorkoutMovement.exercise, WorkoutMovement.dose)
        .join(WorkoutSection, WorkoutSection.id == WorkoutMovement.section_id)
        .where(
            WorkoutSection.workout_id.in_(workout_ids),
            WorkoutMovement.dose["load"]["type"].astext == "percent",
        )
        .order_by(WorkoutSection.position, WorkoutMovement.position)
    )
    found: dict[UUID, list[Share]] = defaultdict(list)
    for workout_id, exercise, dose in session.execute(query):
        share = _share(exercise, dose)
        if share is not None:
            found[workout_id].append(share)
    return dict(found)


def _share(exercise: str | None, dose: dict[str, Any]) -> Share | None:
    load = Load.model_validate(dose["load"])
    lift = load.lift or exercise
    if lift is None or load.value is None:
        return None
    return Share(lift, load.model_copy(update={"lift": lift}))
