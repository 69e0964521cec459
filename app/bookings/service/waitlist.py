"""The queue of a full class: who is let in when a place is freed (rules 5 to 8, 11)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.bookings.eligibility import Verdict, judge
from app.bookings.errors import Full, NotOpenYet
from app.bookings.models import Booking
from app.bookings.notices import Notice, Teller
from app.bookings.service import facts
from app.bookings.service.booking import pay
from app.bookings.terms import BookingSource, BookingStatus
from app.core.actor import Actor, Role, Via
from app.people.models import Member
from app.schedule.models import ClassSession
from app.schedule.service import lock
from app.schedule.terms import SessionStatus
from app.studio.policy import promotes_until

log = structlog.get_logger(__name__)

NOBODY = UUID(int=0)
"""The actor of what happens by itself."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """Booking ids; those skipped keep their position, with the code of the rule that says no."""

    promoted: tuple[UUID, ...] = ()
    skipped: tuple[tuple[UUID, str], ...] = ()


def promote(session: Session, session_id: UUID, *, now: datetime) -> Promotion:
    """Fill the free places of a class from its queue; nothing once the queue has closed."""
    row = lock(session, session_id)
    if not _moves(row, now=now):
        return Promotion()
    queue = facts.of_session(session, row.id, (BookingStatus.WAITLISTED,))
    members = facts.lock_members(session, {one.member_id for one in queue})
    system = Actor(row.org_id, NOBODY, Role.OWNER, via=Via.MACHINE)
    promoted: list[UUID] = []
    skipped: list[tuple[UUID, str]] = []
    for booking in queue:
        if facts.places(session, row).booked >= row.capacity:
            break
        verdict = _let_in(session, system, row, booking, members[booking.member_id], now=now)
        if verdict.reason is None:
            promoted.append(booking.id)
        else:
            skipped.append((booking.id, verdict.reason.code))
            log.info("waitlist_skipped", booking_id=str(booking.id), reason=verdict.reason.code)
    return Promotion(tuple(promoted), tuple(skipped))


def _moves(row: ClassSession, *, now: datetime) -> bool:
    until = promotes_until(facts.policy_of(row), row.starts_at, row.zone)
    return row.status is SessionStatus.SCHEDULED and until is not None and now <= until


def _let_in(
    session: Session,
    actor: Actor,
    row: ClassSession,
    booking: Booking,
    member: Member,
    *,
    now: datetime,
) -> Verdict:
    """Give one who waits a place, if the rules let them; that it was full is no obstacle now."""
    case = facts.case_of(session, row, member, now=now, but=booking.id)
    verdict = judge(case).beside(Full, NotOpenYet)
    if verdict.reason is None:
        booking.status, booking.waitlisted_at = BookingStatus.BOOKED, None
        booking.source, booking.booked_at = BookingSource.AUTO, now
        booking.membership_id = verdict.cover.membership_id if verdict.cover else None
        session.flush()
        pay(session, actor, booking, case, verdict.cover)
        Teller(session, actor, row.id).tell(Notice.PROMOTED, member.id)
    return verdict
