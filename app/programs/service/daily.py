"""Setting the workout of the day, showing it to members and hiding it, and copying a week of it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import BadInput, NotFound, StaleVersion
from app.programs.calendar import first_of_week
from app.programs.errors import (
    AlreadyPublished,
    NothingToCopy,
    NotPublished,
    PublishInPast,
    SameWeek,
)
from app.programs.models import DailyProgramming
from app.programs.queries import daily as queries
from app.programs.queries.daily import Days
from app.programs.service import building
from app.programs.terms import DailyStatus
from app.programs.views import DailyView
from app.schedule import queries as schedule
from app.schedule.errors import ClassTypeArchived, DateTooFar
from app.schedule.models import ClassType
from app.schedule.times import instant
from app.studio import queries as studio

FURTHEST = timedelta(days=366)
FILLED_IN = timedelta(days=60)
"""So long after the day its workout may still be put down."""
_DEEPEST: Final = 5
"""So many settings of one day, one after the other, can be taken back."""


@dataclass(frozen=True, slots=True)
class Key:
    """Which workout of the day is meant."""

    day: date
    class_type_id: UUID


@dataclass(frozen=True, slots=True)
class NewDaily:
    key: Key
    workout_id: UUID
    publish_at: datetime | None = None
    member_notes: str | None = None
    coach_notes: str | None = None


@dataclass(frozen=True, slots=True)
class DailyChanges:
    """What is to be different; None leaves a thing as it is, '' takes notes away."""

    publish_at: datetime | None = None
    member_notes: str | None = None
    coach_notes: str | None = None


@dataclass(frozen=True, slots=True)
class WeekCopy:
    """What copying a week does: days that get a workout, another one, or keep theirs."""

    source: date
    target: date
    """Of both, the first day of the week."""
    added: tuple[DailyView, ...]
    replaced: tuple[DailyView, ...]
    kept: tuple[DailyView, ...]


def week_of(session: Session, actor: Actor, day: date) -> date:
    """The first day of the gym's week that a day is in."""
    return first_of_week(day, studio.org(session, actor.org_id).week_start)


def publish_time(session: Session, actor: Actor, local: datetime, *, now: datetime) -> datetime:
    """The instant of the gym's local time. Raises TimeDoesNotExist, PublishInPast, DateTooFar."""
    zone = studio.org(session, actor.org_id).timezone
    if local.tzinfo is not None:
        local = local.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    at = instant(local.date(), local.time().replace(second=0, microsecond=0), zone)
    if at <= now:
        raise PublishInPast(at=at)
    if at > now + FURTHEST:
        raise DateTooFar(date=local.date())
    return at


def put(
    session: Session,
    actor: Actor,
    new: NewDaily,
    *,
    now: datetime,
    expected_version: int | None = None,
) -> DailyView:
    """Set it, whatever stood there; what members saw they go on seeing, with the new workout.

    Raises NotFound, ClassTypeArchived, WorkoutArchived, StaleVersion, DateTooFar, BadInput.
    """
    _check_day(new.key.day, studio.today(session, actor.org_id, now))
    kind = _lock_kind(session, new.key.class_type_id)
    if not kind.active:
        raise ClassTypeArchived(**{"class": kind.name(actor.language)})
    building.slots_of(session, actor, [new.workout_id])
    row = _find(session, new.key)
    _check_version(row, expected_version)
    if row is None:
        row = DailyProgramming(
            org_id=actor.org_id, day=new.key.day, class_type_id=kind.id, status=DailyStatus.DRAFT
        )
        session.add(row)
    else:
        row.replaced = _image(row)
    row.workout_id = new.workout_id
    row.member_notes, row.coach_notes = new.member_notes, new.coach_notes
    if new.publish_at is not None:
        row.status, row.publish_at = DailyStatus.DRAFT, new.publish_at
    session.flush()
    return _told(session, actor, new.key, now)


def update(
    session: Session,
    actor: Actor,
    key: Key,
    changes: DailyChanges,
    *,
    now: datetime,
    expected_version: int | None = None,
) -> DailyView:
    """Raises NotFound, StaleVersion; AlreadyPublished for another time once members see it."""
    row = _lock(session, key)
    _check_version(row, expected_version)
    if changes.publish_at is not None:
        if queries.is_seen(row, now):
            raise AlreadyPublished
        row.publish_at = changes.publish_at
    row.member_notes = _words(row.member_notes, changes.member_notes)
    row.coach_notes = _words(row.coach_notes, changes.coach_notes)
    session.flush()
    return _told(session, actor, key, now)


def publish(session: Session, actor: Actor, key: Key, *, now: datetime) -> DailyView:
    """Show it to members now. Raises NotFound, AlreadyPublished."""
    row = _lock(session, key)
    if actor.undoing:
        _restore(row)
    elif queries.is_seen(row, now):
        raise AlreadyPublished
    else:
        row.replaced = _image(row)
        row.status = DailyStatus.PUBLISHED
    session.flush()
    return _told(session, actor, key, now)


def unpublish(session: Session, actor: Actor, key: Key, *, now: datetime) -> DailyView:
    """Hide it, also from what was to show it later. Raises NotFound, NotPublished."""
    row = _lock(session, key)
    if actor.undoing:
        _restore(row)
    elif row.publish_at is None and row.status is DailyStatus.DRAFT:
        raise NotPublished
    else:
        row.replaced = _image(row)
        row.status, row.publish_at = DailyStatus.DRAFT, None
    session.flush()
    return _told(session, actor, key, now)


def clear(session: Session, actor: Actor, key: Key, *, now: datetime) -> DailyView:
    """Take it off its day. Taking a setting back brings what stood there before."""
    row = _lock(session, key)
    gone = _told(session, actor, key, now)
    if actor.undoing and row.replaced is not None:
        _restore(row)
    else:
        session.delete(row)
    session.flush()
    return gone


