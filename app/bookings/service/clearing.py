"""Taking a member out of the classes to come: a freeze, a suspension, a goodbye."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.bookings import queries
from app.bookings.errors import Clash, PlaceGone
from app.bookings.models import Booking
from app.bookings.notices import MemberNotice, Teller
from app.bookings.service import facts
from app.bookings.service.booking import free_place
from app.bookings.terms import IN_PLACE, BookingStatus
from app.bookings.views import BookingView
from app.core.actor import Actor
from app.memberships import service as credit
from app.schedule.models import ClassSession
from app.schedule.queries import slot_of
from app.schedule.service import lock
from app.schedule.terms import SessionStatus
from app.studio import queries as studio


@dataclass(frozen=True, slots=True)
class Cleared:
    """The places that are given up, by the start of their class, as they were.

    All `credits` come back, however late it is: it isn't the member who cancels.
    """

    bookings: tuple[BookingView, ...]
    credits: int


def preview_clear(
    session: Session,
    actor: Actor,
    member_id: UUID,
    *,
    now: datetime,
    since: date | None = None,
    until: date | None = None,
    membership_id: UUID | None = None,
) -> Cleared:
    """What `clear` does as things stand; nothing is locked."""
    found = queries.ahead(
        session,
        member_id,
        actor.language,
        now=now,
        since=since,
        until=until,
        membership_id=membership_id,
    )
    return Cleared(found, sum(credit.costs_of(session, [one.id for one in found]).values()))


def clear(
    session: Session,
    actor: Actor,
    member_id: UUID,
    *,
    now: datetime,
    since: date | None = None,
    until: date | None = None,
    membership_id: UUID | None = None,
    reason: str | None = None,
    tell: bool = True,
) -> Cleared:
    """Cancel all that a member has booked ahead, and give the credits back.

    On those local days alone, or only what one membership pays. The member is locked from then on,
    after their classes, as everywhere.
    """
    look = partial(
        queries.ahead,
        session,
        member_id,
        actor.language,
        now=now,
        since=since,
        until=until,
        membership_id=membership_id,
    )
    gone, classes = _hold(session, member_id, look)
    _cancel(session, gone, now=now, reason=reason)
    today = studio.today(session, actor.org_id, now)
    back = credit.give_all_back(session, actor, [one.id for one in gone], today=today)
    _free(session, [classes[one.class_session_id] for one in gone if one.status in IN_PLACE])
    for view in gone if tell else ():
        Teller(session, actor, view.class_session_id).tell(
            MemberNotice.BOOKING_CANCELLED, member_id
        )
    return Cleared(gone, back)


def bring_back(
    session: Session, actor: Actor, member_id: UUID, cleared_at: datetime, *, now: datetime
) -> int:
    """Undo what was cleared at that instant: places, queues and credits; how many bookings.

    Classes that have begun or were cancelled since are left out. Raises PlaceGone, Clash,
    NoCreditsLeft where one can't be had again: all or nothing.
    """
    lost = _cleared(session, member_id, cleared_at)
    classes = _lock_classes(session, (one.class_session_id for one in lost))
    facts.lock_member(session, member_id)
    standing = [one for one in lost if _is_ahead(classes[one.class_session_id], now)]
    for booking in standing:
        _restore(session, actor, classes[booking.class_session_id], booking, since=cleared_at)
    return len(standing)


def _hold(
    session: Session, member_id: UUID, look: Callable[[], tuple[BookingView, ...]]
) -> tuple[tuple[BookingView, ...], dict[UUID, ClassSession]]:
    """Lock the classes that `look` finds, then the member; what it finds then, and the classes.

    Starts again where a booking came in between, as its class would be locked after the member.
    """
    while True:
        with session.begin_nested() as attempt:
            classes = _lock_classes(session, (one.class_session_id for one in look()))
            facts.lock_member(session, member_id)
            gone = look()
            if classes.keys() >= {one.class_session_id for one in gone}:
                return gone, classes
            attempt.rollback()


def _lock_classes(session: Session, ids: Iterable[UUID]) -> dict[UUID, ClassSession]:
    return {one: lock(session, one) for one in sorted(set(ids))}


def _cancel(
    session: Session, gone: Sequence[BookingView], *, now: datetime, reason: str | None
) -> None:
    query = select(Booking).where(Booking.id.in_([one.id for one in gone]))
    for booking in session.scalars(query.execution_options(populate_existing=True)):
        booking.cancelled_from, booking.status = booking.status, BookingStatus.CANCELLED
        booking.cancelled_at, booking.cancel_reason = now, reason
    session.flush()


def _free(session: Session, rows: Sequence[ClassSession]) -> None:
    """Let the queues of these classes know of the places, where there are any."""
    waited = queries.waited_for(session, [row.id for row in rows])
    for row in rows:
        if row.id in waited:
            free_place(session, row)


def _cleared(session: Session, member_id: UUID, at: datetime) -> list[Booking]:
    query = select(Booking).where(
        Booking.member_id == member_id,
        Booking.cancelled_at == at,
        Booking.cancelled_from.is_not(None),
    )
    return list(session.scalars(query.order_by(Booking.waitlisted_at, Booking.id)))


def _is_ahead(row: ClassSession, now: datetime) -> bool:
    return row.status is SessionStatus.SCHEDULED and row.starts_at > now


def _restore(
    session: Session, actor: Actor, row: ClassSession, booking: Booking, *, since: datetime
) -> None:
    before = booking.cancelled_from or BookingStatus.BOOKED
    if before in IN_PLACE:
        _check_place(session, row, booking.member_id)
    booking.status, booking.cancelled_from = before, None
    booking.cancelled_at, booking.cancel_reason = None, None
    session.flush()
    credit.take_again(session, actor, booking.id, since=since)


def _check_place(session: Session, row: ClassSession, member_id: UUID) -> None:
    """A place that is kept for the queue is still free: the queue has not moved."""
    places = facts.places(session, row)
    if places.booked >= places.capacity:
        raise PlaceGone(capacity=places.capacity)
    other = facts.clash(session, member_id, slot_of(row))
    if other is not None:
        named = {"class": other.title}
        raise Clash(date=other.date, time=other.slot.start, **named)
