"""Freezing a membership: days without classes or bills, given back at its end (rule 28)."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import BadInput
from app.memberships.errors import (
    FreezeInPast,
    FreezeLength,
    FreezeNotInPlan,
    FreezeOutside,
    FreezeOverlaps,
    FreezeTooOften,
    NotFrozen,
    NotPossibleNow,
)
from app.memberships.models import Membership, MembershipFreeze, last_day
from app.memberships.policy import FreezePolicy
from app.memberships.service import credits as ledger
from app.memberships.service import rows
from app.memberships.terms import MembershipStatus

FURTHEST: Final = timedelta(days=366)
_YEAR: Final = timedelta(days=365)
_FREEZABLE: Final = (MembershipStatus.PENDING, MembershipStatus.ACTIVE, MembershipStatus.FROZEN)


@dataclass(frozen=True, slots=True)
class FreezeWish:
    """From the first frozen day to the last; None of `until`: as long as the plan allows.

    `document` is what confirms a medical freeze: the plan's limits don't count then.
    """

    membership_id: UUID
    since: date
    until: date | None = None
    reason: str | None = None
    extends_end: bool = True
    document: str | None = None


@dataclass(frozen=True, slots=True)
class Frozen:
    """What a freeze does, or its early end took back: days, and the dates that move with them."""

    membership_id: UUID
    since: date
    until: date
    days: int
    end_before: date | None
    end_after: date | None
    billing_before: date | None
    billing_after: date | None


def preview_freeze(session: Session, wish: FreezeWish, *, today: date) -> Frozen:
    """What `freeze` does as things stand; nothing is locked. Raises what it would."""
    row = rows.membership(session, wish.membership_id)
    until = _checked(session, row, wish, today=today)
    days = (until - wish.since).days + 1
    moved = timedelta(days=days)
    ends = wish.extends_end and row.end_date is not None
    billed = _bills_inside(row, wish.since)
    return Frozen(
        membership_id=row.id,
        since=wish.since,
        until=until,
        days=days,
        end_before=row.end_date,
        end_after=row.end_date + moved if ends and row.end_date else row.end_date,
        billing_before=row.next_billing_date,
        billing_after=row.next_billing_date + moved
        if billed and row.next_billing_date
        else row.next_billing_date,
    )


def freeze(session: Session, actor: Actor, wish: FreezeWish, *, today: date) -> Frozen:
    """Freeze a membership and move its dates by the frozen days.

    Raises NotFound, NotPossibleNow, FreezeInPast, FreezeOutside, FreezeNotInPlan, FreezeLength,
    FreezeTooOften, FreezeOverlaps.
    """
    row = rows.locked(session, wish.membership_id)
    told = preview_freeze(session, wish, today=today)
    made = MembershipFreeze(
        org_id=actor.org_id,
        membership_id=row.id,
        from_date=told.since,
        until_date=told.until,
        reason=wish.reason,
        extends_end=wish.extends_end,
        end_moved=told.days if told.end_after != told.end_before else 0,
        document=wish.document,
        created_by=actor.user_id,
    )
    session.add(made)
    if told.billing_after != told.billing_before:
        move_billing(row, made)
    row.end_date = told.end_after
    if told.since <= today:
        begin(row)
    session.flush()
    if made.end_moved or made.billing_moved:
        ledger.shift(session, actor, row, told.days, since=told.since)
    return told


def bring_in_freeze(
    session: Session, actor: Actor, membership_id: UUID, since: date, until: date, *, today: date
) -> None:
    """Take over a freeze from elsewhere as it is: its dates have moved there. FreezeOverlaps."""
    row = rows.membership(session, membership_id)
    _check_alone(session, row.id, since, until)
    made = MembershipFreeze(
        org_id=actor.org_id,
        membership_id=row.id,
        from_date=since,
        until_date=until,
        extends_end=False,
        created_by=actor.user_id,
    )
    session.add(made)
    if since <= today <= until:
        begin(row)
    session.flush()


def unfreeze(
    session: Session, actor: Actor, membership_id: UUID, on: date | None, *, today: date
) -> Frozen:
    """End the freeze that is on, or comes next; `on` is the first day that isn't frozen.

    The days not used are taken back from the dates they had moved. Raises NotFound, NotFrozen,
    BadInput for a day outside the freeze.
    """
    row = rows.locked(session, membership_id)
    found = _to_end(session, row.id, today=today, newest=actor.undoing)
    on = on or today
    if on < today or on > found.until_date:
        raise BadInput(fields=("on_date",))
    whole = actor.undoing or on <= found.from_date
    unused = found.days if whole else (found.until_date - on).days + 1
    until, moved = found.until_date, bool(found.end_moved or found.billing_moved)
    before = row.end_date, row.next_billing_date
    with _as_undone(session, actor, row, found):
        _take_back(row, found, unused)
        if row.frozen and on <= today:
            end(row)
        if whole:
            session.delete(found)
        else:
            found.until_date = on - timedelta(days=1)
    session.flush()
    if moved:
        ledger.shift(session, actor, row, -unused, since=until + timedelta(days=1))
    return Frozen(
        membership_id=row.id,
        since=on if not whole else found.from_date,
        until=until,
        days=unused,
        end_before=before[0],
        end_after=row.end_date,
        billing_before=before[1],
        billing_after=row.next_billing_date,
    )


def newest_freeze_at(session: Session, membership_id: UUID) -> datetime:
    """When its newest freeze was written down. Raises NotFrozen."""
    query = select(func.max(MembershipFreeze.created_at)).where(
        MembershipFreeze.membership_id == membership_id
    )
    found = session.scalar(query)
    if found is None:
        raise NotFrozen
    return found


def begin(row: Membership) -> None:
    """A freeze is on from now."""
    row.frozen = True
    if row.status is MembershipStatus.ACTIVE:
        rows.move_to(row, MembershipStatus.FROZEN)


def end(row: Membership) -> None:
    row.frozen = False
    if row.status is MembershipStatus.FROZEN:
        rows.move_to(row, MembershipStatus.ACTIVE)


def move_billing(row: Membership, made: MembershipFreeze) -> None:
    """Put a billing date that falls on or after a freeze behind it, and the anchor with it."""
    if row.next_billing_date is None:
        return
    made.billing_moved, made.anchor_before = made.days, row.billing_day
    row.next_billing_date += timedelta(days=made.days)
    if row.billing_day is not None:
        row.billing_day = row.next_billing_date.day


def _as_undone(
    session: Session, actor: Actor, row: Membership, found: MembershipFreeze
) -> AbstractContextManager[None]:
    """A freeze that is taken back was never so."""
    last = rows.last_change(session, row.id)
    if actor.undoing and last.created_at == found.created_at:
        return rows.taking_back(session, row, last)
    return nullcontext()


def _take_back(row: Membership, found: MembershipFreeze, unused: int) -> None:
    """Move what the freeze had moved back by the days that aren't used."""
    sooner = timedelta(days=unused)
    if found.end_moved and row.end_date is not None:
        row.end_date -= sooner
        found.end_moved -= unused
    if found.billing_moved and row.next_billing_date is not None:
        row.next_billing_date -= sooner
        found.billing_moved -= unused
        if row.billing_day is not None:
            row.billing_day = row.next_billing_date.day
        if not found.billing_moved:
            row.billing_day = found.anchor_before


