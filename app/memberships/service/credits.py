"""Every movement of credits: granted, used, given back, adjusted, moved to another day."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session, aliased

from app.core.actor import Actor
from app.memberships.errors import CreditsNotCounted, NoCreditsLeft
from app.memberships.models import CreditEntry, Membership
from app.memberships.queries import Lot, lots, lots_of
from app.memberships.service import rows
from app.memberships.terms import CreditReason

LATE_REFUND = timedelta(days=7)
"""A credit that comes back after its expiry is good for so long yet (rule 24)."""


@dataclass(frozen=True, slots=True)
class Charge:
    """What a booking costs: so many credits of one membership."""

    member_id: UUID
    membership_id: UUID
    booking_id: UUID
    credits: int
    on: date
    """The day of the class: the credits must still be good then."""


def grant(
    session: Session, actor: Actor, membership_id: UUID, amount: int, *, expires_on: date | None
) -> None:
    row = rows.membership(session, membership_id)
    session.add(_entry(actor, row, amount, CreditReason.GRANT, expires_on))
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
    most: int | None = None,
) -> int:
    """Give back what a booking costs, if it still costs something, or a part; how many credits."""
    entry = _standing(session, booking_id, sign=-1)
    if entry is None:
        return 0
    back = _back(actor, entry, today=today, reason=reason)
    back.delta = back.delta if most is None else min(back.delta, most)
    session.add(back)
    session.flush()
    return back.delta


def give_all_back(
    session: Session, actor: Actor, booking_ids: Collection[UUID], *, today: date
) -> int:
    """Give back what many bookings cost, looked up at once; how many credits."""
    standing = _all_standing(session, booking_ids, sign=-1).values()
    rows = [_back(actor, one, today=today, reason=CreditReason.REFUND) for one in standing]
    session.add_all(rows)
    session.flush()
    return sum(row.delta for row in rows)


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
    return costs_of(session, (booking_id,)).get(booking_id, 0)


def costs_of(session: Session, booking_ids: Collection[UUID]) -> dict[UUID, int]:
    """The same of many, looked up at once; those that cost nothing are left out."""
    standing = _all_standing(session, booking_ids, sign=-1)
    return {key: -entry.delta for key, entry in standing.items()}


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Credits added (`delta` above zero) or taken; not money. None of `expires_on`: as the rest."""

    delta: int
    reason: str
    expires_on: date | None = None


def adjust(
    session: Session, actor: Actor, membership_id: UUID, change: Adjustment, *, today: date
) -> int:
    """Add or take credits; the new balance.

    Raises NotPossibleNow for what is over, CreditsNotCounted, NoCreditsLeft (rule 25).
    """
    row = rows.locked(session, membership_id)
    for expires_on, delta in _parts(row, change, _adjustable(session, row, today)):
        entry = _entry(actor, row, delta, CreditReason.ADJUST, expires_on)
        entry.note = change.reason
        session.add(entry)
    session.flush()
    return sum(lot.left for lot in lots_of(session, row.id, today))


def preview_adjust(
    session: Session, membership_id: UUID, change: Adjustment, *, today: date
) -> int:
    """The balance that `adjust` leaves as things stand; nothing is locked."""
    row = rows.membership(session, membership_id)
    usable = _adjustable(session, row, today)
    parts = list(_parts(row, change, usable))
    return sum(lot.left for lot in usable) + sum(delta for _, delta in parts)


def grant_period(session: Session, actor: Actor, row: Membership, credits_: int | None) -> None:
    """The credits of a period or a card, good until its end."""
    if credits_:
        grant(session, actor, row.id, credits_, expires_on=row.end_date or _period_end(row))


def withdraw(session: Session, actor: Actor, row: Membership, *, today: date) -> int:
    """Let what is left lapse, as another plan takes its place; how many credits."""
    gone = 0
    for lot in lots_of(session, row.id, today):
        if lot.left > 0:
            session.add(_entry(actor, row, -lot.left, CreditReason.EXPIRE, lot.expires_on))
            gone += lot.left
    session.flush()
    return gone


