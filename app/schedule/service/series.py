"""Repeating classes: planned whole, made as dated classes as far ahead as the schedule reaches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import NotFound, StudioError
from app.schedule import holidays
from app.schedule.errors import DateTooFar, EmptySeries, SessionInPast
from app.schedule.models import ClassSession, SessionSeries
from app.schedule.queries import class_type, taught_meanwhile
from app.schedule.service.classes import (
    FURTHEST,
    Frame,
    NewSession,
    check_active,
    check_coach_for_all,
    frame,
    lock_coach,
)
from app.schedule.terms import SessionStatus
from app.schedule.times import Slot
from app.studio import queries as studio

HORIZON: Final = timedelta(days=90)
"""Dated classes are made so far ahead; the rest follows day by day."""
AT_MOST: Final = 50
"""So many series a look: the next one sees to the rest."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class NewSeries:
    """On these weekdays (0 is Sunday) from `first` to `last`, both included."""

    class_type_id: UUID
    weekdays: tuple[int, ...]
    start: time
    minutes: int
    first: date
    last: date
    coach_id: UUID | None = None
    capacity: int | None = None
    location_id: UUID | None = None
    notes: str | None = None
    skip_dates: tuple[date, ...] = ()
    skip_holidays: bool = False
    """Leave out days off by law."""
    override_reason: str | None = None
    """Lets a coach teach two classes at once."""


@dataclass(frozen=True, slots=True)
class SeriesPlan:
    """What a series comes to: `slots` of all its classes, of which `made` are scheduled now."""

    title: str
    coach: str | None
    capacity: int
    slots: tuple[Slot, ...]
    made: int
    skipped: tuple[date, ...]
    """Days left out, by wish or as holidays."""
    same: int
    """Classes of this type that are on the schedule at such a time already."""

    @property
    def doubled(self) -> tuple[Slot, ...]:
        """Those whose start the night's clocks show twice (rule 47)."""
        return tuple(slot for slot in self.slots if slot.doubled)


def plan_series(session: Session, actor: Actor, new: NewSeries, *, now: datetime) -> SeriesPlan:
    """What `create_series` would do; the coach's row is locked.

    Raises NotFound, ClassTypeArchived, EmptySeries, SessionInPast, DateTooFar, CoachBusy, and
    TimeDoesNotExist for the first day on which the clocks skip that time.
    """
    kind = class_type(session, new.class_type_id)
    check_active(kind, actor.language)
    around = frame(session, kind, new.location_id)
    today = now.astimezone(ZoneInfo(around.zone)).date()
    title = kind.name(actor.language)
    _check_span(new, title, today)
    skipped = _skipped(new)
    slots = tuple(_slots(around, new, skipped, now=now))
    if not slots:
        raise EmptySeries
    coach = None
    if new.coach_id is not None:
        override = new.override_reason is not None
        check_coach_for_all(session, new.coach_id, slots, override=override)
        coach = lock_coach(session, new.coach_id).name
    return SeriesPlan(
        title=title,
        coach=coach,
        capacity=new.capacity or kind.capacity,
        slots=slots,
        made=sum(slot.date <= today + HORIZON for slot in slots),
        skipped=tuple(sorted(skipped)),
        same=_same(session, kind.id, slots),
    )


def create_series(
    session: Session, actor: Actor, new: NewSeries, *, now: datetime
) -> tuple[UUID, SeriesPlan]:
    plan = plan_series(session, actor, new, now=now)
    around = frame(session, class_type(session, new.class_type_id), new.location_id)
    until = now.astimezone(ZoneInfo(around.zone)).date() + HORIZON
    made = SessionSeries(
        org_id=actor.org_id,
        class_type_id=new.class_type_id,
        location_id=around.place_id,
        weekdays=sorted(new.weekdays),
        local_start=new.start,
        duration_min=new.minutes,
        from_date=new.first,
        until_date=new.last,
        skip_dates=list(plan.skipped),
        coach_id=new.coach_id,
        capacity=new.capacity,
        notes=new.notes,
        made_until=min(until, new.last),
    )
    session.add(made)
    session.flush()
    now_made = (slot for slot in plan.slots if slot.date <= until)
    session.add_all(around.row(_dated(made, slot), slot, series_id=made.id) for slot in now_made)
    session.flush()
    return made.id, plan


