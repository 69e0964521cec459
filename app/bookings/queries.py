"""Reading the schedule as it is filled, rosters and bookings."""

from collections.abc import Collection
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ScalarSelect, Select, Subquery, case, func, select
from sqlalchemy.orm import Session, aliased

from app.bookings.models import Booking
from app.bookings.terms import IN_PLACE, BookingStatus
from app.bookings.views import BookingFilter, BookingView, SessionFilter, SessionView
from app.core.errors import NotFound
from app.memberships.models import CreditEntry
from app.people import queries as people
from app.people.models import Member, Staff
from app.schedule.models import ClassSession, ClassType
from app.schedule.queries import slot_of
from app.studio.models import Location
from app.studio.paging import Cut, Page, page
from app.studio.policy import BookingPolicy, free_until, opens_at

_WAITING = (BookingStatus.WAITLISTED,)


class _SessionRow(NamedTuple):
    session: ClassSession
    kind: ClassType
    coach: str | None
    location: str | None
    booked: int
    waiting: int


class _BookingRow(NamedTuple):
    booking: Booking
    member: Member
    session: ClassSession
    kind: ClassType
    coach: str | None
    position: int | None
    credits: int


def sessions(
    session: Session, wanted: SessionFilter, language: str, *, cut: Cut
) -> Page[SessionView]:
    """Classes by their start."""
    query = _sessions().order_by(ClassSession.starts_at, ClassSession.id)
    query = query.where(*_session_terms(wanted))
    return page(session, query, cut, lambda row: _session_view(_SessionRow(*row), language))


def session_view(session: Session, session_id: UUID, language: str) -> SessionView:
    row = session.execute(_sessions().where(ClassSession.id == session_id)).one_or_none()
    if row is None:
        raise NotFound(what="class_session")
    return _session_view(_SessionRow(*row), language)


def sessions_of(session: Session, ids: Collection[UUID], language: str) -> tuple[SessionView, ...]:
    """These classes, by their start."""
    query = _sessions().where(ClassSession.id.in_(ids))
    rows = session.execute(query.order_by(ClassSession.starts_at, ClassSession.id))
    return tuple(_session_view(_SessionRow(*row), language) for row in rows)


def bookings_of(session: Session, ids: Collection[UUID], language: str) -> tuple[BookingView, ...]:
    """These bookings, by the start of their class."""
    query = _bookings().where(Booking.id.in_(ids))
    rows = session.execute(query.order_by(ClassSession.starts_at, Booking.id))
    return tuple(_booking_view(_BookingRow(*row), language) for row in rows)


def bookings(
    session: Session, wanted: BookingFilter, language: str, *, cut: Cut
) -> Page[BookingView]:
    """Bookings by the start of their class, the latest first."""
    query = _bookings().where(*_booking_terms(wanted))
    query = query.order_by(ClassSession.starts_at.desc(), Booking.booked_at, Booking.id)
    return page(session, query, cut, lambda row: _booking_view(_BookingRow(*row), language))


def roster(
    session: Session, session_id: UUID, language: str, *, waiting: bool, cut: Cut
) -> Page[BookingView]:
    """Who has a place, then the queue in its order, then who cancelled."""
    rank = case(
        (Booking.status.in_(IN_PLACE), 0), (Booking.status == BookingStatus.WAITLISTED, 1), else_=2
    )
    query = _bookings().where(Booking.class_session_id == session_id)
    if not waiting:
        query = query.where(Booking.status != BookingStatus.WAITLISTED)
    query = query.order_by(rank, Booking.waitlisted_at, Member.first_name, Booking.id)
    return page(session, query, cut, lambda row: _booking_view(_BookingRow(*row), language))


def booked_names(session: Session, session_id: UUID) -> tuple[str, ...]:
    """Who has a place, in alphabetical order."""
    query = select(Booking.member_id).where(
        Booking.class_session_id == session_id, Booking.status.in_(IN_PLACE)
    )
    return people.member_names(session, list(session.scalars(query)))


