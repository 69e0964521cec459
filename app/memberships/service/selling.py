"""Putting members on plans: the sale, and the move to another plan (rules 26, 29, 31)."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import now_of
from app.core.errors import BadInput
from app.memberships import billing
from app.memberships.errors import (
    AlreadyOnPlan,
    NoBillingDate,
    StartTooFar,
)
from app.memberships.models import (
    Membership,
    MembershipPlan,
    check_only_recurring,
    effective,
)
from app.memberships.service import credits as ledger
from app.memberships.service import plans, rows
from app.memberships.terms import MembershipStatus, PaymentStatus, PeriodUnit, PlanKind
from app.studio import queries as studio

EARLIEST: Final = timedelta(days=92)
"""So long ago a sale may begin: it was agreed, and is written down now."""
LATEST: Final = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed beside the plan; None: as the plan says."""

    price_minor: int | None = None
    discount_minor: int = 0
    billing_day: int | None = None
    external_ref: str | None = None
    credits: int | None = None
    """What is left of a card that was begun elsewhere; None: all that the plan gives."""


def create(
    session: Session,
    actor: Actor,
    member_id: UUID,
    plan_id: UUID,
    terms: Terms,
    *,
    start: date,
    today: date,
) -> UUID:
    """Put a member on a plan; no payment is taken.

    Raises NotFound, NotSold, StartTooFar, NoBillingDate, AlreadyRecurring, BadInput for a discount
    of more than the price.
    """
    plan = rows.plan(session, plan_id)
    plans.check_sold(plan, today=today)
    rows.lock_member(session, member_id)
    if not today - EARLIEST <= start <= today + LATEST:
        raise StartTooFar(since=today - EARLIEST, until=today + LATEST)
    if terms.billing_day is not None and not _has_anchor(plan):
        raise NoBillingDate
    price = plan.price_minor if terms.price_minor is None else terms.price_minor
    if terms.discount_minor > price:
        raise BadInput(fields=("discount_agorot",))
    payment = PaymentStatus.DUE if price > terms.discount_minor else PaymentStatus.WAIVED
    if terms.external_ref is not None:
        payment = PaymentStatus.EXTERNAL
    return sell(session, actor, member_id, plan_id, start=start, payment=payment, terms=terms)


def sell(
    session: Session,
    actor: Actor,
    member_id: UUID,
    plan_id: UUID,
    *,
    start: date,
    end: date | None = None,
    payment: PaymentStatus = PaymentStatus.PAID,
    terms: Terms | None = None,
) -> UUID:
    """Give a member what they bought, with its credits. Price and terms are copies (rule 31).

    Raises NotFound, AlreadyRecurring.
    """
    plan, terms = rows.plan(session, plan_id), terms or Terms()
    today = studio.today(session, actor.org_id, now_of(session))
    made = Membership(
        org_id=actor.org_id,
        member_id=member_id,
        plan_id=plan_id,
        status=MembershipStatus.PENDING if start > today else MembershipStatus.ACTIVE,
        start_date=start,
        end_date=end or end_of(plan, start),
        price_minor=plan.price_minor if terms.price_minor is None else terms.price_minor,
        discount_minor=terms.discount_minor,
        currency=plan.currency,
        payment_status=payment,
        sold_by=actor.user_id,
        external_ref=terms.external_ref,
    )
    made.take_terms(plan)
    _bill_from(made, plan, start, terms.billing_day, today=today)
    with effective(session, made, min(start, today)):
        session.add(made)
    check_only_recurring(session, made)
    given = plan.credits_per_period if terms.credits is None else terms.credits
    ledger.grant_period(session, actor, made, given)
    return made.id


@dataclass(frozen=True, slots=True)
class PlanMove:
    """`on` is the day from which it counts; `credits` are there from then on."""

    membership_id: UUID
    before: str
    on: date
    credits: int | None


def change_plan(
    session: Session,
    actor: Actor,
    membership_id: UUID,
    plan_id: UUID,
    *,
    at_next_billing: bool,
    today: date,
    price_minor: int | None = None,
) -> PlanMove:
    """Move to another plan today, or when it is billed next; no payment is taken.

    Raises NotFound, NotPossibleNow, AlreadyOnPlan, NotSold, NoBillingDate, AlreadyRecurring.
    """
    row = rows.locked(session, membership_id)
    rows.check_live(row)
    before, plan = rows.plan(session, row.plan_id), rows.plan(session, plan_id)
    if plan.id == row.plan_id:
        raise AlreadyOnPlan(plan=plan.name)
    plans.check_sold(plan, today=today)
    price = plan.price_minor if price_minor is None else price_minor
    if at_next_billing:
        if row.next_billing_date is None:
            raise NoBillingDate
        row.next_plan_id, row.next_price_minor = plan.id, price
        session.flush()
        check_only_recurring(session, row)
        on, credits_ = row.next_billing_date, plan.credits_per_period
    else:
        on, credits_ = today, switch(session, actor, row, plan, price, on=today)
    return PlanMove(row.id, before.name, on, credits_)


def switch(
    session: Session,
    actor: Actor,
    row: Membership,
    plan: MembershipPlan,
    price_minor: int,
    *,
    on: date,
) -> int | None:
    """Put a locked membership on another plan from a day; its credits, where they count.

    What was left of the old credits lapses: the new plan's take their place.
    """
    ledger.withdraw(session, actor, row, today=on)
    anchor = row.billing_day
    row.plan_id, row.price_minor, row.discount_minor = plan.id, price_minor, 0
    row.take_terms(plan)
    row.next_plan_id = row.next_price_minor = None
    row.end_date = end_of(plan, max(on, row.start_date))
    if not (plan.kind is PlanKind.RECURRING and row.next_billing_date):
        _bill_from(row, plan, max(on, row.start_date), anchor, today=on)
    session.flush()
    check_only_recurring(session, row)
    before = on - timedelta(days=1)
    ledger.grant_period(session, actor, row, plan.credits_per_period, after=before)
    return plan.credits_per_period


def end_of(plan: MembershipPlan, start: date) -> date | None:
    """The last day of what begins then; None: it goes on until it is cancelled."""
    if plan.kind is PlanKind.RECURRING:
        return None
    if plan.kind is PlanKind.FIXED_TERM and plan.period_unit is not None:
        return billing.last_of_term(start, plan.period_unit, plan.period_count)
    if plan.validity_days is not None:
        return start + timedelta(days=plan.validity_days - 1)
    return None


def _bill_from(
    row: Membership, plan: MembershipPlan, start: date, billing_day: int | None, *, today: date
) -> None:
    """When it is billed next, where it is billed at all; the anchor is kept (rule 29)."""
    row.billing_day = row.next_billing_date = None
    if plan.kind is not PlanKind.RECURRING or plan.period_unit is None:
        return
    anchor = billing_day or start.day
    row.billing_day = None if plan.period_unit is PeriodUnit.WEEK else anchor
    row.next_billing_date = billing.coming(
        start, plan.period_unit, plan.period_count, anchor, after=max(today, start)
    )


def _has_anchor(plan: MembershipPlan) -> bool:
    return plan.kind is PlanKind.RECURRING and plan.period_unit in (
        PeriodUnit.MONTH,
        PeriodUnit.YEAR,
    )
