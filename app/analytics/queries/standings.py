"""Who paid for what on a day: rebuilt from the history of memberships."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, Subquery, and_, case, func, or_, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session

from app.analytics.formulas import Standing, monthly
from app.memberships.models import Membership, MembershipChange, MembershipPlan
from app.memberships.terms import MembershipStatus, PlanKind

_LASTING = (PlanKind.RECURRING, PlanKind.FIXED_TERM)
_PAYING = (
    MembershipStatus.ACTIVE,
    MembershipStatus.PAST_DUE,
    MembershipStatus.CANCEL_SCHEDULED,
)


@dataclass(frozen=True, slots=True)
class Spell:
    """Days on which a paid membership stood as it did; without a last one, it still does."""

    standing: Standing
    since: date
    until: date | None
    """The first day on which that is no longer so."""

    def covers(self, day: date) -> bool:
        return self.since <= day and (self.until is None or day < self.until)


def spells(session: Session, first: date = date.min, last: date = date.max) -> list[Spell]:
    """All that touch these days."""
    found = _spells()
    touches = and_(found.c.since <= last, or_(found.c.until.is_(None), found.c.until > first))
    return [_spell(row) for row in session.execute(select(found).where(touches))]


def standings(session: Session, day: date) -> list[Standing]:
    """As the local day ended."""
    return at(spells(session, day, day), day)


def revenue(session: Session, day: date) -> Fraction:
    """Monthly recurring revenue as the local day ended: one row a price, however many pay it."""
    found = _spells()
    terms = (found.c.price, found.c.period_unit, found.c.period_count)
    query = (
        select(*terms, func.count())
        .where(
            ~found.c.frozen,
            found.c.since <= day,
            or_(found.c.until.is_(None), found.c.until > day),
        )
        .group_by(*terms)
    )
    paid = (monthly(price, unit, n) * many for price, unit, n, many in session.execute(query))
    return sum(paid, Fraction(0))


def at(all_: Iterable[Spell], day: date) -> list[Standing]:
    """The same, of spells that are at hand."""
    return [one.standing for one in all_ if one.covers(day)]


def ever_paid(session: Session, member_ids: Collection[UUID], before: date) -> set[UUID]:
    """Those of these members who paid at the end of some day before this one."""
    if not member_ids:
        return set()
    found = _spells(member_ids)
    query = select(found.c.member_id).where(found.c.since < before, ~found.c.frozen).distinct()
    return set(session.scalars(query))


def _spells(member_ids: Collection[UUID] | None = None) -> Subquery:
    """Each state of a membership with the days it lasted, those that are paid or frozen."""
    change, plan = MembershipChange, MembershipPlan
    order = (change.effective_on, change.created_at, change.step)
    following = func.lead(change.effective_on).over(
        partition_by=change.membership_id, order_by=order
    )
    columns = (
        change.membership_id,
        change.member_id,
        change.plan_id,
        change.effective_on,
        change.status,
        change.frozen,
        change.price_minor,
        change.discount_minor,
        change.end_date,
        change.cancel_effective_on,
    )
    all_states = select(*columns, following.label("following"))
    if member_ids is not None:
        all_states = all_states.where(change.member_id.in_(member_ids))
    states = all_states.subquery()
    frozen = or_(states.c.frozen, states.c.status == MembershipStatus.FROZEN)
    until = func.least(states.c.following, states.c.end_date + 1, states.c.cancel_effective_on)
    price = states.c.price_minor - states.c.discount_minor
    kept: tuple[ColumnElement[bool], ...] = (
        plan.kind.in_(_LASTING),
        price > 0,
        or_(states.c.status.in_(_PAYING), frozen),
        or_(until.is_(None), until > states.c.effective_on),
    )
    return (
        select(
            states.c.membership_id,
            states.c.member_id,
            states.c.plan_id,
            price.label("price"),
            plan.period_unit,
            plan.period_count,
            case((frozen, True), else_=False).label("frozen"),
            states.c.effective_on.label("since"),
            until.label("until"),
        )
        .join(plan, plan.id == states.c.plan_id)
        .where(*kept)
        .subquery()
    )


def _spell(row: Any) -> Spell:  # noqa: ANN401 - a Row of the nine columns
    membership_id, member_id, plan_id, price, unit, count, frozen, since, until = row
    amount = monthly(price, unit, count)
    return Spell(Standing(membership_id, member_id, plan_id, amount, frozen), since, until)


def living(session: Session, day: date, *, today: date) -> set[UUID]:
    """Members with a membership of any kind that isn't frozen, as the local day ended."""
    if day >= today:
        return set(session.scalars(living_now(today)))
    return _lived(session, day)


def living_now(today: date) -> Select[UUID]:
    over = func.least(Membership.end_date + 1, Membership.cancel_effective_on)
    return (
        select(Membership.member_id)
        .where(
            Membership.status.in_(_PAYING), ~Membership.frozen, or_(over.is_(None), over > today)
        )
        .distinct()
    )


def _lived(session: Session, day: date) -> set[UUID]:
    change = MembershipChange
    order = (change.effective_on.desc(), change.created_at.desc(), change.step.desc())
    latest = (
        select(
            change.member_id,
            change.status,
            change.frozen,
            change.end_date,
            change.cancel_effective_on,
        )
        .ext(distinct_on(change.membership_id))
        .where(change.effective_on <= day)
        .order_by(change.membership_id, *order)
        .subquery()
    )
    over = func.least(latest.c.end_date + 1, latest.c.cancel_effective_on)
    query = select(latest.c.member_id).where(
        latest.c.status.in_(_PAYING), ~latest.c.frozen, or_(over.is_(None), over > day)
    )
    return set(session.scalars(query.distinct()))
