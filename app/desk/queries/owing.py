"""What a member owes the gym, as the payment provider tells it; nothing here moves money."""

from datetime import date
from uuid import UUID

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session

from app.core.money import Money
from app.memberships.models import Membership, PaymentEntry
from app.memberships.terms import PaymentKind, PaymentState, PaymentStatus

_BEHIND = (PaymentStatus.FAILED, PaymentStatus.OVERDUE)


def owed(session: Session, member_id: UUID, today: date) -> Money | None:
    """Charges that failed, or are due and not paid; None where there are none.

    Waived and void ones don't count, nor what falls due later. Where no provider tells of charges,
    a membership that is marked as unpaid counts with its price.
    """
    return _charged(session, member_id, today) or _marked(session, member_id)


def _charged(session: Session, member_id: UUID, today: date) -> Money | None:
    late = and_(PaymentEntry.status == PaymentState.PENDING, PaymentEntry.due_date < today)
    total = func.sum(PaymentEntry.amount_minor)
    query = select(total, func.min(PaymentEntry.currency)).where(
        PaymentEntry.member_id == member_id,
        PaymentEntry.kind == PaymentKind.CHARGE,
        or_(PaymentEntry.status == PaymentState.FAILED, late),
    )
    row = session.execute(query.having(total > 0)).one_or_none()
    return None if row is None else Money(*row)


def _marked(session: Session, member_id: UUID) -> Money | None:
    total = func.sum(Membership.price_minor - Membership.discount_minor)
    query = select(total, func.min(Membership.currency)).where(
        Membership.member_id == member_id, Membership.payment_status.in_(_BEHIND)
    )
    row = session.execute(query.having(total > 0)).one_or_none()
    return None if row is None else Money(*row)
