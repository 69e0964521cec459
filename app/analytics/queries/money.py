"""Recurring revenue, churn, retention and revenue a member."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import fields
from datetime import date, timedelta
from fractions import Fraction
from statistics import fmean
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.analytics import formulas
from app.analytics.formulas import Movement, Standing
from app.analytics.periods import Days, MonthOf
from app.analytics.queries import payments
from app.analytics.queries.filters import check
from app.analytics.queries.standings import Spell, at, ever_paid, spells, standings
from app.analytics.views import Arpm, Churn, Cohort, Left, Mrr
from app.memberships.models import Membership, MembershipPlan, last_day
from app.people.models import Member


def mrr(session: Session, month: MonthOf, *, today: date, compare: MonthOf | None = None) -> Mrr:
    """At the month's last instant; of this month, now."""
    before, after = _ends(session, month, today)
    came = _members(after) - _members(before)
    movements = formulas.movement(before, after, ever_paid(session, came, month.first))
    start, end = _whole(before), _whole(after)
    other = None if compare is None else _whole(standings(session, min(compare.last, today)))
    return Mrr(
        month=month,
        so_far=today <= month.last,
        start=start,
        end=end,
        movement=formulas.rounded(formulas.total(movements.values()), start, end),
        moved=_movers(movements.values()),
        members=len(formulas.paying(after)),
        compared=other,
    )


def churn(session: Session, month: MonthOf, *, today: date, plan_id: UUID | None = None) -> Churn:
    """Members there at the start, paying or frozen, who are neither at the end. Raises NotFound."""
    check(session, plan_id=plan_id)
    last = min(month.last, today)
    touching = spells(session, _eve(month), last)
    all_ = [one for one in touching if plan_id in {None, one.standing.plan_id}]
    before, after = at(all_, _eve(month)), at(all_, last)
    there, still = _members(before), _members(after)
    gone = there - still
    moved = formulas.total(formulas.movement(before, after, set()).values())
    start = formulas.revenue(before)
    return Churn(
        month=month,
        so_far=today <= month.last,
        at_start=len(there),
        lost=len(gone),
        early_exits=len(_came_and_went(all_, month, today) - there - still),
        rate=formulas.percent(len(gone), len(there)),
        gross=formulas.percent(moved.churn + moved.contraction, start),
        net=formulas.percent(moved.churn + moved.contraction - moved.expansion, start),
        left=_left(session, gone, before),
    )


def cohorts(
    session: Session, first: MonthOf, last: MonthOf, *, months: int, today: date
) -> list[Cohort]:
    """By the first month that a member paid in; None for months that haven't ended."""
    all_ = spells(session)
    joined: dict[MonthOf, set[UUID]] = defaultdict(set)
    for member, day in _first_paid(all_).items():
        joined[MonthOf.of(day)].add(member)
    there = _there(all_, first, min(last.plus(months), MonthOf.of(today)))
    found = []
    for ahead in range(first.until(last) + 1):
        month = first.plus(ahead)
        members = joined.get(month, set())
        found.append(Cohort(month, len(members), _shares(members, month, there, months, today)))
    return found


def arpm(
    session: Session,
    month: MonthOf,
    *,
    today: date,
    zone: str,
    plan_id: UUID | None = None,
    trend: int = 6,
) -> Arpm:
    """At the month's end, or now; the months before it beside. Raises NotFound."""
    check(session, plan_id=plan_id)
    touching = spells(session, month.plus(-max(trend, 4)).first, min(month.last, today))
    all_ = [one for one in touching if plan_id in {None, one.standing.plan_id}]
    months = [month.plus(-back) for back in range(trend - 1, -1, -1)]
    amounts = {one: _per_member(at(all_, min(one.last, today))) for one in months}
    before, after = at(all_, _eve(month)), at(all_, min(month.last, today))
    payers = (len(formulas.paying(before)) + len(formulas.paying(after))) / 2
    collected = None
    if plan_id is None and payers:
        days = Days(month.first, min(month.last, today))
        collected = round(payments.collected(session, days, zone=zone) / payers)
    return Arpm(
        month=month,
        members=len(formulas.paying(after)),
        amount=amounts[month],
        realised=collected,
        lifetime=_lifetime(all_, amounts[month], month, today),
        trend=amounts,
    )


