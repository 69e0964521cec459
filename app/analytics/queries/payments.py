"""What was collected, what failed and what is owed, from the ledger that is only read."""

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    and_,
    case,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.orm import Session

from app.analytics.periods import Days
from app.analytics.queries.weeks import first_of_week
from app.analytics.views import Owing, PeriodMoney, Revenue
from app.memberships.models import Membership, MembershipPlan, PaymentEntry
from app.memberships.queries.owing import end_of_day, midnight, open_charges
from app.memberships.terms import CAME_IN, PaymentKind, PaymentState
from app.people.models import Member, shown_name
from app.studio.paging import Cut, Page, page_of


class MoneyBy(StrEnum):
    """What revenue may be told apart by."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    PLAN = "plan"


def collected(session: Session, days: Days, *, zone: str) -> int:
    """What came in on these days, refunds not taken off."""
    return sum(part.collected for _, part in _parts(session, days, None, zone))


def revenue(
    session: Session, days: Days, by: MoneyBy | None, *, zone: str, week_start: int
) -> Revenue:
    """Collected and refunded by the local day it was paid, failed by the day it was due."""
    whole = next((part for _, part in _parts(session, days, None, zone)), PeriodMoney())
    owing = sum(one.amount for one in _owing(session, days.last, zone))
    parts = [] if by is None else _parts(session, days, by, zone, week_start)
    return Revenue(days, whole, owing, parts)


def unpaid(
    session: Session,
    day: date,
    *,
    zone: str,
    due_in: Days | None = None,
    min_days: int = 0,
    cut: Cut,
) -> Page[Owing]:
    """Members who owe as of a day, the longest first.

    With `due_in`, those of whose open charges one fell due in those days.
    """
    owing = _owing(session, day, zone, due_in=due_in)
    found = [one for one in owing if one.overdue(day) >= min_days]
    return page_of(sorted(found, key=lambda one: (one.since, one.name, str(one.member_id))), cut)


def failing(session: Session, day: date, *, zone: str) -> set[UUID]:
    """Members with a charge that failed and is still open."""
    open_ = open_charges(day, zone)
    return set(session.scalars(select(open_.c.member_id).where(open_.c.left > 0, open_.c.failed)))


def _owing(
    session: Session,
    day: date,
    zone: str,
    *,
    due_in: Days | None = None,
) -> list[Owing]:
    open_, name = open_charges(day, zone), shown_name()
    query = (
        select(
            open_.c.member_id,
            name,
            func.sum(open_.c.left),
            func.min(open_.c.currency),
            func.min(open_.c.due),
            func.count(),
            func.bool_or(open_.c.failed),
        )
        .join(Member, Member.id == open_.c.member_id)
        .where(open_.c.left > 0)
        .group_by(open_.c.member_id, name)
    )
    if due_in is not None:
        query = query.having(func.bool_or(_within(open_.c.due, due_in)))
    return [
        Owing(member, told, int(left), *more)
        for member, told, left, *more in session.execute(query)
    ]


def _parts(
    session: Session, days: Days, by: MoneyBy | None, zone: str, week_start: int = 0
) -> Sequence[tuple[str, PeriodMoney]]:
    entry = PaymentEntry
    paid_on = func.date(func.timezone(zone, entry.paid_at))
    settled = entry.status.in_(CAME_IN)
    then = and_(
        settled,
        entry.paid_at >= midnight(days.first, zone),
        entry.paid_at < end_of_day(days.last, zone),
    )
    charged = and_(entry.kind == PaymentKind.CHARGE, then)
    returned = and_(entry.kind == PaymentKind.REFUND, then)
    missed = and_(
        entry.kind == PaymentKind.CHARGE,
        entry.status == PaymentState.FAILED,
        _within(entry.due_date, days),
    )
    day = case((entry.status == PaymentState.FAILED, entry.due_date), else_=paid_on)
    label = _label(by, day, week_start)
    query = (
        select(
            label,
            _sum(charged),
            _sum(returned),
            _sum(missed),
            func.count().filter(missed),
        )
        .outerjoin(Membership, Membership.id == entry.membership_id)
        .outerjoin(MembershipPlan, MembershipPlan.id == Membership.plan_id)
        .where(or_(charged, returned, missed))
        .group_by(label)
        .order_by(label)
    )
    return [
        (str(name or ""), PeriodMoney(int(got), int(back), int(failed), count))
        for name, got, back, failed, count in session.execute(query)
    ]


def _within(column: Any, days: Days) -> ColumnElement[bool]:  # noqa: ANN401 - a date of SQL
    return and_(column >= days.first, column <= days.last)


def _sum(when: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(func.abs(PaymentEntry.amount_minor)).filter(when), 0)


def _label(by: MoneyBy | None, day: Any, week_start: int) -> Any:  # noqa: ANN401 - an expression of SQL
    match by:
        case None:
            return literal("")
        case MoneyBy.PLAN:
            return func.coalesce(MembershipPlan.name, "")
        case MoneyBy.DAY:
            return func.to_char(day, "YYYY-MM-DD")
        case MoneyBy.WEEK:
            return func.to_char(first_of_week(day, week_start), "YYYY-MM-DD")
        case MoneyBy.MONTH:
            return func.to_char(day, "YYYY-MM")