def booking_view(session: Session, booking_id: UUID, language: str) -> BookingView:
    row = session.execute(_bookings().where(Booking.id == booking_id)).one_or_none()
    if row is None:
        raise NotFound(what="booking")
    return _booking_view(_BookingRow(*row), language)


def titles(session: Session, booking_ids: Collection[UUID], language: str) -> dict[UUID, str]:
    """What the classes of some bookings are called."""
    query = (
        select(Booking.id, ClassSession.title, ClassType)
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .join(ClassType, ClassType.id == ClassSession.class_type_id)
        .where(Booking.id.in_(booking_ids))
    )
    return {key: title or kind.name(language) for key, title, kind in session.execute(query)}


def next_booking(
    session: Session, member_id: UUID, language: str, *, now: datetime
) -> BookingView | None:
    query = (
        _bookings()
        .where(
            Booking.member_id == member_id,
            Booking.status == BookingStatus.BOOKED,
            ClassSession.starts_at > now,
        )
        .order_by(ClassSession.starts_at)
        .limit(1)
    )
    row = session.execute(query).one_or_none()
    return _booking_view(_BookingRow(*row), language) if row else None


def ahead(
    session: Session,
    member_id: UUID,
    language: str,
    *,
    now: datetime,
    since: date | None = None,
    until: date | None = None,
    membership_id: UUID | None = None,
) -> tuple[BookingView, ...]:
    """A member's places, and places in queues, in classes to come.

    Of some local days only, or only those that one membership pays.
    """
    query = _bookings().where(
        Booking.member_id == member_id,
        Booking.status.in_((BookingStatus.BOOKED, BookingStatus.WAITLISTED)),
        ClassSession.starts_at > now,
    )
    if since is not None:
        query = query.where(ClassSession.local_date >= since)
    if until is not None:
        query = query.where(ClassSession.local_date <= until)
    if membership_id is not None:
        query = query.where(Booking.membership_id == membership_id)
    rows = session.execute(query.order_by(ClassSession.starts_at, Booking.id))
    return tuple(_booking_view(_BookingRow(*row), language) for row in rows)


def waited_for(session: Session, session_ids: Collection[UUID]) -> set[UUID]:
    """Those of some classes that have a queue."""
    query = select(Booking.class_session_id).where(
        Booking.class_session_id.in_(session_ids), Booking.status == BookingStatus.WAITLISTED
    )
    return set(session.scalars(query))


def last_visit(session: Session, member_id: UUID) -> datetime | None:
    """When the last class began that they came to."""
    return session.scalar(select(last_visited()).select_from(Member).where(Member.id == member_id))


def last_visited() -> ScalarSelect[datetime]:
    """The same as a part of a query of members."""
    return (
        select(func.max(ClassSession.starts_at))
        .join(Booking, Booking.class_session_id == ClassSession.id)
        .where(Booking.member_id == Member.id, Booking.status == BookingStatus.ATTENDED)
        .correlate(Member)
        .scalar_subquery()
    )


def last_visits() -> Subquery:
    """The same of everybody who ever came, for a query of many; columns: member_id, at."""
    return (
        select(Booking.member_id, func.max(ClassSession.starts_at).label("at"))
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(Booking.status == BookingStatus.ATTENDED)
        .group_by(Booking.member_id)
        .subquery()
    )


def _sessions() -> Select[Any, Any, Any, Any, Any, Any]:
    return (
        select(
            ClassSession, ClassType, Staff.name, Location.name, _count(IN_PLACE), _count(_WAITING)
        )
        .join(ClassType, ClassType.id == ClassSession.class_type_id)
        .outerjoin(Staff, Staff.id == ClassSession.coach_id)
        .outerjoin(Location, Location.id == ClassSession.location_id)
    )


