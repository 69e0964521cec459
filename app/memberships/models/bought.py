"""Tables of what is sold and what members bought: plans, memberships, freezes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, Index, Uuid, select
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.core.columns import text_enum
from app.core.db import OrgRow
from app.core.erasing import Erasure, blanked, within
from app.memberships.errors import AlreadyRecurring
from app.memberships.terms import LIVE, MembershipStatus, PaymentStatus, PeriodUnit, PlanKind
from app.people.models import Member


class MembershipPlan(OrgRow):
    __tablename__ = "membership_plan"

    name: Mapped[str]
    kind: Mapped[PlanKind] = mapped_column(text_enum(PlanKind))
    price_minor: Mapped[int]
    currency: Mapped[str] = mapped_column(default="ILS")
    period_unit: Mapped[PeriodUnit | None] = mapped_column(text_enum(PeriodUnit))
    """Of a recurring plan: how often it is billed; of a fixed term: how long it lasts."""
    period_count: Mapped[int] = mapped_column(default=1)
    commitment_months: Mapped[int | None]
    credits_per_period: Mapped[int | None]
    """Null: classes cost no credits on this plan."""
    weekly_visit_limit: Mapped[int | None]
    class_type_ids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid()), default=list)
    """Empty: every class type."""
    freeze_policy: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)
    """What differs from the defaults of `FreezePolicy`."""
    validity_days: Mapped[int | None]
    sells_until: Mapped[date | None]
    """The last day it is sold."""
    active: Mapped[bool] = mapped_column(default=True)


class Membership(OrgRow):
    """What one member bought. Of what is watched, every change leaves a `MembershipChange`."""

    __tablename__ = "membership"
    __erase__: ClassVar[Erasure] = blanked(
        keeps=("currency", "freeze_policy"), cancel_reason=None, external_ref=None
    )
    __table_args__ = (Index("ix_membership_status_end_date", "org_id", "status", "end_date"),)

    member_id: Mapped[UUID] = mapped_column(ForeignKey(Member.id), index=True)
    plan_id: Mapped[UUID] = mapped_column(
        ForeignKey(MembershipPlan.id), index=True, active_history=True
    )
    status: Mapped[MembershipStatus] = mapped_column(
        text_enum(MembershipStatus), default=MembershipStatus.ACTIVE, active_history=True
    )
    start_date: Mapped[date]
    end_date: Mapped[date | None] = mapped_column(active_history=True)
    """The last day it covers."""
    billing_day: Mapped[int | None] = mapped_column(active_history=True)
    """The anchor, 1 to 31; shorter months are billed on their last day (rule 29)."""
    next_billing_date: Mapped[date | None] = mapped_column(active_history=True)
    price_minor: Mapped[int] = mapped_column(active_history=True)
    """A copy: what the plan costs later doesn't matter (rule 31)."""
    discount_minor: Mapped[int] = mapped_column(default=0, active_history=True)
    """Taken off the price each period."""
    currency: Mapped[str] = mapped_column(default="ILS")
    credits_per_period: Mapped[int | None]
    """A copy, as the three that follow; null: classes cost no credits."""
    weekly_visit_limit: Mapped[int | None]
    class_type_ids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid()), default=list)
    freeze_policy: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)
    payment_status: Mapped[PaymentStatus] = mapped_column(
        text_enum(PaymentStatus), default=PaymentStatus.PAID
    )
    frozen: Mapped[bool] = mapped_column(default=False, active_history=True)
    """A freeze has begun and not ended; its status says so too, unless it is being cancelled."""
    cancel_noticed_on: Mapped[date | None]
    cancel_effective_on: Mapped[date | None] = mapped_column(active_history=True)
    """The first day it no longer covers."""
    cancel_reason: Mapped[str | None]
    next_plan_id: Mapped[UUID | None] = mapped_column(ForeignKey(MembershipPlan.id))
    """What it becomes at the next billing date."""
    next_price_minor: Mapped[int | None]
    sold_by: Mapped[UUID | None]
    """The login of whoever sold it."""
    external_ref: Mapped[str | None] = mapped_column(index=True)

    def take_terms(self, plan: MembershipPlan) -> None:
        """What the plan gives now is what was agreed, whatever it gives later (rule 31)."""
        self.credits_per_period = plan.credits_per_period
        self.weekly_visit_limit = plan.weekly_visit_limit
        self.class_type_ids = list(plan.class_type_ids)
        self.freeze_policy = dict(plan.freeze_policy)

    def retire(self, now: datetime) -> None:  # noqa: ARG002 - as every row that a log holds on to
        """Never sold: its history stays, and says so."""
        self.status, self.cancel_effective_on = MembershipStatus.CANCELLED, self.start_date

    @classmethod
    def check_restored(cls, session: Session, rows: Sequence["Membership"]) -> None:
        """Whether an undo may bring these back. Raises AlreadyRecurring (rule 26)."""
        for row in rows:
            check_only_recurring(session, row)