def shift(session: Session, actor: Actor, row: Membership, days: int, *, since: date) -> None:
    """Let credits that lapse on a day or later lapse so many days later; less than 0: sooner."""
    for lot in lots_of(session, row.id, since):
        if lot.expires_on is not None and lot.left > 0 and days:
            later = lot.expires_on + timedelta(days=days)
            session.add(_entry(actor, row, -lot.left, CreditReason.TRANSFER, lot.expires_on))
            session.add(_entry(actor, row, lot.left, CreditReason.TRANSFER, later))
    session.flush()


def revoke_grants(session: Session, actor: Actor, row: Membership) -> None:
    """Take back all that was granted on a membership that was never sold after all.

    Raises NoCreditsLeft where some of it has been used.
    """
    settling = aliased(CreditEntry)
    granted = (
        select(CreditEntry)
        .outerjoin(settling, settling.settles_id == CreditEntry.id)
        .where(
            CreditEntry.membership_id == row.id,
            CreditEntry.reason == CreditReason.GRANT,
            settling.id.is_(None),
        )
    )
    entries = list(session.scalars(granted))
    session.add_all(entry.reverse(actor.user_id) for entry in entries)
    session.flush()
    CreditEntry.check_restored(session, entries)


def _standing(session: Session, booking_id: UUID, *, sign: int) -> CreditEntry | None:
    """A booking's last movement in one direction, unless it has been settled by its opposite."""
    return _all_standing(session, (booking_id,), sign=sign).get(booking_id)


def _all_standing(
    session: Session, booking_ids: Collection[UUID], *, sign: int
) -> dict[UUID, CreditEntry]:
    settling = aliased(CreditEntry)
    query = (
        select(CreditEntry)
        .outerjoin(settling, settling.settles_id == CreditEntry.id)
        .where(
            CreditEntry.booking_id.in_(booking_ids),
            settling.id.is_(None),
            CreditEntry.delta * sign > 0,
        )
        .order_by(CreditEntry.booking_id, CreditEntry.id.desc())
        .ext(distinct_on(CreditEntry.booking_id))
    )
    return {entry.booking_id: entry for entry in session.scalars(query) if entry.booking_id}


def _back(actor: Actor, entry: CreditEntry, *, today: date, reason: CreditReason) -> CreditEntry:
    """The row that gives an entry back; what has lapsed is good for a while yet (rule 24)."""
    back = entry.reverse(actor.user_id)
    back.reason = CreditReason.REVERSE if actor.undoing else reason
    if entry.expires_on is not None and entry.expires_on < today:
        back.expires_on = today + LATE_REFUND
    return back


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


def _period_end(row: Membership) -> date | None:
    billed = row.next_billing_date
    return billed - timedelta(days=1) if billed else None


def _adjustable(session: Session, row: Membership, today: date) -> list[Lot]:
    rows.check_live(row)
    if row.credits_per_period is None:
        raise CreditsNotCounted(plan=rows.plan(session, row.plan_id).name)
    return lots_of(session, row.id, today)


def _parts(
    row: Membership, change: Adjustment, usable: list[Lot]
) -> Iterator[tuple[date | None, int]]:
    """What is added, or taken from what lapses soonest. Raises NoCreditsLeft."""
    standing = [lot for lot in usable if lot.left > 0]
    if change.delta > 0:
        ends = standing[-1].expires_on if standing else row.end_date or _period_end(row)
        yield change.expires_on or ends, change.delta
    wanted = max(-change.delta, 0)
    if sum(lot.left for lot in usable) < wanted:
        raise NoCreditsLeft
    for lot in standing if wanted else ():
        part = min(lot.left, wanted)
        if part:
            yield lot.expires_on, -part
        wanted -= part


def _entry(
    actor: Actor, row: Membership, delta: int, reason: CreditReason, expires_on: date | None
) -> CreditEntry:
    return CreditEntry(
        org_id=row.org_id,
        member_id=row.member_id,
        membership_id=row.id,
        delta=delta,
        reason=reason,
        expires_on=expires_on,
        actor_id=actor.user_id,
    )
