"""Giving members places, and moving them from one class to another."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.bookings.eligibility import Case, Verdict, judge
from app.bookings.errors import (
    AlreadyBooked,
    BookingClosed,
    Full,
    NotBookable,
    SameSession,
)
from app.bookings.models import Booking
from app.bookings.notices import MemberNotice, Teller, queue_moves
from app.bookings.queries import booking_view
from app.bookings.service import facts
from app.bookings.terms import ACTIVE, BookingSource, BookingStatus
from app.bookings.views import BookingView
from app.core.actor import Actor, Role
from app.core.errors import NotAllowed, NotFound
from app.memberships import service as credit
from app.memberships.terms import CreditReason
from app.memberships.views import Cover
from app.schedule.models import ClassSession
from app.schedule.queries import class_session, slot_of
from app.schedule.service import lock
from app.studio import queries as studio


@dataclass(frozen=True, slots=True)
class BookingRequest:
    """Who is to be booked into what. A waiting list is joined only when asked (rule 5)."""

    class_session_id: UUID
    member_id: UUID
    membership_id: UUID | None = None
    override_reason: str | None = None
    join_waitlist: bool = False
    takes_late: bool = False
    """In the queue: they want a place even when leaving it is no longer free (rule 7)."""
    trial: bool = False
    """A first class: it takes no membership."""


@dataclass(frozen=True, slots=True)
class Booked:
    booking: BookingView
    overruled: tuple[NotBookable, ...] = ()
    """The rules that staff set aside."""


def check(session: Session, session_id: UUID, member_id: UUID, *, now: datetime) -> Verdict:
    """What the rules say now; nothing is locked, nothing changes. Raises NotFound."""
    row = class_session(session, session_id)
    member = facts.member_of(session, member_id)
    verdict = judge(facts.case_of(session, row, member, now=now))
    held = _held(session, row.id, member_id)
    if held is None:
        return verdict
    already = AlreadyBooked(member=member.name, state=held.status.value)
    return Verdict((already, *verdict.failures), verdict.cover)


def book(session: Session, actor: Actor, wish: BookingRequest, *, now: datetime) -> Booked:
    """Book, or queue if the wish says so. Raises the first rule that says no, NotAllowed."""
    row = lock(session, wish.class_session_id)
    member = facts.lock_member(session, wish.member_id)
    if held := _held(session, row.id, member.id):
        raise AlreadyBooked(member=member.name, state=held.status.value)
    case = _narrowed(facts.case_of(session, row, member, now=now), wish.membership_id)
    verdict = judge(replace(case, trial=wish.trial))
    waits = wish.join_waitlist and any(isinstance(one, Full) for one in verdict.failures)
    counting = verdict.beside(Full) if waits else verdict
    overruled = overrule(actor, counting, wish.override_reason)
    made = new_booking(actor, wish, verdict.cover, now=now)
    if waits:
        made.status, made.waitlisted_at = BookingStatus.WAITLISTED, _queue_end(session, row.id, now)
        made.takes_late = wish.takes_late
    session.add(made)
    session.flush()
    if not waits:
        pay(session, actor, made, case, verdict.cover, override=bool(overruled))
    Teller(session, actor, row.id).tell(
        MemberNotice.WAITLISTED if waits else MemberNotice.BOOKED, member.id
    )
    return Booked(booking_view(session, made.id, actor.language), overruled)


def move(
    session: Session, actor: Actor, booking_id: UUID, to_session_id: UUID, *, now: datetime
) -> Booked:
    """Move a place, or a place in the queue, to a place in another class; all or nothing.

    Raises SameSession, BookingClosed, or the first rule that says no.
    """
    source, target, booking = _lock_both(session, booking_id, to_session_id, now=now)
    facts.lock_leads(session, [booking])
    member = facts.lock_member(session, booking.member_id)
    if held := _held(session, target.id, member.id):
        raise AlreadyBooked(member=member.name, state=held.status.value)
    today = studio.today(session, actor.org_id, now)
    credit.give_back(session, actor, booking.id, today=today, reason=CreditReason.REVERSE)
    case = facts.case_of(session, target, member, now=now, of=booking)
    verdict = judge(case)
    if verdict.reason is not None:
        raise verdict.reason
    freed = booking.status is BookingStatus.BOOKED
    _put(booking, target, verdict.cover)
    session.flush()
    pay(session, actor, booking, case, verdict.cover)
    if freed:
        free_place(session, source)
    Teller(session, actor, target.id).tell(
        MemberNotice.BOOKING_MOVED, member.id, was=slot_of(source)
    )
    return Booked(booking_view(session, booking.id, actor.language))


def overrule(actor: Actor, verdict: Verdict, reason: str | None) -> tuple[NotBookable, ...]:
    """The rules that a reason sets aside; members have no such right (rule 4).

    Raises the first rule that isn't, NotAllowed.
    """
    if verdict.reason is None:
        return ()
    firm = next((one for one in verdict.failures if not one.overridable), None)
    if reason is None or firm is not None:
        raise firm if reason is not None and firm else verdict.reason
    if not actor.role.at_least(Role.COACH):
        raise NotAllowed
    return verdict.failures


def free_place(session: Session, row: ClassSession) -> None:
    """Let the queue of a locked class know that there is a place."""
    if facts.places(session, row).waiting:
        policy = facts.policy_of(row)
        queue_moves(session, row.org_id, row.id, policy, slot=slot_of(row))


def pay(
    session: Session,
    actor: Actor,
    booking: Booking,
    case: Case,
    cover: Cover | None,
    *,
    override: bool = False,
) -> None:
    """Take what the class costs on this membership. Raises NoCreditsLeft."""
    if cover is None or cover.credits is None or not case.credit_cost:
        return
    charge = credit.Charge(
        member_id=booking.member_id,
        membership_id=cover.membership_id,
        booking_id=booking.id,
        credits=case.credit_cost,
        on=case.slot.date,
    )
    credit.consume(session, actor, charge, override=override)


def find(session: Session, booking_id: UUID, *, fresh: bool = False) -> Booking:
    """`fresh`: as it is now that its class is locked. Raises NotFound."""
    query = select(Booking).where(Booking.id == booking_id)
    found = session.scalar(query.execution_options(populate_existing=fresh))
    if found is None:
        raise NotFound(what="booking")
    return found


def new_booking(
    actor: Actor, wish: BookingRequest, cover: Cover | None, *, now: datetime
) -> Booking:
    staff = actor.role.at_least(Role.COACH)
    return Booking(
        org_id=actor.org_id,
        class_session_id=wish.class_session_id,
        member_id=wish.member_id,
        membership_id=cover.membership_id if cover else None,
        status=BookingStatus.BOOKED,
        source=BookingSource.STAFF if staff else BookingSource.MEMBER,
        booked_by=actor.user_id,
        booked_at=now,
        override_reason=wish.override_reason,
        trial=wish.trial,
    )


def as_trial(session: Session, booking_id: UUID) -> None:
    """It takes no membership from now on. Raises NotFound."""
    find(session, booking_id).trial = True
    session.flush()


def _lock_both(
    session: Session, booking_id: UUID, to_session_id: UUID, *, now: datetime
) -> tuple[ClassSession, ClassSession, Booking]:
    from_session_id = find(session, booking_id).class_session_id
    if from_session_id == to_session_id:
        raise SameSession
    locked = {key: lock(session, key) for key in sorted({from_session_id, to_session_id})}
    booking = find(session, booking_id, fresh=True)
    source = locked.get(booking.class_session_id)
    if source is None or booking.status not in _MOVABLE:
        raise BookingClosed(state=booking.status.value)
    if source.starts_at <= now:
        raise BookingClosed(state="over")
    return source, locked[to_session_id], booking


_MOVABLE = (BookingStatus.BOOKED, BookingStatus.WAITLISTED)


def _put(booking: Booking, target: ClassSession, cover: Cover | None) -> None:
    booking.class_session_id = target.id
    booking.membership_id = cover.membership_id if cover else None
    booking.status, booking.waitlisted_at = BookingStatus.BOOKED, None


def _held(session: Session, session_id: UUID, member_id: UUID) -> Booking | None:
    query = select(Booking).where(
        Booking.class_session_id == session_id,
        Booking.member_id == member_id,
        Booking.status.in_(ACTIVE),
    )
    return session.scalar(query)


def _narrowed(case: Case, membership_id: UUID | None) -> Case:
    """Only the membership that was named may pay. Raises NotFound where there is none such."""
    if membership_id is None:
        return case
    named = tuple(one for one in case.covers if one.membership_id == membership_id)
    if not named:
        raise NotFound(what="membership")
    return replace(case, covers=named)


def _queue_end(session: Session, session_id: UUID, now: datetime) -> datetime:
    """Behind everybody who waits, whatever the clocks of the machines say."""
    query = select(func.max(Booking.waitlisted_at)).where(
        Booking.class_session_id == session_id, Booking.status == BookingStatus.WAITLISTED
    )
    last = session.scalar(query)
    return now if last is None else max(now, last + timedelta(microseconds=1))
