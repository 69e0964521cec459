"""Who came: check-ins and walk-ins, what takes them back, and no-shows (rules 17, 22)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import case as sql_case
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.bookings.eligibility import Case, Verdict, judge
from app.bookings.errors import (
    BookingClosed,
    CheckedInAlready,
    CheckInClosed,
    Full,
    NobodyToCheckIn,
    NotBookable,
    NotBooked,
    NotCheckedIn,
    NotOpenYet,
    NotStarted,
    SessionOff,
    SessionOver,
)
from app.bookings.models import Booking
from app.bookings.queries import booking_view, session_view
from app.bookings.service import facts
from app.bookings.service.booking import Booked, BookingRequest, new_booking, overrule, pay
from app.bookings.terms import ACTIVE, BookingStatus
from app.bookings.views import BookingView, SessionView
from app.core.actor import Actor
from app.core.errors import NotFound
from app.memberships import service as credit
from app.memberships.terms import CreditReason
from app.people import queries as people
from app.people.models import Member
from app.people.terms import MemberStatus
from app.schedule.models import ClassSession
from app.schedule.service import lock
from app.schedule.terms import SessionStatus
from app.studio import queries as studio

OPENS: Final = timedelta(minutes=30)
"""Before the start."""
CLOSES: Final = timedelta(hours=24)
"""After the end."""
_MARKABLE = (BookingStatus.BOOKED, BookingStatus.NO_SHOW)


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who is said to have come; who isn't booked is let in only as a walk-in."""

    class_session_id: UUID
    member_id: UUID
    walk_in: bool = False
    override_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """One whose attendance was noted; `blocked_until` by too many no-shows, theirs (rule 18)."""

    booking: BookingView
    blocked_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Present:
    """Those of one class who are marked at once, by name."""

    session: SessionView
    names: tuple[str, ...]


def check_in(session: Session, actor: Actor, one: Arrival, *, now: datetime) -> Booked:
    """Note that somebody came; a walk-in is booked and pays as anybody (rule 22).

    Raises CheckInClosed, SessionOff, CheckedInAlready, NotBooked, or the rule that says no.
    """
    row = _open(session, one.class_session_id, now=now)
    held = _held(session, row.id, one.member_id)
    facts.lock_leads(session, [held] if held else [])
    member = facts.lock_member(session, one.member_id)
    if held is not None and held.status is BookingStatus.ATTENDED:
        raise CheckedInAlready(member=member.name)
    if held is not None and held.status in _MARKABLE:
        overruled = _let_back(session, actor, row, held, one)
        _arrive(held, now)
    elif one.walk_in or actor.undoing:
        held, overruled = _walk_in(session, actor, row, member, held=held, one=one, now=now)
    else:
        raise NotBooked(members=(member.name,))
    session.flush()
    return Booked(booking_view(session, held.id, actor.language), overruled)


def undo_check_in(
    session: Session, actor: Actor, session_id: UUID, member_id: UUID, *, now: datetime
) -> BookingView:
    """Put a booking back to what it was; one that the check-in made is taken out, with its credit.

    Raises CheckInClosed, NotCheckedIn.
    """
    row = _open(session, session_id, now=now)
    member = facts.lock_member(session, member_id)
    held = _held(session, row.id, member.id)
    if held is None or held.status is not BookingStatus.ATTENDED:
        raise NotCheckedIn(member=member.name)
    if held.walk_in:
        today = studio.today(session, actor.org_id, now)
        credit.give_back(session, actor, held.id, today=today, reason=CreditReason.REVERSE)
    _put_back(held, now)
    session.flush()
    return booking_view(session, held.id, actor.language)


def preview_bulk(
    session: Session,
    actor: Actor,
    session_id: UUID,
    only: Collection[UUID],
    but: Collection[UUID] = (),
    *,
    now: datetime,
) -> Present:
    """Whom `bulk_check_in` marks: all who are booked, or `only` these; the class is locked.

    Raises CheckInClosed, SessionOff, NotBooked with the names, NobodyToCheckIn.
    """
    row, marked = _to_mark(session, session_id, only, but, now=now)
    view = session_view(session, row.id, actor.language)
    return Present(view, people.member_names(session, [one.member_id for one in marked]))


def bulk_check_in(
    session: Session,
    actor: Actor,
    session_id: UUID,
    only: Collection[UUID],
    but: Collection[UUID] = (),
    *,
    now: datetime,
) -> Present:
    row, marked = _to_mark(session, session_id, only, but, now=now)
    for booking in marked:
        _arrive(booking, now)
    session.flush()
    view = session_view(session, row.id, actor.language)
    return Present(view, people.member_names(session, [one.member_id for one in marked]))


def mark_no_show(
    session: Session, actor: Actor, session_id: UUID, member_id: UUID, *, now: datetime
) -> Marked:
    """Note that somebody who was booked stayed away: the credit stays used (rule 17).

    Raises NotStarted, CheckInClosed, NotBooked, BookingClosed.
    """
    row = _open(session, session_id, now=now)
    if now < row.starts_at:
        raise NotStarted(starts_at=row.starts_at)
    member = facts.lock_member(session, member_id)
    held = _held(session, row.id, member.id)
    if held is None or held.status is BookingStatus.WAITLISTED:
        raise NotBooked(members=(member.name,))
    if held.status is not BookingStatus.BOOKED:
        raise BookingClosed(state=held.status.value)
    held.status = BookingStatus.NO_SHOW
    session.flush()
    until = facts.blocked_until(session, member.id, facts.policy_of(row), now=now)
    return Marked(booking_view(session, held.id, actor.language), until)


