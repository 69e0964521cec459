"""Looking up the facts that the rules ask for, and locking those who take part.

Order of locks, so that no two transactions wait for each other: classes by id, then leads who
wait for them, then members by id.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, Select, Uuid, column, func, or_, select, table
from sqlalchemy.orm import Session

from app.bookings.eligibility import Case, OtherClass, Places
from app.bookings.models import Booking
from app.bookings.notices import PROMOTE
from app.bookings.terms import ACTIVE, IN_PLACE, BookingStatus
from app.core.errors import NotFound
from app.core.outbox import Outbox, OutboxState
from app.memberships import queries as memberships
from app.people import service as people
from app.people.models import Member
from app.schedule.models import ClassSession, name_of
from app.schedule.queries import class_type, slot_of
from app.schedule.terms import SessionStatus
from app.schedule.times import Slot
from app.studio import queries as studio
from app.studio.policy import BookingPolicy, Strikes

_VISITS = (*IN_PLACE, BookingStatus.NO_SHOW, BookingStatus.LATE_CANCELLED)
"""These count towards a weekly limit: their credit is used (rule 17)."""

_LEAD = table("lead", column("id", Uuid()), column("trial_waits_id", Uuid()))
"""Read by name: the domain of leads stands above this one."""


@dataclass(frozen=True, slots=True)
class _Held:
    """Which bookings of which members count, beside those in question."""

    session: Session
    member_ids: Collection[UUID]
    but: Collection[UUID] = ()


def policy_of(row: ClassSession) -> BookingPolicy:
    return BookingPolicy.model_validate(row.policy)


def lock_leads(session: Session, bookings: Iterable[Booking]) -> None:
    """Those who wait with these for a trial, before their members: they may be let in."""
    waits = [one.id for one in bookings if one.trial and one.status is BookingStatus.WAITLISTED]
    if waits:
        query = select(_LEAD.c.id).where(_LEAD.c.trial_waits_id.in_(waits)).order_by(_LEAD.c.id)
        session.execute(query.with_for_update())


def lock_members(session: Session, ids: Collection[UUID]) -> dict[UUID, Member]:
    """Members for this transaction alone, so that credits, clashes and limits can't race."""
    query = select(Member).where(Member.id.in_(ids)).order_by(Member.id)
    locked = query.with_for_update(key_share=True).execution_options(populate_existing=True)
    return {row.id: row for row in session.scalars(locked)}


def lock_member(session: Session, member_id: UUID) -> Member:
    """Raises NotFound, MemberErased."""
    return people.locked(session, member_id)


def member_of(session: Session, member_id: UUID) -> Member:
    found = session.get(Member, member_id)
    if found is None:
        raise NotFound(what="member")
    return found


def of_session(
    session: Session, session_id: UUID, statuses: Sequence[BookingStatus] = ACTIVE
) -> list[Booking]:
    """A locked class's bookings, the queue in its order."""
    query = (
        select(Booking)
        .where(Booking.class_session_id == session_id, Booking.status.in_(statuses))
        .order_by(Booking.waitlisted_at, Booking.id)
        .execution_options(populate_existing=True)
    )
    return list(session.scalars(query))


def places(session: Session, row: ClassSession) -> Places:
    """How a class is filled; lock it first to act on this."""
    counts = (
        select(Booking.status, func.count())
        .where(Booking.class_session_id == row.id, Booking.status.in_(ACTIVE))
        .group_by(Booking.status)
    )
    by_status = dict(session.execute(counts).all())
    booked = sum(by_status.get(status, 0) for status in IN_PLACE)
    waiting = by_status.get(BookingStatus.WAITLISTED, 0)
    free = max(row.capacity - booked, 0)
    held = min(free, waiting) if waiting and _queue_moves_soon(session, row.id) else 0
    return Places(row.capacity, booked, waiting, held)


def case_of(
    session: Session,
    row: ClassSession,
    member: Member,
    *,
    now: datetime,
    of: Booking | None = None,
) -> Case:
    """All that the rules ask for; `of` is the booking that is judged anew: it doesn't count."""
    anew = (of,) if of else ()
    return cases_of(session, row, (member,), now=now, of=anew)[member.id]


