"""Arguments of the tools for plans, memberships and payments. Amounts are in agorot."""

import datetime as dt
from enum import StrEnum
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AfterValidator, Field, model_validator

from app.desk.cancelling import CancelRequest
from app.memberships.policy import FreezePolicy
from app.memberships.service import Adjustment, FreezeWish, NewPlan, PlanChanges, Terms
from app.memberships.terms import MembershipStatus, PaymentState, PeriodUnit, PlanKind
from app.memberships.views import (
    ExpiringFilter,
    ExtensionFilter,
    MembershipFilter,
    PaymentFilter,
)
from tools.catalog._args import Listed, MemberId, OneLine, Version, check_days
from tools.kit.declare import Args

MembershipId = Annotated[UUID, Field(description="The membership, by id from memberships.list.")]
PlanId = Annotated[UUID, Field(description="The plan, by id from memberships.list_plans.")]
ClassTypes = Annotated[
    tuple[UUID, ...], Field(max_length=50, description="Only these class types; empty: all.")
]
Reason = Annotated[str, Field(min_length=2, max_length=300, description="In the person's words.")]
MOST_AGOROT = 10_000_000


def _not_zero(value: int) -> int:
    if value == 0:
        raise ValueError("not zero")
    return value


class Effective(StrEnum):
    NOW = "now"
    NEXT_BILLING = "next_billing"


class Plans(Args):
    active: bool | None = Field(default=True, description="true: sold; false: archived; null: all.")
    kind: PlanKind | None = Field(default=None, description="Only this kind.")


class Freezing(Args):
    allowed: bool = True
    min_days: int = Field(default=7, ge=1, le=366)
    max_days: int = Field(default=60, ge=1, le=366)
    max_times: int | None = Field(default=2, ge=1, le=12, description="A year; null: any number.")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.min_days > self.max_days:
            raise ValueError("min_days is more than max_days")
        return self


class NewMembershipPlan(Args):
    name: OneLine = Field(min_length=2, max_length=80)
    kind: PlanKind = Field(description="recurring and fixed_term need a period, cards credits.")
    price_agorot: int = Field(ge=0, le=MOST_AGOROT, description="With VAT: 38000 is 380 shekels.")
    period: PeriodUnit | None = Field(default=None, description="Billed each, or lasts so long.")
    period_count: int = Field(default=1, ge=1, le=60, description="3 with month: a quarter.")
    credits: int | None = Field(
        default=None, ge=1, le=500, description="Classes a period or card; left out: no limit."
    )
    weekly_visit_limit: int | None = Field(default=None, ge=1, le=21)
    class_type_ids: ClassTypes = ()
    validity_days: int | None = Field(default=None, ge=1, le=1_100, description="Of a card.")
    commitment_months: int | None = Field(default=None, ge=1, le=36)
    sells_until: dt.date | None = Field(default=None, description="Last day it is sold.")
    freeze_policy: Freezing = Freezing()

    @property
    def new(self) -> NewPlan:
        return NewPlan(
            name=self.name,
            kind=self.kind,
            price_minor=self.price_agorot,
            credits=self.credits,
            weekly_visit_limit=self.weekly_visit_limit,
            class_type_ids=self.class_type_ids,
            period_unit=self.period,
            period_count=self.period_count,
            validity_days=self.validity_days,
            commitment_months=self.commitment_months,
            freeze_policy=_rules(self.freeze_policy),
            sells_until=self.sells_until,
        )


class OnePlan(Args):
    plan_id: PlanId


class PlanEdits(OnePlan):
    name: OneLine | None = Field(default=None, min_length=2, max_length=80)
    price_agorot: int | None = Field(default=None, ge=0, le=MOST_AGOROT)
    credits: int | None = Field(default=None, ge=1, le=500)
    weekly_visit_limit: int | None = Field(default=None, ge=1, le=21)
    class_type_ids: tuple[UUID, ...] | None = Field(
        default=None, max_length=50, description="All that it covers from now on; empty: all."
    )
    validity_days: int | None = Field(default=None, ge=1, le=1_100)
    sells_until: dt.date | None = Field(default=None, description="Last day it is sold.")
    freeze_policy: Freezing | None = None
    expected_version: Version = None

    @property
    def changes(self) -> PlanChanges:
        return PlanChanges(
            name=self.name,
            price_minor=self.price_agorot,
            credits=self.credits,
            weekly_visit_limit=self.weekly_visit_limit,
            class_type_ids=self.class_type_ids,
            validity_days=self.validity_days,
            freeze_policy=_rules(self.freeze_policy) if self.freeze_policy else None,
            sells_until=self.sells_until,
        )


class Memberships(Listed):
    member_id: UUID | None = Field(default=None, description="Only this member's.")
    status: tuple[MembershipStatus, ...] = Field(
        default=(), max_length=7, description="Only these; empty: all."
    )
    plan_id: UUID | None = Field(default=None, description="Only on this plan.")
    next_billing_before: dt.date | None = Field(default=None, description="Billed before this day.")

    @property
    def wanted(self) -> MembershipFilter:
        return MembershipFilter(self.member_id, self.plan_id, self.status, self.next_billing_before)


class OneMembership(Args):
    membership_id: MembershipId