class MembershipFreeze(OrgRow):
    __tablename__ = "membership_freeze"
    __erase__: ClassVar[Erasure] = blanked(within("membership_id"), reason=None, document=None)

    membership_id: Mapped[UUID] = mapped_column(ForeignKey(Membership.id), index=True)
    from_date: Mapped[date]
    until_date: Mapped[date]
    """The last frozen day."""
    reason: Mapped[str | None]
    extends_end: Mapped[bool] = mapped_column(default=True)
    end_moved: Mapped[int] = mapped_column(default=0)
    """Days by which it has moved the end, so that as many can be taken back."""
    billing_moved: Mapped[int] = mapped_column(default=0)
    """Days by which it has moved a billing date; 0 until one falls into it."""
    anchor_before: Mapped[int | None]
    """The billing day that a moved date replaced."""
    document: Mapped[str | None]
    """What confirms a medical freeze, for which the plan's limits don't count."""
    created_by: Mapped[UUID | None]

    @property
    def days(self) -> int:
        return (self.until_date - self.from_date).days + 1


def check_only_recurring(session: Session, row: Membership) -> None:
    """At most one recurring membership a member and set of class types at a time (rule 26).

    The plan that was agreed for the next billing date counts from then on. The member is locked, so
    that two can't be sold at once. Raises AlreadyRecurring.
    """
    its = list(_terms_of(session, row))
    if row.status not in LIVE or not its:
        return
    locked = select(Member.id).where(Member.id == row.member_id)
    session.execute(locked.with_for_update(key_share=True))
    others = select(Membership).where(
        Membership.member_id == row.member_id,
        Membership.id != row.id,
        Membership.status.in_(LIVE),
    )
    for other in session.scalars(others.order_by(Membership.start_date)):
        for theirs in _terms_of(session, other):
            if any(theirs.clashes(one) for one in its):
                raise AlreadyRecurring(plan=theirs.plan.name, since=theirs.since)


@dataclass(frozen=True, slots=True)
class _Recurring:
    """A recurring plan that a membership has, or is to have, between two days."""

    plan: MembershipPlan
    class_types: frozenset[UUID]
    since: date
    until: date

    def clashes(self, other: "_Recurring") -> bool:
        same = self.class_types == other.class_types
        return same and self.since <= other.until and other.since <= self.until


def _terms_of(session: Session, row: Membership) -> Iterator[_Recurring]:
    plan = session.get_one(MembershipPlan, row.plan_id)
    if plan.kind is PlanKind.RECURRING:
        agreed = frozenset(row.class_type_ids)
        yield _Recurring(plan, agreed, row.start_date, last_day(row) or date.max)
    if row.next_plan_id is None or row.next_billing_date is None:
        return
    following = session.get_one(MembershipPlan, row.next_plan_id)
    if following.kind is PlanKind.RECURRING:  # its own end goes with the plan it has now
        over = row.cancel_effective_on
        until = over - timedelta(days=1) if over else date.max
        types = frozenset(following.class_type_ids)
        yield _Recurring(following, types, row.next_billing_date, until)


def last_day(row: Membership) -> date | None:
    """The last day that it covers, by its end or its cancellation; None: it goes on."""
    ends = [row.end_date] if row.end_date else []
    if row.cancel_effective_on:
        ends.append(row.cancel_effective_on - timedelta(days=1))
    return min(ends, default=None)
