"""Somebody of the team as a member of the gym: their own bookings, under a member's rules."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.bookings.errors import NoMemberProfile
from app.bookings.service.booking import Booked, BookingRequest, book, find
from app.bookings.service.cancelling import Cancelled, cancel, preview_cancel
from app.core.actor import Actor
from app.core.errors import NotFound
from app.people import queries as people
from app.people.views import MemberView


def me(session: Session, actor: Actor) -> MemberView:
    """The caller as a member. Raises NoMemberProfile."""
    found = people.member_of_login(session, actor.user_id)
    if found is None:
        raise NoMemberProfile(name=actor.name)
    return found


def book_self(
    session: Session,
    actor: Actor,
    session_id: UUID,
    *,
    now: datetime,
    join_waitlist: bool = False,
) -> Booked:
    """Raises NoMemberProfile, or the first rule that says no: for oneself none is set aside."""
    wish = BookingRequest(session_id, me(session, actor).id, join_waitlist=join_waitlist)
    return book(session, actor, wish, now=now)


def preview_cancel_self(
    session: Session, actor: Actor, booking_id: UUID, *, now: datetime
) -> Cancelled:
    _check_own(session, actor, booking_id)
    return preview_cancel(session, actor, booking_id, now=now)


def cancel_self(session: Session, actor: Actor, booking_id: UUID, *, now: datetime) -> Cancelled:
    """Raises NotFound for anybody else's booking."""
    _check_own(session, actor, booking_id)
    return cancel(session, actor, booking_id, now=now)


def _check_own(session: Session, actor: Actor, booking_id: UUID) -> None:
    if find(session, booking_id).member_id != me(session, actor).id:
        raise NotFound(what="booking")