def _ends(session: Session, month: MonthOf, today: date) -> tuple[list[Standing], list[Standing]]:
    last = min(month.last, today)
    all_ = spells(session, _eve(month), last)
    return at(all_, _eve(month)), at(all_, last)


def _eve(month: MonthOf) -> date:
    return month.first - timedelta(days=1)


def _whole(found: Sequence[Standing]) -> int:
    return formulas.agorot(formulas.revenue(found))


def _members(found: Sequence[Standing]) -> set[UUID]:
    """Paying or frozen."""
    return {one.member_id for one in found}


def _movers(movements: Collection[Movement]) -> dict[str, int]:
    names = [field.name for field in fields(Movement)]
    return Counter({name: sum(1 for one in movements if getattr(one, name)) for name in names})


def _came_and_went(all_: Sequence[Spell], month: MonthOf, today: date) -> set[UUID]:
    last = min(month.last, today)
    return {
        one.standing.member_id
        for one in all_
        if one.since >= month.first and one.until is not None and one.until <= last
    }


def _left(session: Session, gone: set[UUID], before: Sequence[Standing]) -> list[Left]:
    """Who is gone, with the membership that ended; the dearest first."""
    theirs = {one.membership_id: one for one in before if one.member_id in gone}
    query = (
        select(Membership, MembershipPlan.name, Member)
        .join(MembershipPlan, MembershipPlan.id == Membership.plan_id)
        .join(Member, Member.id == Membership.member_id)
        .where(Membership.id.in_(theirs))
    )
    found = [
        Left(
            member_id=member.id,
            name=member.name,
            plan=plan,
            last_day=last_day(row),
            reason=row.cancel_reason,
            monthly=formulas.agorot(theirs[row.id].monthly),
        )
        for row, plan, member in session.execute(query)
    ]
    return sorted(found, key=lambda one: (-one.monthly, one.name, str(one.member_id)))


def _first_paid(all_: Sequence[Spell]) -> dict[UUID, date]:
    found: dict[UUID, date] = {}
    for one in all_:
        member = one.standing.member_id
        if not one.standing.frozen and (member not in found or one.since < found[member]):
            found[member] = one.since
    return found


def _there(all_: Sequence[Spell], first: MonthOf, last: MonthOf) -> dict[MonthOf, set[UUID]]:
    """Members paying or frozen as each month ended."""
    months = [first.plus(ahead) for ahead in range(first.until(last) + 1)]
    return {month: _members(at(all_, month.last)) for month in months}


def _shares(
    members: set[UUID], month: MonthOf, there: dict[MonthOf, set[UUID]], months: int, today: date
) -> list[float | None]:
    return [
        None
        if month.plus(ahead).last >= today
        else formulas.percent(len(members & there[month.plus(ahead)]), len(members))
        for ahead in range(months + 1)
    ]


def _per_member(found: Sequence[Standing]) -> int | None:
    members = len(formulas.paying(found))
    return formulas.agorot(formulas.revenue(found) / members) if members else None


def _lifetime(all_: Sequence[Spell], amount: int | None, month: MonthOf, today: date) -> int | None:
    """Revenue a member over the mean churn of the last three whole months; None without any."""
    whole = month if month.last < today else month.plus(-1)
    rates = [_lost_share(all_, whole.plus(-back)) for back in range(3)]
    known = [rate for rate in rates if rate is not None]
    if amount is None or not known or not any(known):
        return None
    return formulas.agorot(amount / Fraction(fmean(known)).limit_denominator(10**9))


def _lost_share(all_: Sequence[Spell], month: MonthOf) -> float | None:
    there, still = _members(at(all_, _eve(month))), _members(at(all_, month.last))
    return len(there - still) / len(there) if there else None
