"""Reading which lifts workouts ask for a share of, and what members have lifted once."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.people import queries as people
from app.programs.loads import Share
from app.workouts.models import PersonalRecord, WorkoutMovement, WorkoutSection


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
