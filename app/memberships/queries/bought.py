"""Reading what members bought: by member, plan, status and date."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, ScalarSelect, Select, and_, func, or_, select
from sqlalchemy.orm import Session, aliased

from app.core.errors import NotFound
from app.memberships.models import (
    CreditEntry,
    Membership,
    MembershipFreeze,
    MembershipPlan,
    last_day,
)
from app.memberships.queries.current import ends
from app.memberships.terms import LIVE
from app.memberships.views import (
    ExpiringFilter,
    ExtensionFilter,
    FreezeView,
    MembershipFilter,
    MembershipView,
)
from app.people.models import Member
from app.studio.paging import Cut, Page, page


class _Row(NamedTuple):
    membership: Membership
    plan: MembershipPlan
    member: Member
    next_plan: str | None
    frozen_until: date | None
    credits: int


def memberships(
    session: Session, wanted: MembershipFilter, today: date, *, cut: Cut
) -> Page[MembershipView]:
    """By the member's name, the latest first."""
    query = _bought(today).where(*_terms(wanted))
    query = query.order_by(
        Member.first_name, Member.last_name, Membership.start_date.desc(), Membership.id
    )
    return page(session, query, cut, lambda row: _view(_Row(*row)))


def membership(session: Session, membership_id: UUID, today: date) -> MembershipView:
    query = _bought(today).where(Membership.id == membership_id)
    row = session.execute(query).one_or_none()
    if row is None:
        raise NotFound(what="membership")
    return _view(_Row(*row))


def expiring(
    session: Session, wanted: ExpiringFilter, today: date, *, cut: Cut
) -> Page[MembershipView]:
    """What ends soon, by date or by its last credits, and is followed by nothing."""
    until, left = ends(Membership), _credits(today)
    soon = and_(until >= today, until <= today + timedelta(days=wanted.within_days))
    if wanted.max_credits_left is not None:
        counted = Membership.credits_per_period.is_not(None)
        soon = or_(soon, and_(counted, left <= wanted.max_credits_left))
    query = _bought(today).where(Membership.status.in_(LIVE), soon, ~_followed(today))
    if wanted.kind is not None:
        query = query.where(MembershipPlan.kind == wanted.kind)
    query = query.order_by(until.asc().nulls_last(), Member.first_name, Membership.id)
    return page(session, query, cut, lambda row: _view(_Row(*row)))


def extensible(
    session: Session, wanted: ExtensionFilter, today: date
) -> tuple[MembershipView, ...]:
    """Everything that the filter means and that isn't over, with an end or without, by name.

    Raises NotFound for a plan or member that there isn't.
    """
    _check_known(session, MembershipPlan.id, wanted.plan_ids, "membership_plan")
    _check_known(session, Member.id, wanted.member_ids, "member")
    terms: list[ColumnElement[bool]] = [Membership.status.in_(LIVE)]
    if wanted.plan_ids:
        terms.append(Membership.plan_id.in_(wanted.plan_ids))
    if wanted.kinds:
        terms.append(MembershipPlan.kind.in_(wanted.kinds))
    if wanted.member_ids:
        terms.append(Membership.member_id.in_(wanted.member_ids))
    if wanted.ends_before is not None:
        terms.append(Membership.end_date < wanted.ends_before)
    query = _bought(today).where(*terms)
    query = query.order_by(Member.first_name, Member.last_name, Membership.id)
    return tuple(_view(_Row(*row)) for row in session.execute(query))


def _check_known(session: Session, column: Any, ids: tuple[UUID, ...], what: str) -> None:  # noqa: ANN401 - a key of a model
    found = set(session.scalars(select(column).where(column.in_(ids)))) if ids else set()
    if set(ids) - found:
        raise NotFound(what=what)


def freezes(session: Session, membership_id: UUID) -> tuple[FreezeView, ...]:
    """All of a membership's freezes, the latest first."""
    query = (
        select(MembershipFreeze)
        .where(MembershipFreeze.membership_id == membership_id)
        .order_by(MembershipFreeze.from_date.desc())
    )
    return tuple(
        FreezeView(row.from_date, row.until_date, row.reason) for row in session.scalars(query)
    )


def _bought(today: date) -> Select[Any, Any, Any, Any, Any, Any]:
    following = aliased(MembershipPlan)
    return (
        select(Membership, MembershipPlan, Member, following.name, _frozen(today), _credits(today))
        .join(MembershipPlan, MembershipPlan.id == Membership.plan_id)
        .join(Member, Member.id == Membership.member_id)
        .outerjoin(following, following.id == Membership.next_plan_id)
    )


def _frozen(today: date) -> ScalarSelect[date]:
    """The last day of the freeze that is on."""
    return (
        select(func.max(MembershipFreeze.until_date))
        .where(
            MembershipFreeze.membership_id == Membership.id,
            MembershipFreeze.from_date <= today,
            MembershipFreeze.until_date >= today,
        )
        .correlate(Membership)
        .scalar_subquery()
    )


def _credits(today: date) -> ScalarSelect[int]:
    return (
        select(func.coalesce(func.sum(CreditEntry.delta), 0))
        .where(
            CreditEntry.membership_id == Membership.id,
            or_(CreditEntry.expires_on.is_(None), CreditEntry.expires_on >= today),
        )
        .correlate(Membership)
        .scalar_subquery()
    )


def _followed(today: date) -> ColumnElement[bool]:
    """Whether the member has something that goes on after it."""
    other = aliased(Membership)
    goes_on = func.coalesce(ends(other), date.max) > func.coalesce(ends(Membership), today)
    return (
        select(other.id)
        .where(
            other.member_id == Membership.member_id,
            other.id != Membership.id,
            other.status.in_(LIVE),
            goes_on,
        )
        .correlate(Membership)
        .exists()
    )


def _terms(wanted: MembershipFilter) -> Iterable[ColumnElement[bool]]:
    if wanted.member_id is not None:
        yield Membership.member_id == wanted.member_id
    if wanted.plan_id is not None:
        yield Membership.plan_id == wanted.plan_id
    if wanted.statuses:
        yield Membership.status.in_(wanted.statuses)
    if wanted.next_billing_before is not None:
        yield Membership.next_billing_date < wanted.next_billing_before


def _view(row: _Row) -> MembershipView:
    one, plan = row.membership, row.plan
    counted = one.credits_per_period is not None
    return MembershipView(
        id=one.id,
        version=one.version,
        member_id=one.member_id,
        member=row.member.name,
        plan_id=plan.id,
        plan=plan.name,
        kind=plan.kind,
        status=one.status,
        start=one.start_date,
        until=last_day(one),
        end_date=one.end_date,
        next_billing=one.next_billing_date,
        billing_day=one.billing_day,
        price_minor=one.price_minor,
        discount_minor=one.discount_minor,
        currency=one.currency,
        payment=one.payment_status,
        frozen_until=row.frozen_until,
        credits=row.credits if counted else None,
        cancel_effective_on=one.cancel_effective_on,
        cancel_reason=one.cancel_reason if one.cancel_effective_on else None,
        next_plan=row.next_plan,
        external_ref=one.external_ref,
    )