def cases_of(
    session: Session,
    row: ClassSession,
    members: Collection[Member],
    *,
    now: datetime,
    of: Collection[Booking] = (),
) -> dict[UUID, Case]:
    """The same of many members, each fact looked up at once for all of them."""
    kind, policy = class_type(session, row.class_type_id), policy_of(row)
    held = _Held(session, [one.id for one in members], [one.id for one in of])
    covers = memberships.covers_of(session, held.member_ids, row.local_date)
    week, ahead = _week_visits(held, row), _ahead(held, row.local_date, now)
    clashes = _clashes(held, slot_of(row))
    blocked = _blocked(session, held.member_ids, policy, now=now)
    trials = {one.member_id for one in of if one.trial}
    filled = places(session, row)
    return {
        one.id: Case(
            now=now,
            slot=slot_of(row),
            cancelled=row.status is SessionStatus.CANCELLED,
            class_type_id=kind.id,
            credit_cost=kind.credit_cost,
            policy=policy,
            places=filled,
            member=one.name,
            member_status=one.status,
            health_form_until=one.health_form_until,
            covers=covers.get(one.id, ()),
            week_visits=week[one.id],
            same_day=ahead[one.id].same_day,
            ahead=ahead[one.id].later,
            clash=clashes.get(one.id),
            blocked_until=blocked.get(one.id),
            trial=one.id in trials,
        )
        for one in members
    }


def blocked_until(
    session: Session, member_id: UUID, policy: BookingPolicy, *, now: datetime
) -> datetime | None:
    """Until when a member's no-shows close booking ahead; None: they don't (rule 18)."""
    return _blocked(session, (member_id,), policy, now=now).get(member_id)


def _blocked(
    session: Session, member_ids: Collection[UUID], policy: BookingPolicy, *, now: datetime
) -> dict[UUID, datetime]:
    strikes = policy.strikes
    if strikes is None:
        return {}
    since = now - timedelta(days=strikes.within_days + strikes.block_days)
    missed = (
        select(Booking.member_id, ClassSession.ends_at)
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(
            Booking.member_id.in_(member_ids),
            Booking.status == BookingStatus.NO_SHOW,
            ClassSession.ends_at > since,
        )
        .order_by(ClassSession.ends_at)
    )
    ends: dict[UUID, list[datetime]] = defaultdict(list)
    for member_id, ends_at in session.execute(missed):
        ends[member_id].append(ends_at)
    until = {key: strikes_until(found, strikes) for key, found in ends.items()}
    return {key: one for key, one in until.items() if one is not None and one > now}


def strikes_until(missed: Sequence[datetime], strikes: Strikes) -> datetime | None:
    """When the last block ends that these no-shows, in their order, have brought."""
    within = timedelta(days=strikes.within_days)
    runs = zip(missed, missed[strikes.no_shows - 1 :], strict=False)
    last = [end for first, end in runs if end - first <= within]
    return last[-1] + timedelta(days=strikes.block_days) if last else None


def clash(
    session: Session, member_id: UUID, slot: Slot, *, other_than: UUID | None = None
) -> OtherClass | None:
    """A class that the member holds then; not class `other_than`."""
    held = _Held(session, (member_id,))
    return _clashes(held, slot, other_than=other_than).get(member_id)


def _clashes(held: _Held, slot: Slot, *, other_than: UUID | None = None) -> dict[UUID, OtherClass]:
    """The first class that each of them holds then."""
    query = (
        select(Booking.member_id, ClassSession)
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(
            *_kept(held),
            ClassSession.status != SessionStatus.CANCELLED,
            ClassSession.starts_at < slot.ends_at,
            ClassSession.ends_at > slot.starts_at,
        )
        .order_by(ClassSession.starts_at.desc())
    )
    if other_than is not None:
        query = query.where(ClassSession.id != other_than)
    first = dict(held.session.execute(query).all())
    return {
        key: OtherClass(name_of(held.session, one), one.local_date, slot_of(one))
        for key, one in first.items()
    }