def plan_copy(
    session: Session,
    actor: Actor,
    weeks: tuple[date, date],
    kinds: Collection[UUID],
    *,
    overwrite: bool,
    now: datetime,
) -> WeekCopy:
    """What copying the week of one day onto that of another does.

    Raises SameWeek, NothingToCopy, NotFound for an unknown class type, DateTooFar, BadInput.
    """
    source, target = (week_of(session, actor, day) for day in weeks)
    if source == target:
        raise SameWeek
    _check_day(target, studio.today(session, actor.org_id, now))
    for kind in kinds:
        schedule.class_type(session, kind)
    before = _week(session, actor, source, kinds, now)
    taken = {(one.day, one.class_type_id) for one in _week(session, actor, target, kinds, now)}
    there = [(one.day + (target - source), one.class_type_id) in taken for one in before]
    added = tuple(one for one, is_there in zip(before, there, strict=True) if not is_there)
    others = tuple(one for one, is_there in zip(before, there, strict=True) if is_there)
    if not added and not (others and overwrite):
        raise NothingToCopy(date=source)
    replaced, kept = (others, ()) if overwrite else ((), others)
    return WeekCopy(source, target, added, replaced, kept)


def copy_week(
    session: Session,
    actor: Actor,
    weeks: tuple[date, date],
    kinds: Collection[UUID],
    *,
    overwrite: bool,
    now: datetime,
) -> WeekCopy:
    """What was to be shown at a time is, at that time of its new day; the rest stays a draft."""
    plan = plan_copy(session, actor, weeks, kinds, overwrite=overwrite, now=now)
    for kind in sorted({one.class_type_id for one in (*plan.added, *plan.replaced)}):
        _lock_kind(session, kind)
    zone = studio.org(session, actor.org_id).timezone
    later = plan.target - plan.source
    for one in (*plan.added, *plan.replaced):
        key = Key(one.day + later, one.class_type_id)
        row = _find(session, key) or DailyProgramming(
            org_id=actor.org_id, day=key.day, class_type_id=key.class_type_id
        )
        session.add(row)
        row.workout_id = _workout(one)
        row.member_notes, row.coach_notes = one.member_notes, one.coach_notes
        row.status = DailyStatus.DRAFT
        row.publish_at = _later(one.publish_at, later, zone, now)
    session.flush()
    return plan


def _check_day(day: date, today: date) -> None:
    if day < today - FILLED_IN:
        raise BadInput(fields=("date",))
    if day > today + FURTHEST:
        raise DateTooFar(date=day)


def _lock_kind(session: Session, class_type_id: UUID) -> ClassType:
    """Two people who set one day wait for each other here."""
    query = select(ClassType).where(ClassType.id == class_type_id)
    found = session.scalar(query.with_for_update(key_share=True))
    if found is None:
        raise NotFound(what="class_type")
    return found


def _find(session: Session, key: Key) -> DailyProgramming | None:
    query = select(DailyProgramming).where(
        DailyProgramming.day == key.day, DailyProgramming.class_type_id == key.class_type_id
    )
    return session.scalar(query.with_for_update().execution_options(populate_existing=True))


def _lock(session: Session, key: Key) -> DailyProgramming:
    schedule.class_type(session, key.class_type_id)
    found = _find(session, key)
    if found is None:
        raise NotFound(what="daily_programming")
    return found


def _check_version(row: DailyProgramming | None, expected: int | None) -> None:
    version = 0 if row is None else row.version
    if expected is not None and version != expected:
        raise StaleVersion(version=version)


def _image(row: DailyProgramming) -> dict[str, Any]:
    """What can be put back, with what it had replaced itself."""
    return {
        "workout_id": str(row.workout_id),
        "status": row.status.value,
        "publish_at": row.publish_at.isoformat() if row.publish_at else None,
        "member_notes": row.member_notes,
        "coach_notes": row.coach_notes,
        "replaced": _shallow(row.replaced, _DEEPEST),
    }


def _shallow(image: dict[str, Any] | None, depth: int) -> dict[str, Any] | None:
    if image is None or depth == 0:
        return None
    return {**image, "replaced": _shallow(image["replaced"], depth - 1)}


def _restore(row: DailyProgramming) -> None:
    image = row.replaced
    if image is None:
        return
    at = image["publish_at"]
    row.workout_id = UUID(image["workout_id"])
    row.status = DailyStatus(image["status"])
    row.publish_at = datetime.fromisoformat(at) if at else None
    row.member_notes, row.coach_notes = image["member_notes"], image["coach_notes"]
    row.replaced = image["replaced"]


def _week(
    session: Session, actor: Actor, first: date, kinds: Collection[UUID], now: datetime
) -> list[DailyView]:
    found = queries.programmed(session, Days.week_from(first), actor.language, now=now)
    return [one for one in found if not kinds or one.class_type_id in kinds]


def _workout(view: DailyView) -> UUID:
    if view.workout_id is None:
        raise NotFound(what="workout")
    return view.workout_id


def _later(at: datetime | None, by: timedelta, zone: str, now: datetime) -> datetime | None:
    """The same local time so many days on; none where that is over."""
    if at is None:
        return None
    local = at.astimezone(ZoneInfo(zone))
    moved = datetime.combine(local.date() + by, time(local.hour, local.minute), ZoneInfo(zone))
    return moved if moved > now else None


def _told(session: Session, actor: Actor, key: Key, now: datetime) -> DailyView:
    return queries.daily_view(session, key.day, key.class_type_id, actor.language, now=now)


def _words(old: str | None, new: str | None) -> str | None:
    return old if new is None else new or None
