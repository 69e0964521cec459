"""Changing a class that people have booked: what it means for each of them (rules 9, 19 to 21)."""

from dataclasses import dataclass
from datetime import date, datetime, time
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.bookings.eligibility import BARRED
from app.bookings.errors import SessionHasBookings
from app.bookings.models import Booking
from app.bookings.notices import MemberNotice, Teller
from app.bookings.queries import session_view
from app.bookings.service import facts
from app.bookings.service.booking import free_place
from app.bookings.terms import IN_PLACE, BookingStatus
from app.bookings.views import SessionView
from app.core.actor import Actor
from app.memberships import service as credit
from app.memberships.errors import NoCreditsLeft
from app.people import queries as people
from app.people.models import Member
from app.schedule.errors import (
    CapacityBelowBooked,
    SessionCancelledAlready,
    SessionInPast,
    SessionNotCancelled,
    SessionStarted,
)
from app.schedule.models import ClassSession, name_of
from app.schedule.queries import slot_of
from app.schedule.service import (
    Changes,
    change,
    check_coach,
    check_future,
    check_scheduled,
    lock,
    shift,
)
from app.schedule.terms import SessionStatus
from app.schedule.times import Slot, slot_lasting
from app.studio import queries as studio


@dataclass(frozen=True, slots=True)
class SessionCancelled:
    """`booked` lost a place and `waiting` a place in the queue; all `credits` came back."""

    session: SessionView
    booked: int
    waiting: int
    credits: int


@dataclass(frozen=True, slots=True)
class SessionReinstated:
    """`left_out` are the names of those who can't come any more: a clash, or a credit spent."""

    session: SessionView
    restored: int
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionMove:
    """`told` members hear of it; `clashing` are names that hold another class then."""

    session: SessionView
    was: Slot
    slot: Slot
    told: int
    clashing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NewTime:
    """`minutes` None: as long as it was."""

    date: date
    start: time
    minutes: int | None = None
    override_reason: str | None = None


def change_session(
    session: Session,
    actor: Actor,
    session_id: UUID,
    changes: Changes,
    *,
    now: datetime,
    expected_version: int | None = None,
) -> SessionView:
    """Raises CapacityBelowBooked with the names; a larger class lets the queue in (rule 9)."""
    row = lock(session, session_id, expected_version=expected_version)
    before = row.capacity
    if changes.capacity is not None:
        _check_capacity(session, row, changes.capacity)
    change(session, row, changes, now=now)
    if row.capacity > before:
        free_place(session, row)
    return session_view(session, row.id, actor.language)


def preview_cancel_session(
    session: Session, actor: Actor, session_id: UUID, *, now: datetime
) -> SessionCancelled:
    """What `cancel_session` does in this transaction; locks the class, raises what it would."""
    row = lock(session, session_id)
    _check_cancellable(row, now=now)
    active = facts.of_session(session, row.id)
    back = sum(credit.costs_of(session, [one.id for one in active]).values())
    return _cancelled(session, actor, row, active, back)


def cancel_session(
    session: Session,
    actor: Actor,
    session_id: UUID,
    *,
    now: datetime,
    reason: str | None = None,
    notify: bool = True,
) -> SessionCancelled:
    """Cancel a class: every credit comes back, however late it is, and each is told once."""
    row = lock(session, session_id)
    _check_cancellable(row, now=now)
    active = facts.of_session(session, row.id)
    facts.lock_members(session, {one.member_id for one in active})
    today = studio.today(session, actor.org_id, now)
    gone = _cancelled(session, actor, row, active, 0)
    back = credit.give_all_back(session, actor, [one.id for one in active], today=today)
    for booking in active:
        booking.cancelled_from, booking.cancelled_at = booking.status, now
        booking.status = BookingStatus.CANCELLED
    row.status, row.cancelled_at, row.cancel_reason = SessionStatus.CANCELLED, now, reason
    session.flush()
    if notify:
        told = (one.member_id for one in active)
        Teller(session, actor, row.id).tell(MemberNotice.SESSION_CANCELLED, *told)
    view = session_view(session, row.id, actor.language)
    return SessionCancelled(view, gone.booked, gone.waiting, back)


def reinstate_session(
    session: Session,
    actor: Actor,
    session_id: UUID,
    *,
    now: datetime,
    restore_bookings: bool = True,
) -> SessionReinstated:
    """Bring a class back, with the bookings it had as far as they still fit."""
    row = lock(session, session_id)
    if row.status is not SessionStatus.CANCELLED:
        raise SessionNotCancelled
    if row.starts_at <= now:
        title = name_of(session, row, actor.language)
        raise SessionInPast(**{"class": title}, date=row.local_date, time=row.local_start)
    if row.coach_id is not None:
        check_coach(session, row.coach_id, slot_of(row), override=False, but=row.id)
    lost = _lost(session, row) if restore_bookings else []
    members = facts.lock_members(session, {one.member_id for one in lost})
    row.status, row.cancelled_at, row.cancel_reason = SessionStatus.SCHEDULED, None, None
    session.flush()
    back = [one for one in lost if _restore(session, actor, row, one)]
    if facts.places(session, row).free > 0:
        free_place(session, row)
    Teller(session, actor, row.id).tell(
        MemberNotice.SESSION_REINSTATED, *(one.member_id for one in back)
    )
    left_out = [members[one.member_id].name for one in lost if one not in back]
    view = session_view(session, row.id, actor.language)
    return SessionReinstated(view, len(back), tuple(sorted(left_out)))


