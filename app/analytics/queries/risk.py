"""Members who may leave, and why."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.analytics import formulas
from app.analytics.formulas import Signs
from app.analytics.periods import Days
from app.analytics.queries import habits, payments
from app.analytics.queries.habits import Habit
from app.analytics.queries.standings import living_now
from app.analytics.views import AtRisk
from app.memberships import queries as memberships
from app.memberships.models import Membership
from app.memberships.terms import LIVE
from app.people.models import Member, shown_name
from app.people.terms import MemberStatus
from app.studio.paging import Cut, Page, page_of

NEW_FOR: Final = timedelta(days=21)
RECENT, EARLIER = timedelta(days=14), timedelta(weeks=8)
SOON: Final = timedelta(days=14)
_HABIT: Final = timedelta(weeks=26)
_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)
_WEEKS_RECENT, _WEEKS_EARLIER = RECENT / _WEEK, EARLIER / _WEEK


class _Person(NamedTuple):
    id: UUID
    name: str
    joined_on: date


@dataclass(frozen=True, slots=True)
class _Known:
    """What is looked up once for all members."""

    today: date
    habits: Mapping[UUID, Habit]
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
    zone: str,
    threshold_days: int,
    with_money: bool,
    cut: Cut,
) -> Page[AtRisk]:
    """The highest score first. Without `with_money` payments neither count nor show."""
    people = _eligible(session, today)
    theirs = _habits(session, people, today, now)
    known = _Known(
        today=today,
        habits=theirs,
        closed=habits.closed_days(session, _earliest(people, theirs, today), today),
        failing=payments.failing(session, today, zone=zone) if with_money else set(),
        expiring=_expiring(session, today),
        ahead=habits.booked_ahead(session, now),
    )
    judged = (_judged(one, known, threshold_days) for one in people)
    found = [one for one in judged if one is not None]
    return page_of(sorted(found, key=lambda one: (-one.score, one.name, str(one.member_id))), cut)


def _eligible(session: Session, today: date) -> Sequence[_Person]:
    """Active, not frozen, and here for three weeks."""
    query = select(Member.id, shown_name(), Member.joined_on).where(
        Member.status == MemberStatus.ACTIVE,
        Member.joined_on <= today - NEW_FOR,
        Member.id.in_(living_now(today)),
    )
    return [_Person(*row) for row in session.execute(query)]


def _habits(
    session: Session, people: Sequence[_Person], today: date, now: datetime
) -> Mapping[UUID, Habit]:
    """Two weeks with today, and the eight before them."""
    recent = Days(today - RECENT + _DAY, today)
    return habits.habits_of(
        session,
        [one.id for one in people],
        since=today - _HABIT,
        earlier=Days(recent.first - EARLIER, recent.first - _DAY),
        recent=recent,
        now=now,
    )


def _earliest(people: Sequence[_Person], theirs: Mapping[UUID, Habit], today: date) -> date:
    """Since when closed days can matter to anybody."""
    return min((_last(one, theirs.get(one.id)) for one in people), default=today)


def _last(member: _Person, habit: Habit | None) -> date:
    """Who never came counts from the day they joined."""
    return habit.last if habit else member.joined_on


def _expiring(session: Session, today: date) -> set[UUID]:
    """Whose last membership ends within two weeks: nothing they have goes on after it."""
    last = memberships.ends(Membership)
    end = func.max(func.coalesce(last, date.max))
    query = (
        select(Membership.member_id)
        .where(Membership.status.in_(LIVE))
        .group_by(Membership.member_id)
        .having(end.between(today, today + SOON))
    )
    return set(session.scalars(query))


def _judged(member: _Person, known: _Known, threshold_days: int) -> AtRisk | None:
    habit = known.habits.get(member.id)
    signs = _signs(member, habit, known)
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
        last_visit=habit.last if habit else None,
    )


def _signs(member: _Person, habit: Habit | None, known: _Known) -> Signs:
    return Signs(
        days_since=_days_since(_last(member, habit), known),
        median_gap=habit.gap if habit else None,
        base=(habit.earlier if habit else 0) / _WEEKS_EARLIER,
        recent=(habit.recent if habit else 0) / _WEEKS_RECENT,
        failed=member.id in known.failing,
        expiring=member.id in known.expiring,
        booked_ahead=member.id in known.ahead,
    )


def _days_since(last: date, known: _Known) -> int:
    """Days on which the gym was closed don't count."""
    closed = bisect_left(known.closed, known.today) - bisect_left(known.closed, last)
    return max(0, (known.today - last).days - closed)
