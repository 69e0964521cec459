"""Moving and taking off repeating classes that people have booked (rules 12, 20, 21)."""

from collections import defaultdict
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.bookings.errors import SeriesHasBookings
from app.bookings.models import Booking
from app.bookings.notices import MemberNotice, Teller
from app.bookings.queries import session_view
from app.bookings.service import facts
from app.bookings.service.sessions import NewTime, cancel_session
from app.bookings.terms import ACTIVE, IN_PLACE, BookingStatus
from app.bookings.views import SessionView
from app.core.actor import Actor
from app.people import queries as people
from app.schedule.errors import NotInSeries, SessionInPast, SessionStarted
from app.schedule.models import ClassSession, SessionSeries, name_of
from app.schedule.queries import class_session, slot_of
from app.schedule.service import (
    check_coach_for_all,
    check_future,
    check_scheduled,
    lock_series,
    shift,
)
from app.schedule.terms import Scope, SessionStatus
from app.schedule.times import Slot, slot_lasting


@dataclass(frozen=True, slots=True)
class SeriesMove:
    """`anchor` is the class that was named, `was` and `slot` its time before and after.

    `slots` are the new times of all that move; `told` members hear of it, `clashing` are names.
    """

    anchor: SessionView
    was: Slot
    slot: Slot
    slots: tuple[Slot, ...]
    booked: int
    told: int
    clashing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeriesGone:
    """`deleted` classes go for good; `cancelled` had bookings once, so they stay as cancelled."""

    anchor: SessionView
    first: date
    last: date
    deleted: int
    cancelled: int


def preview_move_series(
    session: Session, actor: Actor, session_id: UUID, to: NewTime, scope: Scope, *, now: datetime
) -> SeriesMove:
    """What `move_series` does in this transaction; locks all, raises what it would."""
    return _Move.of(session, actor, session_id, to, scope, now=now).told(actor)


def move_series(
    session: Session, actor: Actor, session_id: UUID, to: NewTime, scope: Scope, *, now: datetime
) -> SeriesMove:
    """Move all of a scope by as many days, to one time: bookings stay, each is told once.

    Classes that were moved by themselves stay where they are. Raises NotInSeries, and what one
    class's move raises.
    """
    move = _Move.of(session, actor, session_id, to, scope, now=now)
    moved = move.told(actor)
    series = lock_series(session, move.series_id)
    target = _target(session, series, move, scope)
    for row, slot in zip(move.rows, move.slots, strict=True):
        shift(row, slot)
        row.rescheduled_at, row.series_id = now, target.id
    session.flush()
    _tell(session, actor, move)
    view = session_view(session, move.anchor.id, actor.language)
    return SeriesMove(
        view, moved.was, moved.slot, moved.slots, moved.booked, moved.told, moved.clashing
    )


def preview_delete_series(
    session: Session, actor: Actor, session_id: UUID, scope: Scope, *, now: datetime
) -> SeriesGone:
    """What `delete_series` does in this transaction; locks all of them.

    Raises NotInSeries, SessionNotScheduled, SeriesHasBookings.
    """
    rows, anchor = _in_scope(session, session_id, scope, moved=True, now=now)
    counts = _booking_counts(session, rows)
    held = [row for row in rows if counts[row.id][1]]
    if held:
        first = min(held, key=lambda row: row.starts_at)
        raise SeriesHasBookings(classes=len(held), date=first.local_date, time=first.local_start)
    days = [row.local_date for row in rows]
    known = sum(counts[row.id][0] > 0 for row in rows)
    view = session_view(session, anchor.id, actor.language)
    return SeriesGone(view, min(days), max(days), len(rows) - known, known)


def delete_series(
    session: Session, actor: Actor, session_id: UUID, scope: Scope, *, now: datetime
) -> SeriesGone:
    """Take all of a scope off the schedule, and make no more of them (rule 21)."""
    gone = preview_delete_series(session, actor, session_id, scope, now=now)
    rows, anchor = _in_scope(session, session_id, scope, moved=True, now=now)
    series = lock_series(session, _series_of(anchor))
    series.until_date = min(series.until_date, gone.first - timedelta(days=1))
    counts = _booking_counts(session, rows)
    for row in rows:
        if counts[row.id][0]:
            cancel_session(session, actor, row.id, now=now, notify=False)
        else:
            session.delete(row)
    session.flush()
    return gone


@dataclass(frozen=True, slots=True)
class _Move:
    """A move that was looked into and may be done: its rows are locked."""

    session: Session
    anchor: ClassSession
    rows: tuple[ClassSession, ...]
    before: tuple[Slot, ...]
    slots: tuple[Slot, ...]
    bookings: tuple[Booking, ...]

    @classmethod
    def of(
        cls,
        session: Session,
        actor: Actor,
        session_id: UUID,
        to: NewTime,
        scope: Scope,
        *,
        now: datetime,
    ) -> "_Move":
        rows, anchor = _in_scope(session, session_id, scope, moved=False, now=now)
        slots = _new_slots(session, actor, rows, anchor, to, now=now)
        _check_coaches(session, rows, slots, override=to.override_reason is not None)
        before = tuple(map(slot_of, rows))
        return cls(session, anchor, rows, before, slots, _bookings(session, rows))

    @property
    def series_id(self) -> UUID:
        return _series_of(self.anchor)

    @property
    def slot(self) -> Slot:
        """The new time of the class that was named."""
        return self.slots[self.rows.index(self.anchor)]

    @property
    def days(self) -> int:
        return (self.slot.date - self.before[self.rows.index(self.anchor)].date).days

    def told(self, actor: Actor) -> SeriesMove:
        slots = dict(zip((row.id for row in self.rows), self.slots, strict=True))
        return SeriesMove(
            anchor=session_view(self.session, self.anchor.id, actor.language),
            was=slot_of(self.anchor),
            slot=self.slot,
            slots=tuple(sorted(self.slots, key=lambda slot: slot.starts_at)),
            booked=sum(one.status in IN_PLACE for one in self.bookings),
            told=len({one.member_id for one in self.bookings}),
            clashing=people.member_names(
                self.session, facts.clashing(self.session, self.bookings, slots)
            ),
        )


