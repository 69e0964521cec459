"""Reading which lifts workouts ask for a share of, and what members have lifted once."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.people import queries as people
from app.programs.loads import Share
from app.studio import queries as studio
from app.workouts.models import PersonalRecord, WorkoutMovement, WorkoutSection
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
    best = maxima(session, member_id, named)
    unit = WeightUnit(studio.org(session, org_id).weight_unit)
    told = dict.fromkeys(
        (of, share.with_loads(loads))
        for of, workout_id, loads in wanted
        for share in found.get(workout_id, ())
    )
    return [
        Loaded(of, share, share.grams(best[share.lift], unit) if share.lift in best else (), unit)
        for of, share in told
    ]


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
        share = _share(exercise, dose["load"])
        if share is not None:
            found[workout_id].append(share)
    return dict(found)


def maxima(session: Session, member_id: UUID, lifts: Collection[str]) -> dict[str, int]:
    """The heaviest single of each lift, in grams; those never lifted are left out."""
    people.member(session, member_id)
    query = (
        select(PersonalRecord.exercise, func.max(PersonalRecord.value_g))
        .where(
            PersonalRecord.member_id == member_id,
            PersonalRecord.exercise.in_(lifts),
            PersonalRecord.rep_max == 1,
        )
        .group_by(PersonalRecord.exercise)
    )
    return dict(session.execute(query).all())


def _share(exercise: str | None, load: dict[str, Any]) -> Share | None:
    lift = load.get("lift") or exercise
    value = load.get("value")
    percents = tuple(value) if isinstance(value, list) else (value,)
    if lift is None or value is None:
        return None
    return Share(lift, tuple(map(float, percents)), load.get("of") == "training_max")
