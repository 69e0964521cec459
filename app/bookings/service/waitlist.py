"""The queue of a full class: who is let in when a place is freed (rules 5 to 8, 11)."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.bookings.eligibility import Case, Verdict, judge
from app.bookings.errors import BookingClosed, Full, HasPlaces, NotOpenYet
from app.bookings.models import Booking
from app.bookings.notices import MemberNotice, Teller
from app.bookings.queries import booking_view
from app.bookings.service import facts
from app.bookings.service.booking import Booked, BookingRequest, book, find, overrule, pay
from app.bookings.service.cancelling import Cancelled, cancel, preview_cancel
from app.bookings.terms import BookingSource, BookingStatus
from app.core.actor import Actor, Role, Via
from app.core.errors import NotFound
from app.people.models import Member
from app.schedule.models import ClassSession
from app.schedule.service import lock
from app.schedule.terms import SessionStatus
from app.studio.policy import QueueMove, free_until, queue_move

log = structlog.get_logger(__name__)

NOBODY = UUID(int=0)
"""The actor of what happens by itself."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """Booking ids; those skipped keep their position, with the code of the rule that says no.

    `offered` were told that there is a place, for whoever answers first.
    """

    promoted: tuple[UUID, ...] = ()
    skipped: tuple[tuple[UUID, str], ...] = ()
    offered: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """What staff say about one who waits."""

    over_capacity: bool = False
    override_reason: str | None = None


def system(org_id: UUID) -> Actor:
    """Who acts where nobody does: the queue, the end of a class."""
    return Actor(org_id, NOBODY, Role.OWNER, via=Via.MACHINE)


def promote(session: Session, session_id: UUID, *, now: datetime) -> Promotion:
    """Fill the free places of a class from its queue, or offer them to all who wait."""
    row = lock(session, session_id)
    if row.status is not SessionStatus.SCHEDULED or row.starts_at <= now:
        return Promotion()
    how = queue_move(facts.policy_of(row), row.starts_at, now=now)
    if how == "staff":
        return Promotion()
    queue = facts.of_session(session, row.id, (BookingStatus.WAITLISTED,))
    facts.lock_leads(session, queue)
    members = facts.lock_members(session, {one.member_id for one in queue})
    return _Queue(session, row, how, now).move(queue, members)


def join(session: Session, actor: Actor, wish: BookingRequest, *, now: datetime) -> Booked:
    """Put a member on the list of a full class. Raises HasPlaces, or the rule that says no."""
    row = lock(session, wish.class_session_id)
    free = facts.places(session, row).free
    if row.status is SessionStatus.SCHEDULED and row.starts_at > now and free > 0:
        raise HasPlaces(free=free)
    return book(session, actor, replace(wish, join_waitlist=True), now=now)


def preview_leave(
    session: Session, actor: Actor, session_id: UUID, booking_id: UUID, *, now: datetime
) -> Cancelled:
    """What `leave` does, the class locked. Raises NotFound, BookingClosed."""
    waiting(session, lock(session, session_id).id, booking_id)
    return preview_cancel(session, actor, booking_id, now=now)


def leave(
    session: Session, actor: Actor, session_id: UUID, booking_id: UUID, *, now: datetime
) -> Cancelled:
    """Take one off the list; those behind move up."""
    waiting(session, lock(session, session_id).id, booking_id)
    return cancel(session, actor, booking_id, now=now)


def promote_one(
    session: Session,
    actor: Actor,
    session_id: UUID,
    booking_id: UUID,
    choice: Choice,
    *,
    now: datetime,
) -> Booked:
    """Let one in out of turn: staff decide, or one who was offered a place has answered.

    Raises NotFound, BookingClosed, Full, or the first rule that says no and isn't set aside.
    """
    row = lock(session, session_id)
    booking = waiting(session, row.id, booking_id)
    facts.lock_leads(session, [booking])
    member = facts.lock_member(session, booking.member_id)
    case = _as_it_is(facts.case_of(session, row, member, now=now, of=booking))
    verdict = judge(case).beside(NotOpenYet, *((Full,) if choice.over_capacity else ()))
    overruled = overrule(actor, verdict, choice.override_reason)
    booking.override_reason = choice.override_reason or booking.override_reason
    _admit(session, actor, booking, case, verdict)
    Teller(session, actor, row.id).tell(MemberNotice.PROMOTED, member.id)
    return Booked(booking_view(session, booking.id, actor.language), overruled)


def waiting(session: Session, session_id: UUID, booking_id: UUID) -> Booking:
    """One who waits for a locked class. Raises NotFound, BookingClosed."""
    booking = find(session, booking_id, fresh=True)
    if booking.class_session_id != session_id:
        raise NotFound(what="booking")
    if booking.status is not BookingStatus.WAITLISTED:
        raise BookingClosed(state=booking.status.value)
    return booking


@dataclass(frozen=True, slots=True)
class _Queue:
    """One move of a locked class's queue."""

    session: Session
    row: ClassSession
    how: QueueMove
    now: datetime

    def move(self, queue: list[Booking], members: dict[UUID, Member]) -> Promotion:
        free = self.row.capacity - facts.places(self.session, self.row).booked
        promoted: list[UUID] = []
        skipped: list[tuple[UUID, str]] = []
        offer: list[Booking] = []
        cases = self._cases(queue, members) if free > 0 else {}
        for booking in queue:
            if len(promoted) >= free:
                break
            case = cases[booking.member_id]
            verdict = judge(case).beside(Full, NotOpenYet)
            if verdict.reason is not None:
                skipped.append((booking.id, verdict.reason.code))
                log.info("waitlist_skipped", booking_id=str(booking.id), reason=skipped[-1][1])
            elif self._only_offered(booking):
                offer.append(booking)
            else:
                self._let_in(booking, case, verdict)
                promoted.append(booking.id)
        offered = self._offer(offer) if len(promoted) < free else ()
        return Promotion(tuple(promoted), tuple(skipped), offered)

    def _cases(self, queue: list[Booking], members: dict[UUID, Member]) -> dict[UUID, Case]:
        """Of all at once: letting one in changes nothing for another but the places."""
        people = members.values()
        return facts.cases_of(self.session, self.row, people, now=self.now, of=queue)

    def _only_offered(self, booking: Booking) -> bool:
        """Nobody is booked by itself where they couldn't leave free, unless they wished it."""
        policy = facts.policy_of(self.row)
        closed = self.now > free_until(policy, self.row.starts_at, self.row.zone)
        return self.how == "offer" or (closed and not booking.takes_late)

    def _let_in(self, booking: Booking, case: Case, verdict: Verdict) -> None:
        actor = system(self.row.org_id)
        booking.source, booking.booked_at = BookingSource.AUTO, self.now
        _admit(self.session, actor, booking, case, verdict)
        Teller(self.session, actor, self.row.id).tell(MemberNotice.PROMOTED, booking.member_id)

    def _offer(self, bookings: list[Booking]) -> tuple[UUID, ...]:
        """Tell all of them of the place: the first who answers has it."""
        for booking in bookings:
            booking.offered_at = self.now
        self.session.flush()
        teller = Teller(self.session, system(self.row.org_id), self.row.id)
        teller.tell(MemberNotice.PLACE_OFFERED, *(one.member_id for one in bookings))
        return tuple(one.id for one in bookings)


def _as_it_is(case: Case) -> Case:
    """A place that is kept for the queue is there for one who stands in it."""
    return replace(case, places=replace(case.places, held=0))


def _admit(session: Session, actor: Actor, booking: Booking, case: Case, verdict: Verdict) -> None:
    booking.status, booking.waitlisted_at = BookingStatus.BOOKED, None
    booking.membership_id = verdict.cover.membership_id if verdict.cover else None
    session.flush()
    pay(session, actor, booking, case, verdict.cover, override=bool(verdict.failures))