def _in_scope(
    session: Session, session_id: UUID, scope: Scope, *, moved: bool, now: datetime
) -> tuple[tuple[ClassSession, ...], ClassSession]:
    """The classes meant, locked in the order of their ids, and the one that was named.

    `moved`: also those that were moved by themselves.
    """
    anchor = class_session(session, session_id)
    query = (
        select(ClassSession)
        .where(
            ClassSession.series_id == _series_of(anchor),
            ClassSession.status == SessionStatus.SCHEDULED,
            ClassSession.starts_at > now,
        )
        .order_by(ClassSession.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    if not moved:
        usual = ClassSession.series_exception.is_(False)
        query = query.where(usual | (ClassSession.id == anchor.id))
    if scope is Scope.FOLLOWING:
        query = query.where(ClassSession.starts_at >= anchor.starts_at)
    rows = tuple(session.scalars(query))
    check_scheduled(anchor, now=now)
    if anchor.starts_at <= now:
        raise SessionStarted(**{"class": name_of(session, anchor)})
    return rows, anchor


def _series_of(row: ClassSession) -> UUID:
    if row.series_id is None:
        raise NotInSeries
    return row.series_id


def _new_slots(
    session: Session,
    actor: Actor,
    rows: Sequence[ClassSession],
    anchor: ClassSession,
    to: NewTime,
    *,
    now: datetime,
) -> tuple[Slot, ...]:
    """Raises TimeDoesNotExist, SessionInPast, DateTooFar."""
    days = to.date - anchor.local_date
    minutes = to.minutes or slot_of(anchor).minutes
    slots = tuple(slot_lasting(row.local_date + days, to.start, minutes, row.zone) for row in rows)
    title = name_of(session, anchor, actor.language)
    for slot in slots:
        if slot.starts_at <= now:
            raise SessionInPast(**{"class": title}, date=slot.date, time=slot.start)
        check_future(slot, title, now=now)
    return slots


def _check_coaches(
    session: Session, rows: Sequence[ClassSession], slots: Sequence[Slot], *, override: bool
) -> None:
    by_coach: dict[UUID, list[Slot]] = defaultdict(list)
    for row, slot in zip(rows, slots, strict=True):
        if row.coach_id is not None:
            by_coach[row.coach_id].append(slot)
    moving = {row.id for row in rows}
    for coach_id in sorted(by_coach):
        check_coach_for_all(session, coach_id, by_coach[coach_id], override=override, but=moving)


def _bookings(session: Session, rows: Sequence[ClassSession]) -> tuple[Booking, ...]:
    """All that stand in these classes; whose they are is locked."""
    query = select(Booking).where(
        Booking.class_session_id.in_([row.id for row in rows]), Booking.status.in_(ACTIVE)
    )
    found = tuple(session.scalars(query.execution_options(populate_existing=True)))
    facts.lock_members(session, {one.member_id for one in found})
    return found


def _target(session: Session, series: SessionSeries, move: _Move, scope: Scope) -> SessionSeries:
    """The series as it goes on: itself, or one of its own where the first part stays behind."""
    goes_on = _copy(series) if scope is Scope.FOLLOWING else series
    if goes_on is not series:
        goes_on.from_date = move.anchor.local_date
        series.until_date = move.anchor.local_date - timedelta(days=1)
        session.add(goes_on)
    goes_on.local_start, goes_on.duration_min = move.slot.start, move.slot.minutes
    goes_on.weekdays = sorted({(day + move.days) % 7 for day in goes_on.weekdays})
    for name in ("from_date", "until_date", "made_until"):
        setattr(goes_on, name, getattr(goes_on, name) + timedelta(days=move.days))
    session.flush()
    return goes_on


def _copy(series: SessionSeries) -> SessionSeries:
    kept = (
        "org_id", "class_type_id", "location_id", "title", "weekdays", "local_start",
        "duration_min", "from_date", "until_date", "skip_dates", "coach_id", "capacity", "notes",
        "made_until",
    )  # fmt: skip
    return SessionSeries(**{name: copy(getattr(series, name)) for name in kept})


def _tell(session: Session, actor: Actor, move: _Move) -> None:
    """Each member once, of the first of their classes that moved."""
    was = {row.id: slot for row, slot in zip(move.rows, move.before, strict=True)}
    starts = {row.id: row.starts_at for row in move.rows}
    first: dict[UUID, UUID] = {}
    for one in sorted(move.bookings, key=lambda one: starts[one.class_session_id]):
        first.setdefault(one.member_id, one.class_session_id)
    for member_id, session_id in first.items():
        teller = Teller(session, actor, session_id)
        teller.tell(MemberNotice.SERIES_MOVED, member_id, was=was[session_id])


def _booking_counts(session: Session, rows: Sequence[ClassSession]) -> dict[UUID, tuple[int, int]]:
    """By class: how many were ever made, and how many of these stand or have been attended."""
    standing = (*ACTIVE, BookingStatus.NO_SHOW)
    query = (
        select(
            Booking.class_session_id,
            func.count(),
            func.count().filter(Booking.status.in_(standing)),
        )
        .where(Booking.class_session_id.in_([row.id for row in rows]))
        .group_by(Booking.class_session_id)
    )
    found = {key: (ever, now) for key, ever, now in session.execute(query)}
    return {row.id: found.get(row.id, (0, 0)) for row in rows}