def _open(session: Session, session_id: UUID, *, now: datetime) -> ClassSession:
    """The locked class. Raises NotFound, SessionOff, CheckInClosed."""
    row = lock(session, session_id)
    if row.status is SessionStatus.CANCELLED:
        raise SessionOff
    opens, closes = row.starts_at - OPENS, row.ends_at + CLOSES
    if not opens <= now <= closes:
        raise CheckInClosed(opens_at=opens, closes_at=closes)
    return row


def _held(session: Session, session_id: UUID, member_id: UUID) -> Booking | None:
    """What a member has in a locked class, or had and didn't come."""
    first = sql_case((Booking.status == BookingStatus.NO_SHOW, 1), else_=0)
    query = (
        select(Booking)
        .where(
            Booking.class_session_id == session_id,
            Booking.member_id == member_id,
            Booking.status.in_((*ACTIVE, BookingStatus.NO_SHOW)),
        )
        .order_by(first, Booking.booked_at.desc())
        .limit(1)
    )
    return session.scalar(query.execution_options(populate_existing=True))


def _arrive(booking: Booking, now: datetime) -> None:
    booking.checked_in_from, booking.status = booking.status, BookingStatus.ATTENDED
    booking.checked_in_at = now


def _let_back(
    session: Session, actor: Actor, row: ClassSession, held: Booking, one: Arrival
) -> tuple[NotBookable, ...]:
    """One marked as absent comes after all: their place may be taken (rule 4)."""
    places = facts.places(session, row)
    if held.status is BookingStatus.BOOKED or places.booked < places.capacity or actor.undoing:
        return ()
    full = Full(booked=places.booked, capacity=places.capacity, waiting=places.waiting)
    return overrule(actor, Verdict((full,), None), one.override_reason)


def _walk_in(
    session: Session,
    actor: Actor,
    row: ClassSession,
    member: Member,
    *,
    held: Booking | None,
    one: Arrival,
    now: datetime,
) -> tuple[Booking, tuple[NotBookable, ...]]:
    """A place for one who just came, waiting or not."""
    case = facts.case_of(session, row, member, now=now, of=held)
    verdict = _at_the_door(case)
    reason = one.override_reason or ("undo" if actor.undoing else None)
    overruled = overrule(actor, verdict, reason)
    wish = BookingRequest(row.id, member.id, override_reason=one.override_reason)
    booking = held or new_booking(actor, wish, verdict.cover, now=now)
    booking.membership_id = verdict.cover.membership_id if verdict.cover else None
    booking.walk_in = True
    booking.checked_in_from = held.status if held else None
    booking.status, booking.checked_in_at = BookingStatus.ATTENDED, now
    session.add(booking)
    session.flush()
    pay(session, actor, booking, case, verdict.cover, override=bool(overruled))
    return booking, overruled


def _at_the_door(case: Case) -> Verdict:
    """The class may have begun, and a place that is kept for the queue is there."""
    open_ = replace(case, places=replace(case.places, held=0), blocked_until=None)
    return judge(open_).beside(SessionOver, NotOpenYet)


def _put_back(booking: Booking, now: datetime) -> None:
    before = booking.checked_in_from
    if booking.walk_in and before is None:
        booking.status, booking.cancelled_at = BookingStatus.REMOVED, now
    else:
        booking.status = before or BookingStatus.BOOKED
        booking.membership_id = None if booking.walk_in else booking.membership_id
        booking.walk_in = False
    booking.checked_in_from, booking.checked_in_at = None, None


def _to_mark(
    session: Session,
    session_id: UUID,
    only: Collection[UUID],
    but: Collection[UUID],
    *,
    now: datetime,
) -> tuple[ClassSession, list[Booking]]:
    row = _open(session, session_id, now=now)
    booked = _present(session, facts.of_session(session, row.id, (BookingStatus.BOOKED,)))
    _check_booked(session, {*only, *but}, {one.member_id for one in booked})
    wanted = [one for one in booked if not only or one.member_id in only]
    marked = [one for one in wanted if one.member_id not in but]
    if not marked:
        raise NobodyToCheckIn
    return row, marked


def _present(session: Session, booked: Sequence[Booking]) -> list[Booking]:
    """Without those who were erased since the class began."""
    ids = [one.member_id for one in booked]
    erased = select(Member.id).where(Member.id.in_(ids), Member.status == MemberStatus.ERASED)
    gone = set(session.scalars(erased))
    return [one for one in booked if one.member_id not in gone]


def _check_booked(session: Session, named: set[UUID], booked: set[UUID]) -> None:
    """Whoever is named must be there. Raises NotFound for ids of nobody, NotBooked with names."""
    strangers = named - booked
    names = people.member_names(session, strangers)
    if len(names) < len(strangers):
        raise NotFound(what="member")
    if names:
        raise NotBooked(members=names)
