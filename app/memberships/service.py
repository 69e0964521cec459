"""Selling memberships, freezing them, and every movement of credits."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from app.core.actor import Actor
from app.core.errors import NotFound
from app.memberships.errors import FreezeOverlaps, NoCreditsLeft
from app.memberships.models import CreditEntry, Membership, MembershipFreeze, MembershipPlan
from app.memberships.queries import Lot, lots
from app.memberships.terms import (
    CreditReason,
    MembershipStatus,
    PaymentStatus,
    PeriodUnit,
    PlanKind,
)

LATE_REFUND = timedelta(days=7)
"""A credit that comes back after its expiry is good for so long yet (rule 24)."""


@dataclass(frozen=True, slots=True)
class NewPlan:
    name: str
    kind: PlanKind
    price_minor: int
    credits: int | None = None
    weekly_visit_limit: int | None = None
    class_type_ids: tuple[UUID, ...] = ()
    period_unit: PeriodUnit | None = None
    validity_days: int | None = None


@dataclass(frozen=True, slots=True)
class Charge:
    """What a booking costs: so many credits of one membership."""

    member_id: UUID
    membership_id: UUID
    booking_id: UUID
    credits: int
    on: date
    """The day of the class: the credits must still be good then."""


def create_plan(session: Session, org_id: UUID, new: NewPlan) -> UUID:
    made = MembershipPlan(
        org_id=org_id,
        name=new.name,
        kind=new.kind,
        price_minor=new.price_minor,
        credits_per_period=new.credits,
        weekly_visit_limit=new.weekly_visit_limit,
        class_type_ids=list(new.class_type_ids),
        period_unit=new.period_unit,
        validity_days=new.validity_days,
    )
    session.add(made)
    session.flush()
    return made.id


def sell(
    session: Session,
    actor: Actor,
    member_id: UUID,
    plan_id: UUID,
    *,
    start: date,
    end: date | None = None,
    payment: PaymentStatus = PaymentStatus.PAID,
) -> UUID:
    """Give a member what they bought, with its credits. The price is a copy (rule 31)."""
    plan = session.get(MembershipPlan, plan_id)
    if plan is None:
        raise NotFound(what="membership_plan")
    if end is None and plan.validity_days is not None:
        end = start + timedelta(days=plan.validity_days - 1)
    made = Membership(
        org_id=actor.org_id,
        member_id=member_id,
        plan_id=plan_id,
        start_date=start,
        end_date=end,
        price_minor=plan.price_minor,
        payment_status=payment,
    )
    session.add(made)
    session.flush()
    if plan.credits_per_period:
        grant(session, actor, made.id, plan.credits_per_period, expires_on=end)
    return made.id


def freeze(
    session: Session, actor: Actor, membership_id: UUID, since: date, until: date, *, today: date
) -> None:
    """No booking from `since` to `until`. Raises FreezeOverlaps."""
    row = _membership(session, membership_id)
    other = session.scalar(
        select(MembershipFreeze).where(
            MembershipFreeze.membership_id == membership_id,
            MembershipFreeze.from_date <= until,
            MembershipFreeze.until_date >= since,
        )
    )
    if other is not None:
        raise FreezeOverlaps(from_date=other.from_date, until_date=other.until_date)
    made = MembershipFreeze(
        org_id=actor.org_id, membership_id=membership_id, from_date=since, until_date=until
    )
    session.add(made)
    if since <= today <= until:
        row.status = MembershipStatus.FROZEN
    session.flush()


def grant(
    session: Session, actor: Actor, membership_id: UUID, amount: int, *, expires_on: date | None
) -> None:
    row = _membership(session, membership_id)
    entry = CreditEntry(
        org_id=row.org_id,
        member_id=row.member_id,
        membership_id=row.id,
        delta=amount,
        reason=CreditReason.GRANT,
        expires_on=expires_on,
        actor_id=actor.user_id,
    )
    session.add(entry)
    session.flush()


def consume(session: Session, actor: Actor, charge: Charge, *, override: bool = False) -> None:
    """Take a booking's credits from the lot that lapses soonest; one row (rule 23).

    The member's row must be locked. Raises NoCreditsLeft, unless `override` lets the balance go
    below zero (rule 25).
    """
    usable = lots(session, charge.member_id, charge.on).get(charge.membership_id, [])
    fits = [lot for lot in usable if lot.left >= charge.credits]
    enough = bool(fits) and sum(lot.left for lot in usable) >= charge.credits
    if not (enough or override):
        raise NoCreditsLeft
    lot = fits[0] if enough else Lot(charge.membership_id, None, 0)
    session.add(_movement(actor, charge, lot))
    session.flush()


def give_back(
    session: Session,
    actor: Actor,
    booking_id: UUID,
    *,
    today: date,
    reason: CreditReason = CreditReason.REFUND,
) -> int:
    """Give back what a booking costs, if it still costs something; how many credits."""
    entry = _standing(session, booking_id, sign=-1)
    if entry is None:
        return 0
    back = entry.reverse(actor.user_id)
    back.reason = CreditReason.REVERSE if actor.undoing else reason
    if entry.expires_on is not None and entry.expires_on < today:
        back.expires_on = today + LATE_REFUND
    session.add(back)
    session.flush()
    return back.delta


def take_again(session: Session, actor: Actor, booking_id: UUID, *, since: datetime) -> int:
    """Take back what a booking was refunded since then; how many credits.

    Raises NoCreditsLeft where they have been spent meanwhile.
    """
    refund = _standing(session, booking_id, sign=1)
    if refund is None or refund.created_at < since:
        return 0
    on = refund.expires_on or date.min
    usable = lots(session, refund.member_id, on).get(refund.membership_id, [])
    lot = next((lot for lot in usable if lot.expires_on == refund.expires_on), None)
    if lot is None or lot.left < refund.delta:
        raise NoCreditsLeft
    session.add(refund.reverse(actor.user_id))
    session.flush()
    return refund.delta


def cost_of(session: Session, booking_id: UUID) -> int:
    """The credits that a booking costs as things stand."""
    entry = _standing(session, booking_id, sign=-1)
    return -entry.delta if entry else 0


def _standing(session: Session, booking_id: UUID, *, sign: int) -> CreditEntry | None:
    """A booking's last movement in one direction, unless it has been settled by its opposite."""
    settling = aliased(CreditEntry)
    query = (
        select(CreditEntry)
        .outerjoin(settling, settling.settles_id == CreditEntry.id)
        .where(
            CreditEntry.booking_id == booking_id,
            settling.id.is_(None),
            CreditEntry.delta * sign > 0,
        )
        .order_by(CreditEntry.id.desc())
        .limit(1)
    )
    return session.scalar(query)


def _movement(actor: Actor, charge: Charge, lot: Lot) -> CreditEntry:
    return CreditEntry(
        org_id=actor.org_id,
        member_id=charge.member_id,
        membership_id=charge.membership_id,
        delta=-charge.credits,
        reason=CreditReason.CONSUME,
        booking_id=charge.booking_id,
        expires_on=lot.expires_on,
        actor_id=actor.user_id,
    )


def _membership(session: Session, membership_id: UUID) -> Membership:
    row = session.get(Membership, membership_id)
    if row is None:
        raise NotFound(what="membership")
    return row
