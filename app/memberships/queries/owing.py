"""What members owe, as the payment provider tells it: the one query of it, for whoever asks."""

from collections.abc import Collection
from datetime import date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import (
    CTE,
    ColumnElement,
    String,
    Subquery,
    and_,
    case,
    cast,
    exists,
    func,
    literal,
    null,
    or_,
    select,
    true,
    tuple_,
)
from sqlalchemy.orm import Session

from app.core.columns import among
from app.memberships.models import Membership, PaymentEntry
from app.memberships.terms import CAME_IN, NOT_OWED, OWING, PaymentKind, PaymentState
from app.people.models import Member


def owed(
    session: Session,
    day: date,
    member_ids: Collection[UUID] | None = None,
    *,
    zone: str | None = None,
) -> dict[UUID, int]:
    """What each member owes as of a day, in agorot; who owes nothing isn't there.

    With a `zone` as it was at the end of that local day, else by what has come in until now.
    """
    open_ = open_charges(day, zone, member_ids)
    query = (
        select(open_.c.member_id, func.sum(open_.c.left))
        .where(open_.c.left > 0)
        .group_by(open_.c.member_id)
    )
    return {member_id: int(left) for member_id, left in session.execute(query)}


def in_debt(session: Session, member_id: UUID, day: date) -> bool:
    """Whether a member owes anything as of a day."""
    query = select(Member.id).where(Member.id == member_id, owes(day, [member_id]))
    return session.scalar(query) is not None


def owes(day: date, member_ids: Collection[UUID] | None = None) -> ColumnElement[bool]:
    """As a part of a query of members, or of these: whether they owe anything as of a day."""
    open_ = open_charges(day, member_ids=member_ids)
    by_ledger = Member.id.in_(select(open_.c.member_id).where(open_.c.left > 0))
    held = select(Membership.id).where(Membership.member_id == Member.id, marked())
    return or_(by_ledger, exists(held))


def marked() -> ColumnElement[bool]:
    """As a part of a query of memberships: marked as unpaid, of a member without any charge.

    Where charges are told of, they alone say what is owed.
    """
    told = select(PaymentEntry.id).where(
        PaymentEntry.member_id == Membership.member_id, PaymentEntry.kind == PaymentKind.CHARGE
    )
    return and_(Membership.payment_status.in_(OWING), ~exists(told))


def open_charges(
    day: date, zone: str | None = None, member_ids: Collection[UUID] | None = None
) -> Subquery:
    """What is left of charges that failed, or are past their day: retries of one invoice are one.

    What came in for the same invoice is taken off; a chargeback puts it back. With a `zone`, only
    what had come in by the end of the local day: a charge that was paid later was still open.

    Columns: member_id, membership_ids, currency, due, failed, left.
    """
    entry, over = PaymentEntry, None if zone is None else end_of_day(day, zone)
    due = _due(day, over, true() if member_ids is None else among(entry.member_id, member_ids))
    invoices = select(due.c.member_id, due.c.invoice)
    paid = select(
        entry.member_id, entry.invoice_no, *(null() for _ in _TOLD), _came_in().label("paid")
    ).where(_settles(day, over), tuple_(entry.member_id, entry.invoice_no).in_(invoices))
    # Both in one heap: a join of the two sums goes wrong where the planner expects few of either.
    both = select(due, literal(0).label("paid")).union_all(paid).subquery().c
    left = func.greatest(func.max(both.amount) - func.sum(both.paid), 0)
    return (
        select(
            both.member_id,
            func.max(both.membership_ids).label("membership_ids"),
            func.max(both.currency).label("currency"),
            func.max(both.due).label("due"),
            func.bool_or(both.failed).label("failed"),
            left.label("left"),
        )
        .group_by(both.member_id, both.invoice)
        .subquery()
    )


_TOLD = ("membership_ids", "amount", "currency", "due", "failed")
"""Of what is due besides whose and which; columns of `_due`, in order."""


def _due(day: date, over: datetime | None, whose: ColumnElement[bool]) -> CTE:
    """The charges that weren't settled, by invoice; what has none is one of its own."""
    entry = PaymentEntry
    failed = entry.status == PaymentState.FAILED
    return (
        select(
            entry.member_id,
            func.coalesce(entry.invoice_no, cast(entry.id, String)).label("invoice"),
            func.array_agg(entry.membership_id).label("membership_ids"),
            func.max(entry.amount_minor).label("amount"),
            func.min(entry.currency).label("currency"),
            func.min(entry.due_date).label("due"),
            func.bool_or(failed).label("failed"),
        )
        .outerjoin(Membership, Membership.id == entry.membership_id)
        .where(
            whose,
            entry.kind == PaymentKind.CHARGE,
            or_(failed, _pending(over)),
            or_(entry.due_date < day, and_(failed, entry.due_date == day)),
            or_(Membership.id.is_(None), Membership.payment_status.not_in(NOT_OWED)),
        )
        .group_by(entry.member_id, "invoice")
        .cte()
    )


def end_of_day(day: date, zone: str) -> datetime:
    """The midnight after a local day; there is none after the last one of all."""
    return midnight(min(day, date.max - timedelta(days=2)) + timedelta(days=1), zone)


def midnight(day: date, zone: str) -> datetime:
    """With which a local day begins."""
    return datetime.combine(day, time(), tzinfo=ZoneInfo(zone))


def _pending(over: datetime | None) -> ColumnElement[bool]:
    """Neither paid nor refused, or paid only later."""
    entry = PaymentEntry
    pending = entry.status == PaymentState.PENDING
    return pending if over is None else or_(pending, _later(over))


def _later(over: datetime) -> ColumnElement[bool]:
    return and_(PaymentEntry.status.in_(CAME_IN), PaymentEntry.paid_at >= over)


def _came_in() -> ColumnElement[int]:
    entry = PaymentEntry
    return case(
        (entry.kind == PaymentKind.CHARGEBACK, -func.abs(entry.amount_minor)),
        else_=func.abs(entry.amount_minor),
    )


def _settles(day: date, over: datetime | None) -> ColumnElement[bool]:
    """What is not said when it came counts from the day it was due."""
    entry = PaymentEntry
    unsaid = and_(entry.paid_at.is_(None), entry.due_date <= day)
    by_then = entry.paid_at.is_not(None) if over is None else entry.paid_at < over
    return and_(
        entry.status.in_(CAME_IN),
        entry.kind != PaymentKind.REFUND,
        entry.invoice_no.is_not(None),
        or_(by_then, unsaid),
    )
