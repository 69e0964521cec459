"""Every movement of credits: granted, used, given back, adjusted, moved to another day."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from sqlalchemy import func, select, tuple_
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session, aliased

from app.core.actor import Actor
from app.memberships.errors import CreditsNotCounted, NoCreditsLeft
from app.memberships.models import CreditEntry, Membership, last_day
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
    below zero (rule 25): the period that is on owes it then.
    """
    usable = lots(session, charge.member_id, charge.on).get(charge.membership_id, [])
    fits = [lot for lot in usable if lot.left >= charge.credits]
    enough = bool(fits) and sum(lot.left for lot in usable) >= charge.credits
    if not (enough or override):
        raise NoCreditsLeft
    row = rows.membership(session, charge.membership_id)
    expires_on = fits[0].expires_on if enough else _period_end(row)
    session.add(_movement(actor, charge, expires_on))
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
    back = _backs(session, actor, [entry], today=today, reason=reason)[0]
    back.delta = back.delta if most is None else min(back.delta, most)
    session.add(back)
    session.flush()
    return back.delta


def give_all_back(
    session: Session, actor: Actor, booking_ids: Collection[UUID], *, today: date
) -> int:
    """Give back what many bookings cost, looked up at once; how many credits."""
    standing = list(_all_standing(session, booking_ids, sign=-1).values())
    backs = _backs(session, actor, standing, today=today, reason=CreditReason.REFUND)
    session.add_all(backs)
    session.flush()
    return sum(back.delta for back in backs)


def take_again(session: Session, actor: Actor, booking_id: UUID, *, since: datetime) -> int:
    """Take back what a booking was refunded since then; how many credits.

    Raises NoCreditsLeft where they have been spent meanwhile.
    """
    refund = _standing(session, booking_id, sign=1)
    if refund is None or refund.created_at < since:
        return 0
    refund.check_unspent(session, taken=False)
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


def grant_period(
    session: Session,
    actor: Actor,
    row: Membership,
    credits_: int | None,
    *,
    after: date | None = None,
) -> None:
    """The credits of a period or a card, good until its end.

    `after` is the last day of the period before: what is owed from then is taken off these.
    """
    if not credits_:
        return
    until = _period_end(row)
    if after is not None:
        _carry_debts(session, actor, row, after=after, until=until)
    grant(session, actor, row.id, credits_, expires_on=until)


def _carry_debts(
    session: Session, actor: Actor, row: Membership, *, after: date, until: date | None
) -> None:
    """Let what is owed at the end of a day be owed by a lot that lapses later."""
    for lot in lots_of(session, row.id, after):
        comes_later = lot.expires_on is None or until is None or lot.expires_on < until
        if lot.left < 0 and lot.expires_on != until and comes_later:
            session.add(_entry(actor, row, -lot.left, CreditReason.TRANSFER, lot.expires_on))
            session.add(_entry(actor, row, lot.left, CreditReason.TRANSFER, until))


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
        if lot.expires_on is not None and lot.left and days:
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


def _backs(
    session: Session,
    actor: Actor,
    entries: Collection[CreditEntry],
    *,
    today: date,
    reason: CreditReason,
) -> list[CreditEntry]:
    """The rows that give these back; what has lapsed is good for a while yet (rule 24).

    Unless it was owed when it lapsed, and so never paid: there is nothing then to be had.
    """
    lapsed = [one for one in entries if one.expires_on is not None and one.expires_on < today]
    left = _left_of(session, lapsed)
    backs = []
    for entry in entries:
        back = entry.reverse(actor.user_id)
        back.reason = CreditReason.REVERSE if actor.undoing else reason
        lot = (entry.membership_id, entry.expires_on)
        if left.get(lot, 0) < 0:
            left[lot] += back.delta
        elif lot in left:
            back.expires_on = today + LATE_REFUND
        backs.append(back)
    return backs


def _left_of(
    session: Session, entries: Collection[CreditEntry]
) -> dict[tuple[UUID, date | None], int]:
    """What is left of the lots that these were taken from, looked up at once."""
    lot = (CreditEntry.membership_id, CreditEntry.expires_on)
    wanted = {(one.membership_id, one.expires_on) for one in entries}
    if not wanted:
        return {}
    query = select(*lot, func.sum(CreditEntry.delta)).where(tuple_(*lot).in_(wanted))
    return {(one, day): left for one, day, left in session.execute(query.group_by(*lot))}


def _movement(actor: Actor, charge: Charge, expires_on: date | None) -> CreditEntry:
    return CreditEntry(
        org_id=actor.org_id,
        member_id=charge.member_id,
        membership_id=charge.membership_id,
        delta=-charge.credits,
        reason=CreditReason.CONSUME,
        booking_id=charge.booking_id,
        expires_on=expires_on,
        actor_id=actor.user_id,
    )


def _period_end(row: Membership) -> date | None:
    """The last day of the credits that it gives now; None: they don't lapse."""
    billed = row.next_billing_date
    if row.end_date is not None or billed is None:
        return row.end_date or last_day(row)
    return billed - timedelta(days=1)


def _adjustable(session: Session, row: Membership, today: date) -> list[Lot]:
    rows.check_live(row)
    if row.credits_per_period is None:
        raise CreditsNotCounted(plan=rows.plan(session, row.plan_id).name)
    return lots_of(session, row.id, today)


def _parts(
    row: Membership, change: Adjustment, usable: list[Lot]
) -> Iterator[tuple[date | None, int]]:
    """What is added, to what is owed first; or taken, from what lapses soonest.

    Raises NoCreditsLeft.
    """
    wanted = change.delta
    if wanted < 0 and sum(lot.left for lot in usable) < -wanted:
        raise NoCreditsLeft
    standing = [lot for lot in usable if lot.left > 0]
    for lot in standing if wanted < 0 else [lot for lot in usable if lot.left < 0]:
        part = max(wanted, -lot.left) if wanted < 0 else min(wanted, -lot.left)
        if part:
            yield lot.expires_on, part
        wanted -= part
    if wanted:
        ends = standing[-1].expires_on if standing else _period_end(row)
        yield change.expires_on or ends, wanted


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