class Expiring(Listed):
    within_days: int = Field(default=14, ge=0, le=366, description="Ends within so many days.")
    kind: PlanKind | None = Field(default=None, description="Only of this kind.")
    max_credits_left: int | None = Field(
        default=None, ge=0, le=50, description="Also cards with so few credits left."
    )

    @property
    def wanted(self) -> ExpiringFilter:
        return ExpiringFilter(self.within_days, self.kind, self.max_credits_left)


class Sale(Args):
    member_id: MemberId
    plan_id: PlanId
    start_date: dt.date = Field(description="First day, YYYY-MM-DD.")
    price_agorot: int | None = Field(
        default=None, ge=0, le=MOST_AGOROT, description="Only if agreed otherwise than the plan."
    )
    discount_agorot: int = Field(default=0, ge=0, le=MOST_AGOROT, description="Off each period.")
    billing_day: int | None = Field(
        default=None, ge=1, le=31, description="Day of the month; left out: the start's."
    )
    external_ref: str | None = Field(
        default=None, min_length=1, max_length=80, description="Its number where it is billed."
    )

    @property
    def terms(self) -> Terms:
        return Terms(self.price_agorot, self.discount_agorot, self.billing_day, self.external_ref)


class PlanSwitch(OneMembership):
    plan_id: PlanId
    effective: Effective = Field(description="now, or when it is billed next.")
    price_agorot: int | None = Field(
        default=None, ge=0, le=MOST_AGOROT, description="Only if agreed otherwise than the plan."
    )


class Freeze(OneMembership):
    from_date: dt.date = Field(description="First frozen day; not before today.")
    until_date: dt.date | None = Field(default=None, description="Last frozen day, included.")
    days: int | None = Field(
        default=None, ge=1, le=366, description="Instead of until_date; neither: the longest."
    )
    reason: str | None = Field(default=None, max_length=300)
    extend_end_date: bool = Field(default=True, description="Add the days to its end.")
    medical_document: str | None = Field(
        default=None,
        min_length=2,
        max_length=200,
        description="What confirms it; then the plan's freeze limits don't count.",
    )

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if self.until_date is not None and self.days is not None:
            raise ValueError("until_date or days, not both")
        return self

    @property
    def wish(self) -> FreezeWish:
        until = self.until_date
        if self.days is not None:
            until = self.from_date + dt.timedelta(days=self.days - 1)
        return FreezeWish(
            self.membership_id,
            self.from_date,
            until,
            self.reason,
            self.extend_end_date,
            self.medical_document,
        )


class Unfreeze(OneMembership):
    on_date: dt.date | None = Field(
        default=None, description="First day that isn't frozen; left out: today."
    )


class Extension(OneMembership):
    days: int | None = Field(default=None, ge=1, le=366)
    until_date: dt.date | None = Field(default=None, description="New last day, instead of days.")
    reason: Reason

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.days is None) == (self.until_date is None):
            raise ValueError("days or until_date")
        return self


class CreditChange(OneMembership):
    delta: Annotated[int, AfterValidator(_not_zero)] = Field(
        ge=-200, le=200, description="2 adds two class credits, -1 takes one."
    )
    reason: Reason
    expires_on: dt.date | None = Field(default=None, description="Of added ones; else as the rest.")

    @property
    def change(self) -> Adjustment:
        return Adjustment(self.delta, self.reason, self.expires_on)


class Cancellation(OneMembership):
    effective_on: dt.date | None = Field(
        default=None,
        description="First day without it, today for at once; left out: a month from today.",
    )
    reason: str | None = Field(default=None, max_length=300)
    cancel_future_bookings: bool = Field(default=True, description="Of classes from that day on.")

    @property
    def notice(self) -> CancelRequest:
        return CancelRequest(
            self.membership_id, self.effective_on, self.reason, self.cancel_future_bookings
        )


class Reinstatement(OneMembership):
    next_billing_date: dt.date | None = Field(
        default=None, description="Left out: its own billing day again."
    )


class Which(Args):
    plan_ids: tuple[UUID, ...] = Field(default=(), min_length=1, max_length=50)
    kinds: tuple[PlanKind, ...] = Field(default=(), min_length=1, max_length=5)
    member_ids: tuple[UUID, ...] = Field(default=(), min_length=1, max_length=100)
    ends_before: dt.date | None = None

    @property
    def wanted(self) -> ExtensionFilter:
        return ExtensionFilter(self.plan_ids, self.kinds, self.member_ids, self.ends_before)


class BulkExtension(Args):
    filter: Which = Field(
        default=Which(), description="Only these memberships; left out: all that have an end."
    )
    days: int = Field(ge=1, le=366)
    reason: Reason


class Payments(Listed):
    member_id: UUID | None = Field(default=None, description="Only this member's.")
    membership_id: UUID | None = Field(default=None, description="Only of this membership.")
    from_date: dt.date | None = Field(default=None, description="First day it is due.")
    to_date: dt.date | None = Field(default=None, description="Last day, included.")
    status: tuple[PaymentState, ...] = Field(
        default=(), max_length=5, description="Only these; empty: all."
    )

    @property
    def wanted(self) -> PaymentFilter:
        check_days(self.from_date, self.to_date, most=3_660)
        return PaymentFilter(
            self.member_id, self.membership_id, self.from_date, self.to_date, self.status
        )


def _rules(given: Freezing) -> dict[str, Any]:
    """What differs from the platform's own."""
    usual = FreezePolicy().model_dump()
    return {key: value for key, value in given.model_dump().items() if usual[key] != value}
