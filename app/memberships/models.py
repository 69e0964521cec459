"""Tables of what members bought: plan, membership, freeze and the append-only ledger of credits."""

from collections.abc import Sequence
from datetime import date
from typing import ClassVar
from uuid import UUID

from sqlalchemy import ColumnElement, ForeignKey, Uuid, func, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.core.columns import text_enum
from app.core.db import OrgRow
from app.memberships.errors import NoCreditsLeft
from app.memberships.terms import (
    CreditReason,
    MembershipStatus,
    PaymentStatus,
    PeriodUnit,
    PlanKind,
)
from app.people.models import Member


class MembershipPlan(OrgRow):
    __tablename__ = "membership_plan"

    name: Mapped[str]
    kind: Mapped[PlanKind] = mapped_column(text_enum(PlanKind))
    price_minor: Mapped[int]
    currency: Mapped[str] = mapped_column(default="ILS")
    period_unit: Mapped[PeriodUnit | None] = mapped_column(text_enum(PeriodUnit))
    period_count: Mapped[int] = mapped_column(default=1)
    credits_per_period: Mapped[int | None]
    """Null: classes cost no credits on this plan."""
    weekly_visit_limit: Mapped[int | None]
    class_type_ids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid()), default=list)
    """Empty: every class type."""
    validity_days: Mapped[int | None]
    active: Mapped[bool] = mapped_column(default=True)


class Membership(OrgRow):
    __tablename__ = "membership"

    member_id: Mapped[UUID] = mapped_column(ForeignKey(Member.id), index=True)
    plan_id: Mapped[UUID] = mapped_column(ForeignKey(MembershipPlan.id), index=True)
    status: Mapped[MembershipStatus] = mapped_column(
        text_enum(MembershipStatus), default=MembershipStatus.ACTIVE
    )
    start_date: Mapped[date]
    end_date: Mapped[date | None]
    """The last day it covers."""
    price_minor: Mapped[int]
    currency: Mapped[str] = mapped_column(default="ILS")
    payment_status: Mapped[PaymentStatus] = mapped_column(
        text_enum(PaymentStatus), default=PaymentStatus.PAID
    )
    cancel_effective_on: Mapped[date | None]
    """The first day it no longer covers."""


class MembershipFreeze(OrgRow):
    __tablename__ = "membership_freeze"

    membership_id: Mapped[UUID] = mapped_column(ForeignKey(Membership.id), index=True)
    from_date: Mapped[date]
    until_date: Mapped[date]
    """The last frozen day."""
    reason: Mapped[str | None]


class CreditEntry(OrgRow):
    """One movement of credits; rows never change, a balance is a sum (studio rules 23 to 25)."""

    __tablename__ = "credit_ledger"
    __undo__: ClassVar[str] = "reverse"

    member_id: Mapped[UUID] = mapped_column(ForeignKey(Member.id), index=True)
    membership_id: Mapped[UUID] = mapped_column(ForeignKey(Membership.id), index=True)
    delta: Mapped[int]
    reason: Mapped[CreditReason] = mapped_column(text_enum(CreditReason))
    booking_id: Mapped[UUID | None] = mapped_column(index=True)
    expires_on: Mapped[date | None]
    """The last day its credits can be used on."""
    settles_id: Mapped[UUID | None] = mapped_column(ForeignKey("credit_ledger.id"), unique=True)
    """The row that this one gives back or takes back: unique, so that it happens once."""
    actor_id: Mapped[UUID | None]
    note: Mapped[str | None]

    def reverse(self, actor_id: UUID) -> "CreditEntry":
        """The row that takes this one back; the ledger itself stays as it is."""
        return CreditEntry(
            org_id=self.org_id,
            member_id=self.member_id,
            membership_id=self.membership_id,
            delta=-self.delta,
            reason=CreditReason.REVERSE,
            booking_id=self.booking_id,
            expires_on=self.expires_on,
            settles_id=self.id,
            actor_id=actor_id,
        )

    @classmethod
    def check_restored(cls, session: Session, rows: Sequence["CreditEntry"]) -> None:
        """Whether credits that an undo takes back are still there (rule 25).

        Raises NoCreditsLeft.
        """
        for row in rows:
            if row.delta > 0:
                _check_unspent(session, row)


def _check_unspent(session: Session, taken: CreditEntry) -> None:
    """What a rule that was set aside had taken below zero before may be there again, no more."""
    session.execute(
        select(Member.id).where(Member.id == taken.member_id).with_for_update(key_share=True)
    )
    lot = (
        CreditEntry.membership_id == taken.membership_id,
        CreditEntry.expires_on.is_not_distinct_from(taken.expires_on),
    )
    before = _sum(session, *lot, CreditEntry.created_at < taken.created_at)
    if _sum(session, *lot) < min(before, 0):
        raise NoCreditsLeft


def _sum(session: Session, *terms: ColumnElement[bool]) -> int:
    return session.scalar(select(func.coalesce(func.sum(CreditEntry.delta), 0)).where(*terms)) or 0
