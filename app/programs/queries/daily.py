"""Reading the workout of the day, of a day or a week, and that of one class."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.programs.models import DailyProgramming, SessionWorkout
from app.programs.terms import DailyStatus
from app.programs.views import DailyView, SessionWorkoutView
from app.schedule import queries as schedule
from app.schedule.models import ClassSession, ClassType
from app.schedule.terms import SessionStatus
from app.workouts.models import Workout

_LOOK_BACK = timedelta(days=28)
"""A kind of class that had a workout of the day within these is expected to have one."""


@dataclass(frozen=True, slots=True)
class Days:
    """Whole days, the last of them included; of one class type, or of all."""

    first: date
    last: date
    class_type_id: UUID | None = None

    @classmethod
    def week_from(cls, first: date, class_type_id: UUID | None = None) -> "Days":
        return cls(first, first + timedelta(days=6), class_type_id)


def programmed(
    session: Session, days: Days, language: str, *, now: datetime
) -> tuple[DailyView, ...]:
    """What is set, by day and class type. Raises NotFound for a class type that isn't there."""
    if days.class_type_id is not None:
        schedule.class_type(session, days.class_type_id)
    query = _programmed().where(*_of(days)).order_by(DailyProgramming.day, ClassType.name_en)
    return tuple(_view(row, language, now) for row in session.execute(query))


def with_gaps(
    session: Session, days: Days, language: str, *, now: datetime
) -> tuple[DailyView, ...]:
    """The same, with what is still empty: classes are held that day, and none is set for them.

    Of the kinds of class that have a workout of the day as a rule; of all, where none has.
    """
    found = programmed(session, days, language, now=now)
    known = {(one.day, one.class_type_id) for one in found}
    kinds = _expected(session, days)
    empty = [
        DailyView(kind.id, kind.name(language), day, DailyStatus.EMPTY)
        for day, kind in _held(session, days)
        if (day, kind.id) not in known and (not kinds or kind.id in kinds)
    ]
    return tuple(sorted([*found, *empty], key=lambda one: (one.day, one.class_type)))


def daily_view(
    session: Session, day: date, class_type_id: UUID, language: str, *, now: datetime
) -> DailyView:
    found = programmed(session, Days(day, day, class_type_id), language, now=now)
    if not found:
        raise NotFound(what="daily_programming")
    return found[0]


def of_session(
    session: Session, session_id: UUID, language: str, *, now: datetime
) -> tuple[SessionWorkoutView, ...]:
    """The workouts of a class: its own, if it has any, else the one of its day and kind."""
    held = schedule.class_session(session, session_id)
    query = (
        select(SessionWorkout, Workout)
        .join(Workout, Workout.id == SessionWorkout.workout_id)
        .where(SessionWorkout.session_id == held.id, SessionWorkout.removed.is_(False))
        .order_by(SessionWorkout.position, SessionWorkout.id)
    )
    own = tuple(_own(row, workout, now) for row, workout in session.execute(query))
    return own or of_the_day(session, held.id, language, now=now)


def of_the_day(
    session: Session, session_id: UUID, language: str, *, now: datetime
) -> tuple[SessionWorkoutView, ...]:
    """What a class without workouts of its own has."""
    held = schedule.class_session(session, session_id)
    days = Days(held.local_date, held.local_date, held.class_type_id)
    return tuple(map(_of_day, programmed(session, days, language, now=now)))


def is_seen(row: DailyProgramming, now: datetime) -> bool:
    """Whether members see it: it was published, or its time has come."""
    return _standing(row, now) is DailyStatus.PUBLISHED


def _programmed() -> Select[DailyProgramming, ClassType, str]:
    return (
        select(DailyProgramming, ClassType, Workout.title)
        .join(ClassType, ClassType.id == DailyProgramming.class_type_id)
        .join(Workout, Workout.id == DailyProgramming.workout_id)
    )


def _of(days: Days) -> list[ColumnElement[bool]]:
    terms: list[ColumnElement[bool]] = [DailyProgramming.day.between(days.first, days.last)]
    if days.class_type_id is not None:
        terms.append(DailyProgramming.class_type_id == days.class_type_id)
    return terms


def _expected(session: Session, days: Days) -> set[UUID]:
    """Kinds of class that have a workout of the day as a rule, or the one that is asked about."""
    if days.class_type_id is not None:
        return {days.class_type_id}
    span = DailyProgramming.day.between(days.first - _LOOK_BACK, days.last)
    return set(session.scalars(select(DailyProgramming.class_type_id).where(span).distinct()))


def _held(session: Session, days: Days) -> Iterator[tuple[date, ClassType]]:
    """The days on which there are classes of a kind."""
    query = (
        select(ClassSession.local_date, ClassType)
        .join(ClassType, ClassType.id == ClassSession.class_type_id)
        .where(
            ClassSession.local_date.between(days.first, days.last),
            ClassSession.status != SessionStatus.CANCELLED,
        )
    )
    found = {(day, kind.id): kind for day, kind in session.execute(query)}
    yield from ((day, kind) for (day, _), kind in found.items())


def _view(row: Row[DailyProgramming, ClassType, str], language: str, now: datetime) -> DailyView:
    one, kind, workout = row
    return DailyView(
        class_type_id=kind.id,
        class_type=kind.name(language),
        day=one.day,
        status=_standing(one, now),
        version=one.version,
        workout_id=one.workout_id,
        workout=workout,
        publish_at=one.publish_at,
        member_notes=one.member_notes,
        coach_notes=one.coach_notes,
    )


def _standing(row: DailyProgramming, now: datetime) -> DailyStatus:
    if row.status is DailyStatus.PUBLISHED or row.publish_at is None:
        return row.status
    return DailyStatus.PUBLISHED if row.publish_at <= now else DailyStatus.SCHEDULED


def _own(row: SessionWorkout, workout: Workout, now: datetime) -> SessionWorkoutView:
    return SessionWorkoutView(
        workout_id=workout.id,
        title=workout.title,
        own=True,
        visible=row.visible_from is None or row.visible_from <= now,
        visible_from=row.visible_from,
    )


def _of_day(view: DailyView) -> SessionWorkoutView:
    if view.workout_id is None or view.workout is None:
        raise NotFound(what="daily_programming")
    return SessionWorkoutView(
        workout_id=view.workout_id,
        title=view.workout,
        own=False,
        visible=view.status is DailyStatus.PUBLISHED,
        visible_from=view.publish_at,
        member_notes=view.member_notes,
        coach_notes=view.coach_notes,
    )
