"""Putting classes on the schedule and changing them, as far as nobody's booking is touched."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import NotFound, StaleVersion, StudioError
from app.people.models import Staff
from app.schedule.errors import (
    ClassTypeArchived,
    CoachBusy,
    CoachInactive,
    DateTooFar,
    SessionInPast,
    SessionNotScheduled,
)
from app.schedule.models import ClassSession, ClassType, name_of
from app.schedule.queries import class_type, slot_of, taught_between, taught_meanwhile
from app.schedule.terms import SessionStatus
from app.schedule.times import Slot, instant, slot_lasting, slot_until
from app.studio import queries as studio
from app.studio.models import Location
from app.studio.policy import merged

FURTHEST = timedelta(days=366)
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class NewSession:
    """`end`, or else `minutes`, or else the type's length; other gaps are filled from the type."""

    class_type_id: UUID
    date: date
    start: time
    end: time | None = None
    minutes: int | None = None
    coach_id: UUID | None = None
    capacity: int | None = None
    location_id: UUID | None = None
    title: str | None = None
    notes: str | None = None
    override_reason: str | None = None
    """Lets a coach teach two classes at once."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to be different; None leaves a thing as it is."""

    coach_id: UUID | None = None
    capacity: int | None = None
    location_id: UUID | None = None
    title: str | None = None
    notes: str | None = None
    override_reason: str | None = None


def create(session: Session, actor: Actor, new: NewSession, *, now: datetime) -> ClassSession:
    """Schedule one class. Raises NotFound, what is wrong with its time, or CoachBusy."""
    kind = class_type(session, new.class_type_id)
    check_active(kind, actor.language)
    around = frame(session, kind, new.location_id)
    made = around.row(new, around.slot(new))
    check_future(slot_of(made), new.title or kind.name(actor.language), now=now)
    if new.coach_id is not None:
        override = new.override_reason is not None
        check_coach(session, new.coach_id, slot_of(made), override=override)
    session.add(made)
    session.flush()
    return made


def bring_in(
    session: Session, _: Actor, schedule: Sequence[NewSession], *, now: datetime
) -> list[UUID]:
    """Take over a schedule from elsewhere as it is, what is over included; ids in its order."""
    kinds = {(new.class_type_id, new.location_id) for new in schedule}
    frames = {key: frame(session, class_type(session, key[0]), key[1]) for key in kinds}
    around = [(frames[new.class_type_id, new.location_id], new) for new in schedule]
    made = [one.row(new, one.slot(new)) for one, new in around]
    for row in made:
        over = row.ends_at <= now
        row.status = SessionStatus.COMPLETED if over else SessionStatus.SCHEDULED
    session.add_all(made)
    session.flush()
    return [row.id for row in made]


def lock(
    session: Session, session_id: UUID, *, expected_version: int | None = None
) -> ClassSession:
    """The row of a class, for this transaction alone. Raises NotFound, StaleVersion."""
    query = select(ClassSession).where(ClassSession.id == session_id)
    found = session.scalar(query.with_for_update().execution_options(populate_existing=True))
    if found is None:
        raise NotFound(what="class_session")
    if expected_version is not None and found.version != expected_version:
        raise StaleVersion(version=found.version)
    return found


def change(session: Session, row: ClassSession, changes: Changes, *, now: datetime) -> None:
    """Write changes to a locked class; what they mean for the booked is the caller's to check."""
    check_scheduled(row, now=now)
    if changes.coach_id is not None:
        override = changes.override_reason is not None
        check_coach(session, changes.coach_id, slot_of(row), override=override, but=row.id)
        row.coach_id = changes.coach_id
    if changes.location_id is not None:
        row.location_id = studio.location(session, changes.location_id).id
    row.capacity = row.capacity if changes.capacity is None else changes.capacity
    row.title = row.title if changes.title is None else changes.title or None
    row.notes = row.notes if changes.notes is None else changes.notes or None
    session.flush()


def shift(row: ClassSession, slot: Slot) -> None:
    """Put a locked class at another time."""
    row.local_date, row.local_start, row.local_end = slot.date, slot.start, slot.end
    row.starts_at, row.ends_at = slot.starts_at, slot.ends_at


def retime(session: Session, *, now: datetime) -> int:
    """Give classes to come the instants of their local times by today's rules of their zones.

    How many had others. One whose time is skipped by now stays as it is, and is logged.
    """
    query = select(ClassSession).where(
        ClassSession.starts_at > now, ClassSession.status != SessionStatus.CANCELLED
    )
    return sum(_retime(row) for row in session.scalars(query))


