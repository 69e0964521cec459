"""Reading what is sold."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import ScalarSelect, func, select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.memberships.models import Membership, MembershipPlan
from app.memberships.policy import FreezePolicy
from app.memberships.terms import LIVE, PlanKind
from app.memberships.views import PlanView


def plans(
    session: Session, *, active: bool | None = True, kind: PlanKind | None = None
) -> tuple[PlanView, ...]:
    """By kind and name; `active` None: also those that are sold no more."""
    query = select(MembershipPlan, _holders()).order_by(
        MembershipPlan.kind, MembershipPlan.name, MembershipPlan.id
    )
    if active is not None:
        query = query.where(MembershipPlan.active == active)
    if kind is not None:
        query = query.where(MembershipPlan.kind == kind)
    return tuple(plan_view(row, holders) for row, holders in session.execute(query))


def plan(session: Session, plan_id: UUID) -> PlanView:
    query = select(MembershipPlan, _holders()).where(MembershipPlan.id == plan_id)
    found = session.execute(query).one_or_none()
    if found is None:
        raise NotFound(what="membership_plan")
    return plan_view(*found)


def check_plans(session: Session, ids: Collection[UUID]) -> None:
    """Raises NotFound where one of these plans isn't the gym's."""
    known = select(func.count()).where(MembershipPlan.id.in_(ids))
    if ids and session.scalar(known) != len({*ids}):
        raise NotFound(what="membership_plan")


def _holders() -> ScalarSelect[int]:
    return (
        select(func.count(Membership.id))
        .where(Membership.plan_id == MembershipPlan.id, Membership.status.in_(LIVE))
        .correlate(MembershipPlan)
        .scalar_subquery()
    )


def plan_view(row: MembershipPlan, holders: int) -> PlanView:
    return PlanView(
        id=row.id,
        version=row.version,
        name=row.name,
        kind=row.kind,
        price_minor=row.price_minor,
        currency=row.currency,
        period_unit=row.period_unit,
        period_count=row.period_count,
        credits=row.credits_per_period,
        weekly_limit=row.weekly_visit_limit,
        class_type_ids=tuple(row.class_type_ids),
        validity_days=row.validity_days,
        sells_until=row.sells_until,
        active=row.active,
        freezing=FreezePolicy.model_validate(row.freeze_policy),
        holders=holders,
    )
