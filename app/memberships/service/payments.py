"""What the payment provider tells: taken in as the platform, for the app may only read it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, case, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session

from app.memberships.models import Membership, PaymentEntry
from app.memberships.service import rows
from app.memberships.terms import (
    LIVE,
    MembershipStatus,
    PaymentKind,
    PaymentState,
    PaymentStatus,
)

_OURS = (
    PaymentStatus.PAID,
    PaymentStatus.DUE,
    PaymentStatus.FAILED,
    PaymentStatus.OVERDUE,
)
"""What follows the ledger; what was waived, or is paid elsewhere, stays."""
OWING = (PaymentStatus.FAILED, PaymentStatus.OVERDUE)


@dataclass(frozen=True, slots=True)
class Payment:
    """One row as the provider has it, in minor units; never more of a card than four digits."""

    member_id: UUID
    membership_id: UUID | None
    kind: PaymentKind
    status: PaymentState
    amount_minor: int
    due_date: date
    paid_at: datetime | None = None
    currency: str = "ILS"
    failure_code: str | None = None
    method_last4: str | None = None
    provider_ref: str | None = None
    invoice_no: str | None = None


def take_in(platform: Session, org_id: UUID, payments: Sequence[Payment]) -> list[UUID]:
    """Write what a provider's import brings, in a platform transaction; ids in its order.

    A payment known by its `provider_ref` is brought up to date.
    """
    refs = [one.provider_ref for one in payments if one.provider_ref is not None]
    query = select(PaymentEntry).where(
        PaymentEntry.org_id == org_id, PaymentEntry.provider_ref.in_(refs)
    )
    known = {row.provider_ref: row for row in platform.scalars(query)}
    taken = []
    for one in payments:
        row = known.get(one.provider_ref) if one.provider_ref else None
        if row is None:
            row = PaymentEntry(org_id=org_id, member_id=one.member_id)
            platform.add(row)
        for name in Payment.__dataclass_fields__:
            setattr(row, name, getattr(one, name))
        taken.append(row)
    platform.flush()
    return [row.id for row in taken]


def settle(session: Session, *, today: date) -> Counter[str]:
    """Bring memberships in line with the latest charge that the provider tells of each."""
    latest = (
        select(PaymentEntry.membership_id, _state_of(today).label("state"))
        .where(PaymentEntry.kind == PaymentKind.CHARGE, PaymentEntry.membership_id.is_not(None))
        .ext(distinct_on(PaymentEntry.membership_id))
        .order_by(PaymentEntry.membership_id, PaymentEntry.due_date.desc(), PaymentEntry.id.desc())
        .subquery()
    )
    query = (
        select(Membership, latest.c.state)
        .join(latest, latest.c.membership_id == Membership.id)
        .where(
            Membership.status.in_(LIVE),
            Membership.payment_status.in_(_OURS),
            latest.c.state != Membership.payment_status,
        )
        .order_by(Membership.id)
        .with_for_update(key_share=True, skip_locked=True, of=Membership)
    )
    done: Counter[str] = Counter()
    for row, state in session.execute(query):
        row.payment_status = PaymentStatus(state)
        done[_follow(row)] += 1
    session.flush()
    return done


def _state_of(today: date) -> ColumnElement[str]:
    late = and_(PaymentEntry.status == PaymentState.PENDING, PaymentEntry.due_date < today)
    return case(
        (PaymentEntry.status == PaymentState.FAILED, PaymentStatus.FAILED.value),
        (late, PaymentStatus.OVERDUE.value),
        (PaymentEntry.status == PaymentState.PENDING, PaymentStatus.DUE.value),
        else_=PaymentStatus.PAID.value,
    )


def _follow(row: Membership) -> str:
    """Past due as long as it is owed, where nothing else is said of it (rule 27)."""
    owes = row.payment_status in OWING
    if owes and row.status is MembershipStatus.ACTIVE:
        rows.move_to(row, MembershipStatus.PAST_DUE)
        return "owes"
    if not owes and row.status is MembershipStatus.PAST_DUE:
        rows.move_to(row, MembershipStatus.ACTIVE)
        return "paid"
    return "payment"
