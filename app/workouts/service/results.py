"""Putting down what a member scored, and noticing when it is the best so far."""

from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.people import service as people
from app.schedule import queries as schedule
from app.studio import queries as studio
from app.workouts import queries
from app.workouts.errors import NothingScored, ResultInFuture
from app.workouts.library.shelf import library
from app.workouts.models import PersonalRecord, Workout, WorkoutResult
from app.workouts.queries.results import score_of
from app.workouts.scores import Score, read_score
from app.workouts.service.workouts import unit_of
from app.workouts.structure import Movement
from app.workouts.terms import Division, ScoreType
from app.workouts.views import ResultView, SectionView, WorkoutView


@dataclass(frozen=True, slots=True)
class NewResult:
    workout_id: UUID
    member_id: UUID
    score: str
    """As it was told: 4:32, 7+12, 100 kg, cap+12."""
    performed_on: date | None = None
    """None: today."""
    division: Division = Division.RX
    section_id: UUID | None = None
    """None: the first part that is scored."""
    class_session_id: UUID | None = None
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class Logged:
    """What was put down, and the lift that it is a record of, if it is one."""

    result: ResultView
    exercise: str | None = None
    reps: int | None = None
    records: tuple[UUID, ...] = field(default_factory=tuple)


def log_result(session: Session, actor: Actor, new: NewResult, *, now: datetime) -> Logged:
    """Raises NotFound, MemberErased, BadScore, NothingScored, ResultInFuture."""
    today = studio.today(session, actor.org_id, now)
    performed_on = new.performed_on or today
    if performed_on > today:
        raise ResultInFuture(date=performed_on)
    people.locked(session, new.member_id)
    if new.class_session_id is not None:
        schedule.class_session(session, new.class_session_id)
    workout = queries.workout(session, actor, new.workout_id)
    section = _scored(session, actor, workout, new)
    score = read_score(new.score, section.section.score, unit_of(session, actor))
    lift = _lift(section, score)
    row = WorkoutResult(
        org_id=actor.org_id,
        workout_id=new.workout_id,
        section_id=section.id,
        member_id=new.member_id,
        class_session_id=new.class_session_id,
        performed_on=performed_on,
        score_type=score.type,
        score_value=score.value,
        rounds=score.rounds,
        capped=score.capped,
        unit=score.unit,
        score_text=new.score.strip(),
        rx_level=new.division,
        is_pr=_beats_earlier(session, workout, section, new, score),
        notes=new.notes or None,
        logged_by=actor.user_id,
    )
    session.add(row)
    session.flush()
    if lift is not None:
        row.is_pr = _record(session, row, lift, score) or row.is_pr
        session.flush()
    exercise, reps = lift or (None, None)
    return Logged(queries.result(session, row.id), exercise, reps)


def _scored(session: Session, actor: Actor, workout: WorkoutView, new: NewResult) -> SectionView:
    if new.section_id is not None:
        return queries.section(session, actor, new.workout_id, new.section_id)
    scored = [one for one in workout.sections if one.section.score is not ScoreType.NONE]
    found = next(iter(scored or workout.sections), None)
    if found is None:
        raise NothingScored(workout=workout.brief.title)
    return found


def _lift(section: SectionView, score: Score) -> tuple[str, int] | None:
    """The exercise that a weight is a mark of, and for how many repetitions."""
    if score.type is not ScoreType.LOAD or not section.movements:
        return None
    movement = section.movements[0].movement
    lift = library().get(movement.exercise or "")
    if movement.exercise is None or movement.parts or (lift is not None and not lift.loaded):
        return None
    return movement.exercise, score.reps or _reps(movement)


def _reps(movement: Movement) -> int:
    """Of the last set, which is the heaviest of those that go up; of one, if it isn't said."""
    match movement.reps:
        case int() as reps:
            return reps
        case (*_, int() as reps):
            return reps
        case _:
            return 1


def _beats_earlier(
    session: Session, workout: WorkoutView, section: SectionView, new: NewResult, score: Score
) -> bool:
    """Better than all that the member scored before in it, or in another of its name.

    Only what was done in the same division can be compared; the first time beats nothing.
    """
    same = [Workout.id == new.workout_id]
    if workout.benchmark is not None:
        same.append(Workout.benchmark_key == workout.benchmark)
    one_part = len(workout.sections) == 1 or WorkoutResult.section_id == section.id
    query = (
        select(WorkoutResult)
        .join(Workout, Workout.id == WorkoutResult.workout_id)
        .where(
            or_(*same),
            WorkoutResult.member_id == new.member_id,
            WorkoutResult.rx_level == new.division,
            WorkoutResult.score_type == score.type,
            *(() if one_part is True else (one_part,)),
        )
    )
    earlier = [score_of(row) for row in session.scalars(query)]
    return bool(earlier) and all(score.beats(one) for one in earlier)


def _record(session: Session, row: WorkoutResult, lift: tuple[str, int], score: Score) -> bool:
    """Put down the heaviest so far; True where there was one to beat."""
    exercise, reps = lift
    best = session.scalar(
        select(func.max(PersonalRecord.value_g)).where(
            PersonalRecord.member_id == row.member_id,
            PersonalRecord.exercise == exercise,
            PersonalRecord.rep_max == reps,
        )
    )
    if best is not None and score.value <= best:
        return False
    record = PersonalRecord(
        org_id=row.org_id,
        member_id=row.member_id,
        exercise=exercise,
        rep_max=reps,
        value_g=score.value,
        unit=row.unit,
        achieved_on=row.performed_on,
        result_id=row.id,
    )
    session.add(record)
    session.flush()
    return best is not None
