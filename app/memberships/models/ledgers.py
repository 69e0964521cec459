"""Tables that only grow: extensions, credits, and what the payment provider tells."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import ClassVar
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    Index,
    UniqueConstraint,
    func,
    select,
    text,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.core.columns import text_enum
from app.core.db import OrgRow
from app.core.erasing import Erasure, blanked, kept, within
from app.memberships.errors import NoCreditsLeft
from app.memberships.models.bought import Membership
from app.memberships.terms import CreditReason, PaymentKind, PaymentState
from app.people.models import Member


class MembershipExtension(OrgRow):
    """One membership's end pushed out by some days; rows never change (rule 32)."""

    __tablename__ = "membership_extension"
    __undo__: ClassVar[str] = "reverse"
    __erase__: ClassVar[Erasure] = blanked(within("membership_id"), reason=None, sealed=True)

    membership_id: Mapped[UUID] = mapped_column(ForeignKey(Membership.id), index=True)
    days: Mapped[int]
    end_before: Mapped[date]
    end_after: Mapped[date]
    reason: Mapped[str | None]
    actor_id: Mapped[UUID | None]
    settles_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("membership_extension.id"), unique=True
    )
    """The extension that this one takes back."""

    def reverse(self, actor_id: UUID) -> "MembershipExtension":
        return MembershipExtension(
            org_id=self.org_id,
            membership_id=self.membership_id,
            days=-self.days,
            end_before=self.end_after,
            end_after=self.end_before,
            reason=None,
            actor_id=actor_id,
            settles_id=self.id,
        )


class CreditEntry(OrgRow):
    """One movement of credits; rows never change, a balance is a sum (studio rules 23 to 25)."""

    __tablename__ = "credit_ledger"
    __undo__: ClassVar[str] = "reverse"
    __erase__: ClassVar[Erasure] = blanked(note=None, sealed=True)

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
                row.check_unspent(session, taken=True)

    def check_unspent(self, session: Session, *, taken: bool) -> None:
        """Whether what this row gave is still there, `taken` back or not yet.

        What a rule that was set aside had taken below zero before may be there again, no more.
        Raises NoCreditsLeft.
        """
        member = select(Member.id).where(Member.id == self.member_id)
        session.execute(member.with_for_update(key_share=True))
        lot = (
            CreditEntry.membership_id == self.membership_id,
            CreditEntry.expires_on.is_not_distinct_from(self.expires_on),
        )
        before = _sum(session, *lot, CreditEntry.created_at < self.created_at)
        if _sum(session, *lot) - (0 if taken else self.delta) < min(before, 0):
            raise NoCreditsLeft


class PaymentEntry(OrgRow):
    """A payment as its provider tells it. The app may only read this table (rule 33).

    No undo touches it: an import that is taken back makes its payments void.
    """

    __tablename__ = "payment_ledger"
    __undo__: ClassVar[str] = "ignore"
    __erase__: ClassVar[Erasure] = kept(
        "currency", "failure_code", "method_last4", "provider_ref", "invoice_no"
    )
    __table_args__ = (
        UniqueConstraint("org_id", "provider_ref"),
        CheckConstraint("length(method_last4) <= 4", name="last_four"),
        Index("ix_payment_ledger_day", "org_id", "due_date"),
        Index("ix_payment_ledger_invoice", "member_id", "invoice_no"),
        Index("ix_payment_ledger_paid", "org_id", "paid_at"),
        Index(
            "ix_payment_ledger_open",
            "org_id",
            "due_date",
            postgresql_where=text("kind = 'charge' AND status IN ('failed', 'pending')"),
        ),
    )

    member_id: Mapped[UUID] = mapped_column(ForeignKey(Member.id))
    membership_id: Mapped[UUID | None] = mapped_column(ForeignKey(Membership.id), index=True)
    kind: Mapped[PaymentKind] = mapped_column(text_enum(PaymentKind))
    status: Mapped[PaymentState] = mapped_column(text_enum(PaymentState))
    amount_minor: Mapped[int]
    currency: Mapped[str] = mapped_column(default="ILS")
    due_date: Mapped[date]
    paid_at: Mapped[datetime | None]
    failure_code: Mapped[str | None]
    method_last4: Mapped[str | None]
    provider_ref: Mapped[str | None]
    invoice_no: Mapped[str | None]


def _sum(session: Session, *terms: ColumnElement[bool]) -> int:
    return session.scalar(select(func.coalesce(func.sum(CreditEntry.delta), 0)).where(*terms)) or 0