def _checked(session: Session, row: Membership, wish: FreezeWish, *, today: date) -> date:
    """The last frozen day. Raises what stands against it."""
    if row.status not in _FREEZABLE:
        raise NotPossibleNow(state=row.status.value)
    if wish.since < today:
        raise FreezeInPast(today=today)
    ends = last_day(row)
    covered = row.start_date <= wish.since and (ends is None or wish.since <= ends)
    if not covered or wish.since > today + FURTHEST:
        raise FreezeOutside
    plan = rows.plan(session, row.plan_id)
    policy = FreezePolicy.model_validate(row.freeze_policy)
    until = wish.until or wish.since + timedelta(days=policy.max_days - 1)
    if not 0 <= (until - wish.since).days < FURTHEST.days:
        raise BadInput(fields=("until_date",))
    if wish.document is None:
        _check_policy(session, row, policy, plan.name, (wish.since, until))
    _check_alone(session, row.id, wish.since, until)
    return until


def _check_policy(
    session: Session, row: Membership, policy: FreezePolicy, plan: str, span: tuple[date, date]
) -> None:
    since, until = span
    if not policy.allowed:
        raise FreezeNotInPlan(plan=plan)
    if not policy.min_days <= (until - since).days + 1 <= policy.max_days:
        raise FreezeLength(plan=plan, least=policy.min_days, most=policy.max_days)
    if policy.max_times is None:
        return
    near = select(MembershipFreeze.from_date).where(
        MembershipFreeze.membership_id == row.id,
        MembershipFreeze.from_date > since - _YEAR,
        MembershipFreeze.from_date < since + _YEAR,
        MembershipFreeze.document.is_(None),
    )
    if most_in_a_year(since, session.scalars(near).all()) > policy.max_times:
        raise FreezeTooOften(plan=plan, times=policy.max_times)


def most_in_a_year(day: date, others: Sequence[date]) -> int:
    """How many of these days, that one among them, are within some twelve months at most."""
    firsts = [one for one in (*others, day) if one <= day < one + _YEAR]
    return max(sum(first <= one < first + _YEAR for one in (*others, day)) for first in firsts)


def _check_alone(session: Session, membership_id: UUID, since: date, until: date) -> None:
    other = session.scalar(
        select(MembershipFreeze)
        .where(
            MembershipFreeze.membership_id == membership_id,
            MembershipFreeze.from_date <= until,
            MembershipFreeze.until_date >= since,
        )
        .limit(1)
    )
    if other is not None:
        raise FreezeOverlaps(from_date=other.from_date, until_date=other.until_date)


def _bills_inside(row: Membership, since: date) -> bool:
    """Whether the next bill is moved; a later one is, when it comes to be the next."""
    return row.next_billing_date is not None and row.next_billing_date >= since


def _to_end(
    session: Session, membership_id: UUID, *, today: date, newest: bool
) -> MembershipFreeze:
    order = MembershipFreeze.created_at.desc() if newest else MembershipFreeze.from_date
    found = session.scalar(
        select(MembershipFreeze)
        .where(
            MembershipFreeze.membership_id == membership_id,
            MembershipFreeze.until_date >= today,
        )
        .order_by(order)
        .limit(1)
    )
    if found is None:
        raise NotFrozen
    return found
