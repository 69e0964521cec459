"""Members who may leave, and why."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from statistics import median
from typing import Final
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.analytics import formulas
from app.analytics.formulas import Signs
from app.analytics.queries import payments, visits
from app.analytics.queries.standings import living
from app.analytics.views import AtRisk
from app.memberships.models import Membership
from app.memberships.terms import LIVE
from app.people.models import Member
from app.people.terms import MemberStatus
from app.studio.paging import Cut, Page, page_of

NEW_FOR: Final = timedelta(days=21)
RECENT, EARLIER = timedelta(days=14), timedelta(weeks=8)
SOON: Final = timedelta(days=14)
_HABIT: Final = timedelta(weeks=26)


@dataclass(frozen=True, slots=True)
class _Known:
    """What is looked up once for all members."""

    today: date
    came: Mapping[UUID, list[date]]
    closed: list[date]
    """In order."""
    failing: set[UUID]
    expiring: set[UUID]
    ahead: set[UUID]


def at_risk(
    session: Session,
    today: date,
    *,
    now: datetime,
    threshold_days: int,
    with_money: bool,
    cut: Cut,
) -> Page[AtRisk]:
    """The highest score first. Without `with_money` payments neither count nor show."""
    known = _Known(
        today=today,
        came=visits.last_visits(session, today - _HABIT, now=now),
        closed=sorted(visits.closed_days(session, today - _HABIT, today)),
        failing=payments.failing(session, today) if with_money else set(),
        expiring=_expiring(session, today),
        ahead=visits.booked_ahead(session, now),
    )
    found = [
        one
        for member in _eligible(session, today)
        if (one := _judged(member, known, threshold_days)) is not None
    ]
    return page_of(sorted(found, key=lambda one: (-one.score, one.name, str(one.member_id))), cut)


@dataclass(frozen=True, slots=True)
class _Person:
    id: UUID
    name: str
    joined_on: date


def _eligible(session: Session, today: date) -> Sequence[_Person]:
    there = living(session, today, today=today)
    query = select(Member.id, Member.first_name, Member.last_name, Member.joined_on).where(
        Member.status == MemberStatus.ACTIVE, Member.joined_on <= today - NEW_FOR
    )
    return [
        _Person(member, f"{first} {last}".strip(), joined)
        for member, first, last, joined in session.execute(query)
        if member in there
    ]


def _expiring(session: Session, today: date) -> set[UUID]:
    """Whose last membership ends within two weeks: nothing they have goes on after it."""
    last = func.least(Membership.end_date, Membership.cancel_effective_on - 1)
    end = func.max(func.coalesce(last, date.max))
    query = (
        select(Membership.member_id)
        .where(Membership.status.in_(LIVE))
        .group_by(Membership.member_id)
        .having(end.between(today, today + SOON))
    )
    return set(session.scalars(query))


def _judged(member: _Person, known: _Known, threshold_days: int) -> AtRisk | None:
    came = known.came.get(member.id, [])
    signs = _signs(member, came, known)
    found = formulas.reasons(signs, threshold_days)
    if not found:
        return None
    points = formulas.score(signs)
    high, medium = points >= formulas.HIGH, points >= formulas.MEDIUM
    return AtRisk(
        member_id=member.id,
        name=member.name,
        score=points,
        level="high" if high else "medium" if medium else "low",
        reasons=found,
        days_since=signs.days_since,
        last_visit=came[-1] if came else None,
    )


def _signs(member: _Person, came: list[date], known: _Known) -> Signs:
    today = known.today
    recent_from = today - RECENT
    earlier_from = recent_from - EARLIER
    weeks = EARLIER.days / 7
    return Signs(
        days_since=_days_since(came[-1] if came else member.joined_on, known),
        median_gap=_median_gap(came),
        base=_between(came, earlier_from, recent_from) / weeks,
        recent=_between(came, recent_from, today + timedelta(days=1)) / (RECENT.days / 7),
        failed=member.id in known.failing,
        expiring=member.id in known.expiring,
        booked_ahead=member.id in known.ahead,
    )


def _days_since(last: date, known: _Known) -> int:
    """Days on which the gym was closed don't count."""
    closed = bisect_left(known.closed, known.today) - bisect_left(known.closed, last)
    return max(0, (known.today - last).days - closed)


def _median_gap(came: list[date]) -> float | None:
    days = sorted(set(came))
    gaps = [(later - earlier).days for earlier, later in pairwise(days)]
    return median(gaps) if gaps else None


def _between(came: list[date], since: date, until: date) -> int:
    return bisect_left(came, until) - bisect_left(came, since)
