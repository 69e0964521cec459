"""What the payment provider tells: taken in as the platform, for the app may only read it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import Subquery, and_, case, func, select
from sqlalchemy.orm import Session

from app.memberships.models import Membership, PaymentEntry
from app.memberships.queries.owing import open_charges
from app.memberships.service import rows
from app.memberships.terms import (
    NOT_OWED,
    OWING,
    UNSETTLED,
    MembershipStatus,
    PaymentKind,
    PaymentState,
    PaymentStatus,
)


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
    """Bring memberships, also those that are over, in line with what is open of their charges."""
    told = _told(today)
    query = (
        select(Membership, told.c.state)
        .join(told, told.c.membership_id == Membership.id)
        .where(
            Membership.payment_status.not_in(NOT_OWED),
            told.c.state != Membership.payment_status,
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


def _told(today: date) -> Subquery:
    """Of each membership with charges: what is open decides, before what is yet to come."""
    owing = _owing(today)
    entry = PaymentEntry
    coming = func.bool_or(and_(entry.status.in_(UNSETTLED), entry.due_date >= today))
    return (
        select(
            entry.membership_id,
            case(
                (func.bool_or(owing.c.failed), PaymentStatus.FAILED.value),
                (func.bool_or(owing.c.membership_id.is_not(None)), PaymentStatus.OVERDUE.value),
                (coming, PaymentStatus.DUE.value),
                else_=PaymentStatus.PAID.value,
            ).label("state"),
        )
        .outerjoin(owing, owing.c.membership_id == entry.membership_id)
        .where(entry.kind == PaymentKind.CHARGE, entry.membership_id.is_not(None))
        .group_by(entry.membership_id)
        .subquery()
    )


def _owing(today: date) -> Subquery:
    """Memberships with an open charge, and whether one of those failed."""
    open_ = open_charges(today)
    one = func.unnest(open_.c.membership_ids).label("membership_id")
    return (
        select(one, func.bool_or(open_.c.failed).label("failed"))
        .where(open_.c.left > 0)
        .group_by(one)
        .subquery()
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
