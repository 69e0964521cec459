"""Reading the payment ledger; nothing here, or anywhere in the app, can write it (rule 33)."""

from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.memberships.models import Membership, MembershipPlan, PaymentEntry
from app.memberships.views import PaymentFilter, PaymentView
from app.people.models import Member
from app.studio.paging import Cut, Page, page


def payments(session: Session, wanted: PaymentFilter, *, cut: Cut) -> Page[PaymentView]:
    """By the day they are due, the latest first."""
    query = (
        select(PaymentEntry, Member, MembershipPlan.name)
        .join(Member, Member.id == PaymentEntry.member_id)
        .outerjoin(Membership, Membership.id == PaymentEntry.membership_id)
        .outerjoin(MembershipPlan, MembershipPlan.id == Membership.plan_id)
        .order_by(PaymentEntry.due_date.desc(), PaymentEntry.id.desc())
    )
    if wanted.member_id is not None:
        query = query.where(PaymentEntry.member_id == wanted.member_id)
    if wanted.membership_id is not None:
        query = query.where(PaymentEntry.membership_id == wanted.membership_id)
    if wanted.statuses:
        query = query.where(PaymentEntry.status.in_(wanted.statuses))
    first, last = wanted.since or date.min, wanted.until or date.max
    query = query.where(PaymentEntry.due_date.between(first, last))
    return page(session, query, cut, lambda row: _view(*row))


def _view(row: PaymentEntry, member: Member, plan: str | None) -> PaymentView:
    return PaymentView(
        id=row.id,
        member=member.name,
        plan=plan,
        kind=row.kind,
        status=row.status,
        amount_minor=row.amount_minor,
        currency=row.currency,
        due=row.due_date,
        paid_at=row.paid_at,
        last4=row.method_last4,
        invoice_no=row.invoice_no,
    )