def clashing(
    session: Session, bookings: Sequence[Booking], slots: Mapping[UUID, Slot]
) -> set[UUID]:
    """Which members with a place hold another class, where theirs move to these slots, by class.

    One query for all of them.
    """
    placed = [one for one in bookings if one.status in IN_PLACE]
    others: dict[UUID, list[ClassSession]] = defaultdict(list)
    for member_id, row in session.execute(_beside(placed, slots)):
        others[member_id].append(row)
    return {
        one.member_id
        for one in placed
        if any(_meets(other, slots[one.class_session_id]) for other in others[one.member_id])
    }


def _beside(placed: Sequence[Booking], slots: Mapping[UUID, Slot]) -> Select[UUID, ClassSession]:
    """What these members hold beside the classes that move, in the whole time that they take."""
    return (
        select(Booking.member_id, ClassSession)
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(
            Booking.member_id.in_({one.member_id for one in placed}),
            Booking.status.in_(IN_PLACE),
            ClassSession.id.not_in(slots),
            ClassSession.status != SessionStatus.CANCELLED,
            ClassSession.starts_at < max(slot.ends_at for slot in slots.values()),
            ClassSession.ends_at > min(slot.starts_at for slot in slots.values()),
        )
    )


def _meets(row: ClassSession, slot: Slot) -> bool:
    return row.starts_at < slot.ends_at and row.ends_at > slot.starts_at


def _kept(held: _Held) -> list[ColumnElement[bool]]:
    return [*_counted(held), Booking.status.in_(IN_PLACE)]


def _counted(held: _Held) -> list[ColumnElement[bool]]:
    terms: list[ColumnElement[bool]] = [Booking.member_id.in_(held.member_ids)]
    if held.but:
        terms.append(Booking.id.not_in(held.but))
    return terms


@dataclass(frozen=True, slots=True)
class _Ahead:
    """How many places somebody holds on a day, and after now."""

    same_day: int = 0
    later: int = 0


def _ahead(held: _Held, day: date, now: datetime) -> dict[UUID, _Ahead]:
    query = (
        select(
            Booking.member_id,
            func.count().filter(ClassSession.local_date == day),
            func.count().filter(ClassSession.starts_at > now),
        )
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(*_kept(held), or_(ClassSession.local_date == day, ClassSession.starts_at > now))
        .group_by(Booking.member_id)
    )
    found = {key: _Ahead(*counts) for key, *counts in held.session.execute(query)}
    return {key: found.get(key, _Ahead()) for key in held.member_ids}


def _week_visits(held: _Held, row: ClassSession) -> dict[UUID, dict[UUID, int]]:
    """Visits by member and membership in the org's week of a class."""
    first = _week_start(held.session, row)
    query = (
        select(Booking.member_id, Booking.membership_id, func.count())
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(
            *_counted(held),
            Booking.membership_id.is_not(None),
            Booking.status.in_(_VISITS),
            ClassSession.local_date >= first,
            ClassSession.local_date < first + timedelta(days=7),
        )
        .group_by(Booking.member_id, Booking.membership_id)
    )
    found: dict[UUID, dict[UUID, int]] = {key: {} for key in held.member_ids}
    for member_id, membership_id, count in held.session.execute(query):
        if membership_id is not None:
            found[member_id][membership_id] = count
    return found


def _week_start(session: Session, row: ClassSession) -> date:
    sunday_first = row.local_date.isoweekday() % 7
    since = (sunday_first - studio.org(session, row.org_id).week_start) % 7
    return row.local_date - timedelta(days=since)


def _queue_moves_soon(session: Session, session_id: UUID) -> bool:
    """Whether a freed place waits for the queue: until then nobody jumps it."""
    query = select(Outbox.id).where(
        Outbox.topic == PROMOTE,
        Outbox.state == OutboxState.WAITING,
        Outbox.body["class_session_id"].astext == str(session_id),
    )
    return session.scalar(query.limit(1)) is not None