def preview_reschedule(
    session: Session, actor: Actor, session_id: UUID, to: NewTime, *, now: datetime
) -> SessionMove:
    """What `reschedule_session` does in this transaction; locks the class, raises what it would."""
    row = lock(session, session_id)
    slot = _new_slot(session, actor, row, to, now=now)
    active = facts.of_session(session, row.id)
    return _move(session, actor, row, active, slot)


def reschedule_session(
    session: Session, actor: Actor, session_id: UUID, to: NewTime, *, now: datetime
) -> SessionMove:
    """Put a class at another time: bookings stay, all are told, leaving is free (rule 20)."""
    row = lock(session, session_id)
    slot = _new_slot(session, actor, row, to, now=now)
    active = facts.of_session(session, row.id)
    moved = _move(session, actor, row, active, slot)
    shift(row, slot)
    row.rescheduled_at, row.series_exception = now, row.series_id is not None
    session.flush()
    told = (one.member_id for one in active)
    Teller(session, actor, row.id).tell(MemberNotice.SESSION_MOVED, *told, was=moved.was)
    view = session_view(session, row.id, actor.language)
    return SessionMove(view, moved.was, slot, moved.told, moved.clashing)


def preview_delete_session(session: Session, actor: Actor, session_id: UUID) -> SessionView:
    """The class that `delete_session` takes away in this transaction, locked.

    Raises SessionHasBookings: a class that anybody ever booked is cancelled, not deleted.
    """
    row = lock(session, session_id)
    count = select(func.count()).where(Booking.class_session_id == row.id)
    if bookings := session.scalar(count):
        raise SessionHasBookings(bookings=bookings)
    return session_view(session, row.id, actor.language)


def delete_session(session: Session, actor: Actor, session_id: UUID) -> SessionView:
    view = preview_delete_session(session, actor, session_id)
    session.delete(lock(session, session_id))
    session.flush()
    return view


def _check_capacity(session: Session, row: ClassSession, capacity: int) -> None:
    booked = facts.of_session(session, row.id, IN_PLACE)
    if capacity < len(booked):
        names = people.member_names(session, {one.member_id for one in booked})
        raise CapacityBelowBooked(capacity=capacity, booked=len(booked), names=names)


def _check_cancellable(row: ClassSession, *, now: datetime) -> None:
    if row.status is SessionStatus.CANCELLED:
        raise SessionCancelledAlready
    check_scheduled(row, now=now)


def _cancelled(
    session: Session, actor: Actor, row: ClassSession, active: list[Booking], back: int
) -> SessionCancelled:
    waiting = sum(one.status is BookingStatus.WAITLISTED for one in active)
    view = session_view(session, row.id, actor.language)
    return SessionCancelled(view, len(active) - waiting, waiting, back)


def _lost(session: Session, row: ClassSession) -> list[Booking]:
    """The bookings that went with the class, the queue in its order."""
    query = (
        select(Booking)
        .where(
            Booking.class_session_id == row.id,
            Booking.cancelled_from.is_not(None),
            Booking.cancelled_at == row.cancelled_at,
        )
        .order_by(Booking.waitlisted_at, Booking.id)
    )
    return list(session.scalars(query))


def _restore(session: Session, actor: Actor, row: ClassSession, booking: Booking) -> bool:
    """Give one member their place back; False where it can't be."""
    member = session.get_one(Member, booking.member_id)
    before, since = booking.cancelled_from, booking.cancelled_at
    if before is None or since is None or member.status in BARRED:
        return False
    in_place = before in IN_PLACE
    if in_place and facts.clash(session, member.id, slot_of(row), other_than=row.id):
        return False
    try:
        credit.take_again(session, actor, booking.id, since=since)
    except NoCreditsLeft:
        return False
    booking.status, booking.cancelled_from, booking.cancelled_at = before, None, None
    session.flush()
    return True


def _new_slot(
    session: Session, actor: Actor, row: ClassSession, to: NewTime, *, now: datetime
) -> Slot:
    check_scheduled(row, now=now)
    title = name_of(session, row, actor.language)
    if row.starts_at <= now:
        raise SessionStarted(**{"class": title})
    slot = slot_lasting(to.date, to.start, to.minutes or slot_of(row).minutes, row.zone)
    if slot.starts_at <= now:
        raise SessionInPast(**{"class": title}, date=slot.date, time=slot.start)
    check_future(slot, title, now=now)
    if row.coach_id is not None:
        override = to.override_reason is not None
        check_coach(session, row.coach_id, slot, override=override, but=row.id)
    return slot


def _move(
    session: Session, actor: Actor, row: ClassSession, active: list[Booking], slot: Slot
) -> SessionMove:
    clashing = facts.clashing(session, active, {row.id: slot})
    return SessionMove(
        session=session_view(session, row.id, actor.language),
        was=slot_of(row),
        slot=slot,
        told=len({one.member_id for one in active}),
        clashing=people.member_names(session, clashing),
    )