def extend_series(session: Session, org_id: UUID, *, now: datetime) -> int:
    """Make the dated classes that the schedule now reaches; how many. May run at any time.

    A coach who can't teach one is left out of it; an archived type makes no more.
    """
    until = studio.today(session, org_id, now) + HORIZON
    due = (
        select(SessionSeries.id)
        .where(
            SessionSeries.made_until < func.least(SessionSeries.until_date, until),
        )
        .order_by(SessionSeries.id)
        .limit(AT_MOST)
    )
    return sum(_extend(session, one, until, now=now) for one in session.scalars(due).all())


def lock_series(session: Session, series_id: UUID) -> SessionSeries:
    query = select(SessionSeries).where(SessionSeries.id == series_id)
    found = session.scalar(query.with_for_update().execution_options(populate_existing=True))
    if found is None:
        raise NotFound(what="session_series")
    return found


def dates(first: date, last: date, weekdays: Sequence[int], skip: Sequence[date]) -> Iterator[date]:
    """The days of a series; 0 is Sunday."""
    for ahead in range((last - first).days + 1):
        day = first + timedelta(days=ahead)
        if day.isoweekday() % 7 in weekdays and day not in skip:
            yield day


def _check_span(new: NewSeries, title: str, today: date) -> None:
    if new.first < today:
        raise SessionInPast(**{"class": title}, date=new.first, time=new.start)
    if new.last < new.first:
        raise EmptySeries
    if new.last > today + FURTHEST:
        raise DateTooFar(date=new.last)


def _skipped(new: NewSeries) -> set[date]:
    """Of the days that it would fall on, those left out."""
    on = set(dates(new.first, new.last, new.weekdays, ()))
    closed = {one.date for one in holidays.between(new.first, new.last) if one.day_off}
    return on & {*new.skip_dates, *(closed if new.skip_holidays else ())}


def _slots(around: Frame, new: NewSeries, skip: set[date], *, now: datetime) -> Iterator[Slot]:
    for day in dates(new.first, new.last, new.weekdays, sorted(skip)):
        slot = around.slot(NewSession(new.class_type_id, day, new.start, minutes=new.minutes))
        if slot.starts_at > now:
            yield slot


def _same(session: Session, class_type_id: UUID, slots: tuple[Slot, ...]) -> int:
    query = select(func.count()).where(
        ClassSession.class_type_id == class_type_id,
        ClassSession.status != SessionStatus.CANCELLED,
        ClassSession.starts_at.in_([slot.starts_at for slot in slots]),
    )
    return session.scalar(query) or 0


def _dated(series: SessionSeries, slot: Slot) -> NewSession:
    return NewSession(
        class_type_id=series.class_type_id,
        date=slot.date,
        start=slot.start,
        minutes=series.duration_min,
        coach_id=series.coach_id,
        capacity=series.capacity,
        location_id=series.location_id,
        title=series.title,
        notes=series.notes,
    )


def _extend(session: Session, series_id: UUID, until: date, *, now: datetime) -> int:
    series = lock_series(session, series_id)
    since = max(series.made_until + timedelta(days=1), series.from_date)
    last = min(until, series.until_date)
    kind = class_type(session, series.class_type_id)
    around = frame(session, kind, series.location_id)
    made = 0
    for day in dates(since, last, series.weekdays, series.skip_dates) if kind.active else ():
        slot = _slot_or_none(around, series, day)
        if slot is not None and slot.starts_at > now:
            row = around.row(_dated(series, slot), slot, series_id=series.id)
            row.coach_id = _able(session, series, slot)
            session.add(row)
            made += 1
    series.made_until = max(series.made_until, last)
    session.flush()
    return made


def _slot_or_none(around: Frame, series: SessionSeries, day: date) -> Slot | None:
    """A time that the clocks skip, by rules of theirs that came later, is left out."""
    new = NewSession(series.class_type_id, day, series.local_start, minutes=series.duration_min)
    try:
        return around.slot(new)
    except StudioError as error:
        log.warning("series_left_out", series=str(series.id), day=str(day), reason=error.code)
        return None


def _able(session: Session, series: SessionSeries, slot: Slot) -> UUID | None:
    """The series' coach, if they still work here and teach nothing else then."""
    if series.coach_id is None:
        return None
    try:
        lock_coach(session, series.coach_id)
    except StudioError:
        return None
    return None if taught_meanwhile(session, series.coach_id, slot) else series.coach_id
