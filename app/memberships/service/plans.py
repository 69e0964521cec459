"""What is sold: plans and punch cards. Changing one never touches what was bought (rule 31)."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.errors import StaleVersion
from app.memberships.errors import NotSold, PlanIncomplete
from app.memberships.models import MembershipPlan
from app.memberships.policy import FreezePolicy
from app.memberships.service import rows
from app.memberships.terms import PeriodUnit, PlanKind
from app.schedule.queries import class_type

_NEEDS: Final[dict[PlanKind, str | None]] = {
    PlanKind.RECURRING: "period_unit",
    PlanKind.FIXED_TERM: "period_unit",
    PlanKind.PUNCH_CARD: "credits",
    PlanKind.TRIAL: None,
    PlanKind.DROP_IN: "credits",
}
_FIELDS: Final = {"period_unit": "period", "credits": "credits"}
"""As whoever asks calls them."""


@dataclass(frozen=True, slots=True)
class NewPlan:
    """`credits` a period or card; None: classes cost none. `period_count` units are one period."""

    name: str
    kind: PlanKind
    price_minor: int
    credits: int | None = None
    weekly_visit_limit: int | None = None
    class_type_ids: tuple[UUID, ...] = ()
    period_unit: PeriodUnit | None = None
    validity_days: int | None = None
    period_count: int = 1
    commitment_months: int | None = None
    freeze_policy: dict[str, Any] = field(default_factory=dict)
    sells_until: date | None = None


@dataclass(frozen=True, slots=True)
class PlanChanges:
    """What is to be different from the next sale on; None leaves a thing as it is."""

    name: str | None = None
    price_minor: int | None = None
    credits: int | None = None
    weekly_visit_limit: int | None = None
    class_type_ids: tuple[UUID, ...] | None = None
    validity_days: int | None = None
    freeze_policy: dict[str, Any] | None = None
    sells_until: date | None = None


def create_plan(session: Session, org_id: UUID, new: NewPlan) -> UUID:
    """Write a plan down as it is."""
    FreezePolicy.model_validate(new.freeze_policy)
    made = MembershipPlan(
        org_id=org_id,
        name=new.name,
        kind=new.kind,
        price_minor=new.price_minor,
        credits_per_period=new.credits,
        weekly_visit_limit=new.weekly_visit_limit,
        class_type_ids=list(new.class_type_ids),
        period_unit=new.period_unit,
        period_count=new.period_count,
        validity_days=new.validity_days,
        commitment_months=new.commitment_months,
        freeze_policy=new.freeze_policy,
        sells_until=new.sells_until,
    )
    session.add(made)
    session.flush()
    return made.id


def add_plan(session: Session, org_id: UUID, new: NewPlan) -> UUID:
    """Raises PlanIncomplete where a plan of its kind can't be sold like that, NotFound."""
    needed = _NEEDS[new.kind]
    if needed is not None and getattr(new, needed) is None:
        raise PlanIncomplete(needs=_FIELDS[needed])
    _check_types(session, new.class_type_ids)
    return create_plan(session, org_id, new)


def update_plan(
    session: Session, plan_id: UUID, changes: PlanChanges, *, expected_version: int | None = None
) -> MembershipPlan:
    """Raises NotFound, StaleVersion."""
    row = _locked(session, plan_id, expected_version)
    _check_types(session, changes.class_type_ids or ())
    for name, value in _columns(changes).items():
        setattr(row, name, value)
    session.flush()
    return row


def archive_plan(session: Session, plan_id: UUID) -> MembershipPlan:
    """Sell it no more; whoever has it keeps it. Raises NotFound, NotSold."""
    row = _locked(session, plan_id, None)
    if not row.active:
        raise NotSold(plan=row.name)
    row.active = False
    session.flush()
    return row


def check_sold(plan: MembershipPlan, *, today: date) -> None:
    """Raises NotSold."""
    if not plan.active or (plan.sells_until is not None and plan.sells_until < today):
        raise NotSold(plan=plan.name)


def _check_types(session: Session, ids: Collection[UUID]) -> None:
    for class_type_id in ids:
        class_type(session, class_type_id)


def _locked(session: Session, plan_id: UUID, expected_version: int | None) -> MembershipPlan:
    row = rows.plan(session, plan_id)
    session.refresh(row, with_for_update={"key_share": True})
    if expected_version is not None and row.version != expected_version:
        raise StaleVersion(version=row.version)
    return row


def _columns(changes: PlanChanges) -> dict[str, Any]:
    given = {
        "name": changes.name,
        "price_minor": changes.price_minor,
        "credits_per_period": changes.credits,
        "weekly_visit_limit": changes.weekly_visit_limit,
        "class_type_ids": _listed(changes.class_type_ids),
        "validity_days": changes.validity_days,
        "freeze_policy": changes.freeze_policy,
        "sells_until": changes.sells_until,
    }
    return {name: value for name, value in given.items() if value is not None}


def _listed(ids: Collection[UUID] | None) -> list[UUID] | None:
    return None if ids is None else list(ids)
