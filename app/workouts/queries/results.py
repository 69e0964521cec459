"""Reading what members scored, and the heaviest that they lifted."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Select, case, func, select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.people.models import Member
from app.studio.paging import Cut, Page, page
from app.workouts.models import PersonalRecord, Workout, WorkoutResult, WorkoutSection
from app.workouts.scores import Score
from app.workouts.terms import Division, ScoreType
from app.workouts.views import RecordView, ResultView

_DIVISIONS = list(Division)


@dataclass(frozen=True, slots=True)
class Board:
    """Which results of a workout are wanted; None: not asked about."""

    workout_id: UUID
    on: date | None = None
    class_session_id: UUID | None = None
    division: Division | None = None


def leaderboard(session: Session, board: Board, *, cut: Cut) -> Page[ResultView]:
    """By part, then by division from Rx down, the best first."""
    terms = {
        WorkoutResult.performed_on: board.on,
        WorkoutResult.class_session_id: board.class_session_id,
        WorkoutResult.rx_level: board.division,
    }
    asked = [column == value for column, value in terms.items() if value is not None]
    query = _results().where(WorkoutResult.workout_id == board.workout_id, *asked)
    return page(session, query.order_by(*_ranking()), cut, _view)


def member_results(
    session: Session,
    member_id: UUID,
    *,
    exercise: str | None = None,
    workout_id: UUID | None = None,
    since: date | None = None,
    cut: Cut,
) -> Page[ResultView]:
    """The newest first; of an exercise, those that set a record in it."""
    query = _results().where(WorkoutResult.member_id == member_id)
    if exercise is not None:
        lifted = select(PersonalRecord.result_id).where(
            PersonalRecord.member_id == member_id, PersonalRecord.exercise == exercise
        )
        query = query.where(WorkoutResult.id.in_(lifted))
    if workout_id is not None:
        query = query.where(WorkoutResult.workout_id == workout_id)
    if since is not None:
        query = query.where(WorkoutResult.performed_on >= since)
    newest = (WorkoutResult.performed_on.desc(), WorkoutResult.id.desc())
    return page(session, query.order_by(*newest), cut, _view)


def result(session: Session, result_id: UUID) -> ResultView:
    row = session.execute(_results().where(WorkoutResult.id == result_id)).one_or_none()
    if row is None:
        raise NotFound(what="result")
    return _view(row)


def records(
    session: Session, member_id: UUID, *, exercise: str | None = None, cut: Cut
) -> Page[RecordView]:
    """The heaviest of each lift and number of repetitions, by exercise."""
    ranked = (
        select(
            PersonalRecord,
            func.row_number()
            .over(
                partition_by=(PersonalRecord.exercise, PersonalRecord.rep_max),
                order_by=(PersonalRecord.value_g.desc(), PersonalRecord.achieved_on),
            )
            .label("place"),
        )
        .where(PersonalRecord.member_id == member_id)
        .subquery()
    )
    best = select(PersonalRecord).join(ranked, ranked.c.id == PersonalRecord.id)
    best = best.where(ranked.c.place == 1)
    if exercise is not None:
        best = best.where(PersonalRecord.exercise == exercise)
    best = best.order_by(PersonalRecord.exercise, PersonalRecord.rep_max)
    return page(session, best, cut, lambda row: _record(row[0]))


def best_lifts(
    session: Session, member_id: UUID, lifts: Collection[str]
) -> dict[str, dict[int, int]]:
    """The heaviest in grams, by exercise and number of repetitions."""
    query = (
        select(PersonalRecord.exercise, PersonalRecord.rep_max, func.max(PersonalRecord.value_g))
        .where(PersonalRecord.member_id == member_id, PersonalRecord.exercise.in_(lifts))
        .group_by(PersonalRecord.exercise, PersonalRecord.rep_max)
    )
    found: dict[str, dict[int, int]] = {}
    for exercise, reps, grams in session.execute(query):
        found.setdefault(exercise, {})[reps] = grams
    return found


def score_of(row: WorkoutResult) -> Score:
    return Score(row.score_type, row.score_value, row.rounds, row.capped, row.unit)


def _results() -> Select[Any, Any, Any, Any]:
    return (
        select(WorkoutResult, Workout.title, Member, WorkoutSection)
        .join(Workout, Workout.id == WorkoutResult.workout_id)
        .join(Member, Member.id == WorkoutResult.member_id)
        .outerjoin(WorkoutSection, WorkoutSection.id == WorkoutResult.section_id)
    )


def _ranking() -> tuple[Any, ...]:
    """Times up, everything else down; who ran out of time comes after who finished."""
    timed = (WorkoutResult.score_type == ScoreType.TIME) & ~WorkoutResult.capped
    division = case(
        {one.value: at for at, one in enumerate(_DIVISIONS)}, value=WorkoutResult.rx_level
    )
    return (
        WorkoutSection.position.nulls_last(),
        WorkoutResult.score_type,
        division,
        WorkoutResult.capped,
        case((timed, WorkoutResult.score_value)).nulls_last(),
        WorkoutResult.rounds.desc().nulls_last(),
        WorkoutResult.score_value.desc(),
        WorkoutResult.performed_on,
        WorkoutResult.id,
    )


def _view(row: Any) -> ResultView:  # noqa: ANN401 - a row of four
    one, title, member, section = row
    return ResultView(
        id=one.id,
        version=one.version,
        workout_id=one.workout_id,
        workout=title,
        section=(section.label or section.title) if section else None,
        member_id=member.id,
        member=member.name,
        performed_on=one.performed_on,
        score=score_of(one),
        text=one.score_text,
        division=one.rx_level,
        is_pr=one.is_pr,
        notes=one.notes,
    )


def _record(row: PersonalRecord) -> RecordView:
    return RecordView(row.exercise, row.rep_max, row.value_g, row.unit, row.achieved_on)