def _bookings() -> Select[Any, Any, Any, Any, Any, Any, Any]:
    return (
        select(Booking, Member, ClassSession, ClassType, Staff.name, _position(), _credits())
        .join(Member, Member.id == Booking.member_id)
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .join(ClassType, ClassType.id == ClassSession.class_type_id)
        .outerjoin(Staff, Staff.id == ClassSession.coach_id)
    )


def _count(statuses: tuple[BookingStatus, ...]) -> ScalarSelect[int]:
    counted = aliased(Booking)
    return (
        select(func.count(counted.id))
        .where(counted.class_session_id == ClassSession.id, counted.status.in_(statuses))
        .correlate(ClassSession)
        .scalar_subquery()
    )


def _position() -> ScalarSelect[int]:
    """A place in the queue is how many joined no later: it has no gaps (rule 5)."""
    before = aliased(Booking)
    return (
        select(func.nullif(func.count(before.id), 0))
        .where(
            Booking.status == BookingStatus.WAITLISTED,
            before.class_session_id == Booking.class_session_id,
            before.status == BookingStatus.WAITLISTED,
            before.waitlisted_at <= Booking.waitlisted_at,
        )
        .correlate(Booking)
        .scalar_subquery()
    )


def _credits() -> ScalarSelect[int]:
    return (
        select(-func.coalesce(func.sum(CreditEntry.delta), 0))
        .where(CreditEntry.booking_id == Booking.id)
        .correlate(Booking)
        .scalar_subquery()
    )


def _session_terms(wanted: SessionFilter) -> list[Any]:
    terms = {
        "since": lambda value: ClassSession.local_date >= value,
        "until": lambda value: ClassSession.local_date <= value,
        "class_type_id": lambda value: ClassSession.class_type_id == value,
        "coach_id": lambda value: ClassSession.coach_id == value,
        "location_id": lambda value: ClassSession.location_id == value,
        "statuses": ClassSession.status.in_,
    }
    return _terms(wanted, terms)


def _booking_terms(wanted: BookingFilter) -> list[Any]:
    terms = {
        "member_id": lambda value: Booking.member_id == value,
        "class_session_id": lambda value: Booking.class_session_id == value,
        "since": lambda value: ClassSession.local_date >= value,
        "until": lambda value: ClassSession.local_date <= value,
        "statuses": Booking.status.in_,
    }
    return _terms(wanted, terms)


def _terms(wanted: object, terms: dict[str, Any]) -> list[Any]:
    asked = {name: getattr(wanted, name) for name in terms}
    return [terms[name](value) for name, value in asked.items() if value not in (None, ())]


def _session_view(row: _SessionRow, language: str) -> SessionView:
    one = row.session
    policy = BookingPolicy.model_validate(one.policy)
    return SessionView(
        id=one.id,
        version=one.version,
        class_type_id=one.class_type_id,
        title=one.title or row.kind.name(language),
        slot=slot_of(one),
        status=one.status,
        coach_id=one.coach_id,
        coach=row.coach,
        location=row.location,
        capacity=one.capacity,
        booked=row.booked,
        waiting=row.waiting,
        notes=one.notes,
        cancel_reason=one.cancel_reason,
        series_id=one.series_id,
        waitlist=policy.waitlist_mode,
        opens_at=opens_at(policy, one.starts_at, one.zone),
        free_until=free_until(policy, one.starts_at, one.zone),
    )


def _booking_view(row: _BookingRow, language: str) -> BookingView:
    return BookingView(
        id=row.booking.id,
        version=row.booking.version,
        member_id=row.member.id,
        member=row.member.name,
        class_session_id=row.session.id,
        title=row.session.title or row.kind.name(language),
        slot=slot_of(row.session),
        coach=row.coach,
        status=row.booking.status,
        position=row.position,
        credits=row.credits,
        checked_in_at=row.booking.checked_in_at,
        walk_in=row.booking.walk_in,
        trial=row.booking.trial,
    )