def check_coach(
    session: Session, coach_id: UUID, slot: Slot, *, override: bool, but: UUID | None = None
) -> None:
    """Raise where this person can't teach then. Their row is locked, so two classes can't race."""
    coach = lock_coach(session, coach_id)
    other = None if override else taught_meanwhile(session, coach_id, slot, but=but)
    if other is not None:
        told = {"class": name_of(session, other), "coach": coach.name}
        raise CoachBusy(date=other.local_date, time=other.local_start, **told)


def lock_coach(session: Session, coach_id: UUID) -> Staff:
    """Raises NotFound, CoachInactive."""
    query = select(Staff).where(Staff.id == coach_id)
    coach = session.scalar(query.with_for_update(key_share=True))
    if coach is None:
        raise NotFound(what="staff")
    if not coach.active:
        raise CoachInactive(coach=coach.name)
    return coach


def check_coach_for_all(
    session: Session,
    coach_id: UUID,
    slots: Sequence[Slot],
    *,
    override: bool,
    but: Collection[UUID] = (),
) -> None:
    """The same for many classes of one coach at once; `but` are those that are to move there."""
    coach = lock_coach(session, coach_id)
    if override or not slots:
        return
    first, last = min(one.starts_at for one in slots), max(one.ends_at for one in slots)
    for other in taught_between(session, coach_id, first, last):
        met = any(_meet(other, slot) for slot in slots)
        if met and other.id not in but:
            told = {"class": name_of(session, other), "coach": coach.name}
            raise CoachBusy(date=other.local_date, time=other.local_start, **told)


def _retime(row: ClassSession) -> bool:
    """A class that begins at its instant still is left alone; it stays as long as it was."""
    try:
        if instant(row.local_date, row.local_start, row.zone) == row.starts_at:
            return False
        minutes = slot_of(row).minutes
        shift(row, slot_lasting(row.local_date, row.local_start, minutes, row.zone))
    except StudioError as error:
        log.warning("class_has_no_time", class_session=str(row.id), reason=error.code)
        return False
    return True


def _meet(row: ClassSession, slot: Slot) -> bool:
    return row.starts_at < slot.ends_at and row.ends_at > slot.starts_at


def check_future(slot: Slot, title: str, *, now: datetime) -> None:
    if slot.ends_at <= now:
        raise SessionInPast(**{"class": title}, date=slot.date, time=slot.start)
    if slot.starts_at > now + FURTHEST:
        raise DateTooFar(date=slot.date)


def check_scheduled(row: ClassSession, *, now: datetime) -> None:
    """Raise SessionNotScheduled for what is cancelled or over."""
    if row.status is SessionStatus.CANCELLED or row.ends_at <= now:
        over = row.status is not SessionStatus.CANCELLED
        raise SessionNotScheduled(state="over" if over else row.status.value)


@dataclass(frozen=True, slots=True)
class Frame:
    """What a class takes from its type and its place."""

    kind: ClassType
    place_id: UUID | None
    zone: str
    policy: dict[str, Any]

    def slot(self, new: NewSession) -> Slot:
        """Raises TimeDoesNotExist, BadDuration."""
        if new.end is not None:
            return slot_until(new.date, new.start, new.end, self.zone)
        return slot_lasting(new.date, new.start, new.minutes or self.kind.duration_min, self.zone)

    def row(self, new: NewSession, slot: Slot, *, series_id: UUID | None = None) -> ClassSession:
        made = ClassSession(
            org_id=self.kind.org_id,
            class_type_id=self.kind.id,
            location_id=self.place_id,
            title=new.title,
            zone=slot.zone,
            coach_id=new.coach_id,
            capacity=new.capacity or self.kind.capacity,
            policy=self.policy,
            notes=new.notes,
            series_id=series_id,
        )
        shift(made, slot)
        return made


def frame(session: Session, kind: ClassType, location_id: UUID | None) -> Frame:
    """Raises NotFound for a place that isn't there."""
    org = studio.org(session, kind.org_id)
    place = _place(session, location_id or kind.location_id)
    policy = merged(org.booking_policy, kind.booking_policy).model_dump(mode="json")
    zone = (place.timezone if place else None) or org.timezone
    return Frame(kind, place.id if place else None, zone, policy)


def check_active(kind: ClassType, language: str) -> None:
    if not kind.active:
        raise ClassTypeArchived(**{"class": kind.name(language)})


def _place(session: Session, location_id: UUID | None) -> Location | None:
    if location_id is not None:
        return studio.location(session, location_id)
    return studio.only_location(session)
