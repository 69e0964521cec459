"""Members by a filter: its fields as terms of a query."""

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, ScalarSelect, and_, exists, extract, func, or_, select, true
from sqlalchemy.orm import Session

from app.bookings.models import Booking
from app.bookings.terms import IN_PLACE, BookingStatus
from app.core.columns import among
from app.core.errors import NotFound
from app.memberships import queries as memberships
from app.memberships.models import CreditEntry, Membership
from app.messages.filters import AudienceFilter
from app.messages.views import Audience
from app.people import queries as people
from app.people.models import Member
from app.people.terms import MemberStatus
from app.schedule import queries as schedule
from app.schedule.models import ClassSession

Term = ColumnElement[bool]
_LEAP_DAY, _BEFORE_IT = (2, 29), (2, 28)


def counting(wanted: AudienceFilter, today: date, now: datetime) -> ScalarSelect[int]:
    """How many there are, as a part of a query that counts others too."""
    counted = select(func.count(Member.id)).where(
        *active(wanted), *filter_terms(wanted, today, now)
    )
    return counted.scalar_subquery()


def terms_of(audience: Audience, today: date, now: datetime) -> Iterator[Term]:
    """Who is named one by one needn't be active, unless the filter asks for a status."""
    wanted = audience.filter
    yield from filter_terms(wanted, today, now)
    if audience.member_ids:
        yield among(Member.id, audience.member_ids)
    if wanted.status or not audience.member_ids:
        yield from active(wanted)


def filter_terms(wanted: AudienceFilter, today: date, now: datetime) -> Iterator[Term]:
    """The fields but `status`, whose default depends on who asks."""
    for name, build in _TERMS.items():
        value = getattr(wanted, name)
        if value not in (None, ()):
            yield build(value, today, now)


def active(wanted: AudienceFilter) -> Iterator[Term]:
    yield Member.status.in_(wanted.status or (MemberStatus.ACTIVE,))


def check_refers(session: Session, audience: Audience) -> None:
    """Raises NotFound for ids that lead nowhere."""
    _check_members(session, audience.member_ids)
    _check_filter(session, audience.filter)


def _check_members(session: Session, ids: tuple[UUID, ...]) -> None:
    found = set(session.scalars(select(Member.id).where(among(Member.id, ids))))
    if found != {*ids}:
        raise NotFound(what="member")


def _check_filter(session: Session, wanted: AudienceFilter) -> None:
    if wanted.coach_id is not None:
        people.staff(session, wanted.coach_id)
    if wanted.class_session_id is not None:
        schedule.class_session(session, wanted.class_session_id)
    memberships.check_plans(session, wanted.plan_ids)


def _holds(*terms: Term) -> Term:
    """Has a membership that isn't over, of which more is true."""
    return exists(select(Membership.id).where(Membership.member_id == Member.id, *terms))


def _visit_since(since: datetime) -> Term:
    return exists(
        select(Booking.id)
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(
            Booking.member_id == Member.id,
            Booking.status == BookingStatus.ATTENDED,
            ClassSession.starts_at >= since,
        )
    )


def _absent(days: int, today: date, now: datetime) -> Term:
    """Who joined since can't have been absent for so long."""
    joined = Member.joined_on <= today - timedelta(days=days)
    return and_(joined, ~_visit_since(now - timedelta(days=days)))


def _expires(days: int, today: date, _: datetime) -> Term:
    last = memberships.ends(Membership)
    return _holds(memberships.current(today), last <= today + timedelta(days=days))


def _credits(most: int, today: date, _: datetime) -> Term:
    left = (
        select(func.coalesce(func.sum(CreditEntry.delta), 0))
        .where(
            CreditEntry.membership_id == Membership.id,
            or_(CreditEntry.expires_on.is_(None), CreditEntry.expires_on >= today),
        )
        .correlate(Membership)
        .scalar_subquery()
    )
    counted = Membership.credits_per_period.is_not(None)
    return _holds(memberships.current(today), counted, left <= most)


def birthdays(day: date) -> tuple[tuple[int, int], ...]:
    """Whose birthday is kept on a day: who was born on a leap day, on the one before it."""
    own = (day.month, day.day)
    leap = day.year % 4 == 0 and (day.year % 100 != 0 or day.year % 400 == 0)
    return (own, _LEAP_DAY) if own == _BEFORE_IT and not leap else (own,)


def born_on(days: list[date]) -> Term:
    kept = [month * 100 + day for one in days for month, day in birthdays(one)]
    born = extract("month", Member.birth_date) * 100 + extract("day", Member.birth_date)
    return born.in_(kept)


def _either_way(term: Term, *, wanted: bool) -> Term:
    return term if wanted else ~term


_TERMS: dict[str, Callable[[Any, date, datetime], Term]] = {
    "tags": lambda tags, *_: Member.tags.overlap(list(tags)),
    "without_tags": lambda tags, *_: ~Member.tags.overlap(list(tags)),
    "languages": lambda languages, *_: Member.language.in_(languages),
    "plan_ids": lambda plans, today, _: _holds(
        memberships.current(today), Membership.plan_id.in_(plans)
    ),
    "coach_id": lambda coach, *_: Member.primary_coach_id == coach,
    "class_session_id": lambda one, *_: exists(
        select(Booking.id).where(
            Booking.member_id == Member.id,
            Booking.class_session_id == one,
            Booking.status.in_(IN_PLACE),
        )
    ),
    "joined_from": lambda day, *_: Member.joined_on >= day,
    "joined_to": lambda day, *_: Member.joined_on <= day,
    "absent_days": _absent,
    "visited_days": lambda days, _, now: _visit_since(now - timedelta(days=days)),
    "expires_days": _expires,
    "credits_at_most": _credits,
    "birthday_days": lambda days, today, _: born_on(
        [today + timedelta(days=ahead) for ahead in range(days + 1)]
    ),
    "frozen": lambda yes, today, _: _either_way(
        _holds(memberships.current(today), Membership.frozen.is_(true())), wanted=yes
    ),
    "health_form_missing": lambda yes, today, _: _either_way(
        func.coalesce(Member.health_form_until, date(1, 1, 1)) < today, wanted=yes
    ),
    "unpaid": lambda yes, today, _: _either_way(memberships.owes(today), wanted=yes),
}
