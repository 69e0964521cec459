"""Reading credits: what covers a day, how many are left, and every movement of them."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session

from app.memberships.models import (
    CreditEntry,
    Membership,
    MembershipFreeze,
    MembershipPlan,
    last_day,
)
from app.memberships.queries.current import current
from app.memberships.terms import LIVE, OWING, MembershipStatus
from app.memberships.views import Cover, LedgerEntry
from app.studio.paging import Cut, Page, page


@dataclass(frozen=True, slots=True)
class Lot:
    """Credits of one membership that lapse on one day; a booking is paid from one lot."""

    membership_id: UUID
    expires_on: date | None
    left: int

    @property
    def order(self) -> date:
        """Soonest expiry first; what never lapses comes last (rule 23)."""
        return self.expires_on or date.max


def lots(session: Session, member_id: UUID, on: date) -> dict[UUID, list[Lot]]:
    """A member's credits that are good on a day, by membership, in the order they are used."""
    return _lots(session, (member_id,), on)


def lots_of(session: Session, membership_id: UUID, on: date) -> list[Lot]:
    """The credits of one membership that are good on a day, in the order they are used."""
    query = (
        select(CreditEntry.expires_on, func.sum(CreditEntry.delta))
        .where(
            CreditEntry.membership_id == membership_id,
            or_(CreditEntry.expires_on.is_(None), CreditEntry.expires_on >= on),
        )
        .group_by(CreditEntry.expires_on)
    )
    found = [Lot(membership_id, expires_on, left) for expires_on, left in session.execute(query)]
    return sorted(found, key=lambda lot: lot.order)


def covers(session: Session, member_id: UUID, on: date) -> tuple[Cover, ...]:
    """What a member has that isn't over, as it stands on a day.

    What expired counts as long as it has credits, which came back late (rule 24).
    """
    return covers_of(session, (member_id,), on).get(member_id, ())


def covers_of(
    session: Session, member_ids: Collection[UUID], on: date
) -> dict[UUID, tuple[Cover, ...]]:
    """The same of many members, looked up at once; those who have nothing are left out."""
    usable = _lots(session, member_ids, on)
    left = [key for key, group in usable.items() if any(lot.left > 0 for lot in group)]
    spendable = and_(Membership.status == MembershipStatus.EXPIRED, Membership.id.in_(left))
    query = (
        select(Membership, MembershipPlan)
        .join(MembershipPlan, MembershipPlan.id == Membership.plan_id)
        .where(Membership.member_id.in_(member_ids), or_(Membership.status.in_(LIVE), spendable))
        .order_by(Membership.start_date, Membership.id)
    )
    frozen = _frozen(session, member_ids, on)
    found: dict[UUID, tuple[Cover, ...]] = defaultdict(tuple)
    for row, plan in session.execute(query):
        cover = _cover(row, plan, on, usable.get(row.id, []), frozen=row.id in frozen)
        found[row.member_id] = (*found[row.member_id], cover)
    return dict(found)


def balance(session: Session, member_id: UUID, on: date) -> int:
    """All credits that are good on a day: a sum, never stored."""
    return sum(lot.left for group in lots(session, member_id, on).values() for lot in group)


def ledger(
    session: Session,
    member_id: UUID,
    since: datetime | None = None,
    until: datetime | None = None,
    *,
    cut: Cut,
) -> Page[LedgerEntry]:
    """Every movement, the newest first."""
    query = (
        select(CreditEntry, MembershipPlan.name)
        .join(Membership, Membership.id == CreditEntry.membership_id)
        .join(MembershipPlan, MembershipPlan.id == Membership.plan_id)
        .where(CreditEntry.member_id == member_id)
        .order_by(CreditEntry.created_at.desc(), CreditEntry.id.desc())
    )
    if since is not None:
        query = query.where(CreditEntry.created_at >= since)
    if until is not None:
        query = query.where(CreditEntry.created_at < until)
    return page(session, query, cut, lambda row: _entry(*row))


def plans_of(
    session: Session, member_ids: Collection[UUID], on: date
) -> dict[UUID, tuple[str, ...]]:
    """What each of some members has on a day, by name."""
    query = (
        select(Membership.member_id, MembershipPlan.name)
        .join(MembershipPlan, MembershipPlan.id == Membership.plan_id)
        .where(Membership.member_id.in_(member_ids), current(on))
        .order_by(Membership.start_date, Membership.id)
    )
    found: dict[UUID, tuple[str, ...]] = {}
    for member_id, name in session.execute(query):
        found[member_id] = (*found.get(member_id, ()), name)
    return found


def _lots(session: Session, member_ids: Collection[UUID], on: date) -> dict[UUID, list[Lot]]:
    query = (
        select(CreditEntry.membership_id, CreditEntry.expires_on, func.sum(CreditEntry.delta))
        .where(
            CreditEntry.member_id.in_(member_ids),
            or_(CreditEntry.expires_on.is_(None), CreditEntry.expires_on >= on),
        )
        .group_by(CreditEntry.membership_id, CreditEntry.expires_on)
    )
    found: dict[UUID, list[Lot]] = defaultdict(list)
    for membership_id, expires_on, left in session.execute(query):
        found[membership_id].append(Lot(membership_id, expires_on, left))
    return {key: sorted(group, key=lambda lot: lot.order) for key, group in found.items()}


def _frozen(session: Session, member_ids: Collection[UUID], on: date) -> set[UUID]:
    query = (
        select(MembershipFreeze.membership_id)
        .join(Membership, Membership.id == MembershipFreeze.membership_id)
        .where(
            Membership.member_id.in_(member_ids),
            MembershipFreeze.from_date <= on,
            MembershipFreeze.until_date >= on,
        )
    )
    return set(session.scalars(query))


def _cover(
    row: Membership, plan: MembershipPlan, on: date, usable: list[Lot], *, frozen: bool
) -> Cover:
    costs = row.credits_per_period is not None
    until = _covers_until(row, usable) if costs else last_day(row)
    first = next((lot for lot in usable if lot.left > 0), None)
    return Cover(
        membership_id=row.id,
        plan=plan.name,
        status=row.status,
        covers=row.start_date <= on and (until is None or on <= until),
        frozen=frozen,
        class_type_ids=tuple(row.class_type_ids),
        credits=sum(lot.left for lot in usable) if costs else None,
        largest_lot=max((lot.left for lot in usable), default=0),
        expires_on=first.expires_on if first else None,
        weekly_limit=row.weekly_visit_limit,
        unpaid=row.payment_status in OWING or row.status is MembershipStatus.PAST_DUE,
        until=until,
    )


def _covers_until(row: Membership, usable: list[Lot]) -> date | None:
    """Its last day, or that of credits which lapse later, unless it was cancelled."""
    until = last_day(row)
    if until is None or row.cancel_effective_on is not None:
        return until
    return max([until, *(lot.expires_on for lot in usable if lot.left > 0 and lot.expires_on)])


def _entry(row: CreditEntry, plan: str) -> LedgerEntry:
    return LedgerEntry(
        id=row.id,
        at=row.created_at,
        delta=row.delta,
        reason=row.reason,
        plan=plan,
        booking_id=row.booking_id,
        expires_on=row.expires_on,
        note=row.note,
    )
