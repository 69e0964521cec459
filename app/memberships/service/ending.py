"""Ending memberships: cancelling with notice, taking that back; extending them (rules 30, 32)."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import BadInput
from app.memberships import billing
from app.memberships.errors import EndsBefore, NoBillingDate, NoEndDate, NotPossibleNow
from app.memberships.history import parsed
from app.memberships.models import (
    Membership,
    MembershipExtension,
    check_only_recurring,
    effective,
)
from app.memberships.service import credits as ledger
from app.memberships.service import rows
from app.memberships.terms import OVER, MembershipStatus, PlanKind
from app.memberships.transitions import REINSTATED
from app.memberships.views import MembershipView

LONGEST_NOTICE: Final = timedelta(days=366)
LONGEST_EXTENSION: Final = 1_100
"""Days."""
_NOT_EXTENDED: Final = (*OVER, MembershipStatus.CANCEL_SCHEDULED)


@dataclass(frozen=True, slots=True)
class Ending:
    """`effective_on` is the first day it no longer covers; `before` the one agreed until now."""

    membership_id: UUID
    effective_on: date
    noticed_on: date
    reason: str | None
    before: date | None = None


def preview_cancel(
    session: Session, membership_id: UUID, effective_on: date | None, *, today: date
) -> date:
    """The first day that it won't cover any more; nothing is locked.

    By default a month after notice, or when it ends by itself if that is sooner. What is being
    cancelled already needs another day. Raises NotFound, NotPossibleNow, EndsBefore, BadInput.
    """
    row = rows.membership(session, membership_id)
    rows.check_live(row)
    if agreed(row) is not None and effective_on in {None, agreed(row)}:
        raise NotPossibleNow(state=row.status.value)
    by_itself = row.end_date + timedelta(days=1) if row.end_date else date.max
    if effective_on is None:
        return min(billing.notice_over(today), by_itself)
    if not today <= effective_on <= today + LONGEST_NOTICE:
        raise BadInput(fields=("effective_on",))
    if effective_on > by_itself:
        raise EndsBefore(until=row.end_date)
    return effective_on


def cancel(
    session: Session,
    actor: Actor,
    membership_id: UUID,
    effective_on: date | None,
    *,
    today: date,
    reason: str | None = None,
) -> Ending:
    """Cancel today or on a later day; access goes on until then, and no money is given back.

    Raises what `preview_cancel` does.
    """
    row = rows.locked(session, membership_id)
    if actor.undoing:
        return _as_it_was(session, actor, row, today=today)
    on, before = preview_cancel(session, membership_id, effective_on, today=today), agreed(row)
    row.cancel_noticed_on, row.cancel_effective_on, row.cancel_reason = today, on, reason
    never_began = row.status is MembershipStatus.PENDING and on <= row.start_date
    if on <= today or never_began:
        close(row)
    else:
        rows.move_to(row, MembershipStatus.CANCEL_SCHEDULED)
        _bill_again(session, row, today=today)
    session.flush()
    return Ending(row.id, on, today, reason, before)


def agreed(row: Membership | MembershipView) -> date | None:
    """The first day that it won't cover, where it is being cancelled already."""
    is_leaving = row.status is MembershipStatus.CANCEL_SCHEDULED
    return row.cancel_effective_on if is_leaving else None


def end_all(session: Session, member_id: UUID, *, today: date) -> None:
    """Whatever a locked member has ends today: whoever bought it is to be nobody's payer."""
    query = select(Membership.id).where(
        Membership.member_id == member_id, Membership.status.not_in(OVER)
    )
    for row in rows.locked_many(session, session.scalars(query).all()):
        row.cancel_noticed_on = row.cancel_noticed_on or today
        row.cancel_effective_on = today
        close(row)
    session.flush()


def close(row: Membership) -> None:
    """It is cancelled from now on: nothing is billed, nothing frozen."""
    rows.move_to(row, MembershipStatus.CANCELLED)
    row.frozen, row.next_billing_date = False, None


def expire(row: Membership) -> None:
    """Its last day is over."""
    rows.move_to(row, MembershipStatus.EXPIRED)
    row.frozen, row.next_billing_date = False, None


def reinstate(
    session: Session,
    actor: Actor,
    membership_id: UUID,
    next_billing_date: date | None = None,
    *,
    today: date,
) -> Membership:
    """Take a cancellation back; it is billed on its own day again, or on the one given.

    Raises NotFound, NotPossibleNow, NoBillingDate, BadInput, AlreadyRecurring.
    """
    row = rows.locked(session, membership_id)
    if actor.undoing:
        _restore(session, row)
        if row.cancel_effective_on is None:
            row.cancel_noticed_on = row.cancel_reason = None
    else:
        _reopen(session, row, next_billing_date, today=today)
    session.flush()
    check_only_recurring(session, row)
    return row


@dataclass(frozen=True, slots=True)
class Extended:
    membership_id: UUID
    days: int
    end_before: date
    end_after: date


def extensible(one: MembershipView) -> bool:
    """Whether it has an end that can be moved: not what is over or being cancelled (rule 32)."""
    return one.end_date is not None and one.status not in _NOT_EXTENDED


def extend(
    session: Session,
    actor: Actor,
    membership_id: UUID,
    until: date | int,
    *,
    reason: str | None,
) -> Extended:
    """Push the end out by days, or to a later day; its last credits lapse as much later.

    Raises NotFound, NotPossibleNow, NoEndDate, BadInput for a day that isn't later.
    """
    row = rows.locked(session, membership_id)
    if row.status in _NOT_EXTENDED:
        raise NotPossibleNow(state=row.status.value)
    if row.end_date is None:
        raise NoEndDate
    days = until if isinstance(until, int) else (until - row.end_date).days
    if not 0 < days <= LONGEST_EXTENSION:
        raise BadInput(fields=("until_date",))
    told = Extended(row.id, days, row.end_date, row.end_date + timedelta(days=days))
    session.add(
        MembershipExtension(
            org_id=actor.org_id,
            membership_id=row.id,
            days=days,
            end_before=told.end_before,
            end_after=told.end_after,
            reason=reason,
            actor_id=actor.user_id,
        )
    )
    ledger.shift(session, actor, row, days, since=told.end_before)
    row.end_date = told.end_after
    session.flush()
    return told


def _reopen(
    session: Session, row: Membership, next_billing_date: date | None, *, today: date
) -> None:
    if row.status not in REINSTATED:
        raise NotPossibleNow(state=row.status.value)
    if row.end_date is not None and row.end_date < today:
        raise EndsBefore(until=row.end_date)
    back = MembershipStatus.FROZEN if row.frozen else MembershipStatus.ACTIVE
    if row.start_date > today:
        back = MembershipStatus.PENDING
    rows.move_to(row, back, reinstating=True)
    row.cancel_effective_on = None
    if next_billing_date is None:
        _bill_again(session, row, today=today)
    else:
        _bill_on(session, row, next_billing_date, today=today)


def _bill_again(session: Session, row: Membership, *, today: date) -> None:
    """On its own day as long as it goes on; not at all once it is cancelled by then."""
    plan = rows.plan(session, row.plan_id)
    if plan.kind is not PlanKind.RECURRING or plan.period_unit is None:
        return
    anchor = row.billing_day or row.start_date.day
    next_one = row.next_billing_date or billing.coming(
        row.start_date, plan.period_unit, plan.period_count, anchor, after=today
    )
    over = row.cancel_effective_on is not None and next_one >= row.cancel_effective_on
    row.next_billing_date = None if over else next_one


def _bill_on(session: Session, row: Membership, day: date, *, today: date) -> None:
    plan = rows.plan(session, row.plan_id)
    if plan.kind is not PlanKind.RECURRING:
        raise NoBillingDate
    if not today <= day <= today + LONGEST_NOTICE:
        raise BadInput(fields=("next_billing_date",))
    row.next_billing_date = day
    if row.billing_day is not None:
        row.billing_day = day.day


def changed_at(session: Session, membership_id: UUID) -> datetime:
    """When it was last changed, by its history."""
    return rows.last_change(session, membership_id).created_at


def is_as_sold(session: Session, membership_id: UUID) -> bool:
    """Whether nothing that stands has changed it since it was sold."""
    return rows.last_change(session, membership_id).before is None


def _as_it_was(session: Session, actor: Actor, row: Membership, *, today: date) -> Ending:
    """Take a sale back, as though it had never been; or bring a cancellation back as it was."""
    last = rows.last_change(session, row.id)
    if last.before is not None:
        _restore(session, row)
    else:
        ledger.revoke_grants(session, actor, row)
        with rows.taking_back(session, row, last):
            row.cancel_noticed_on, row.cancel_effective_on = today, row.start_date
            close(row)
    return Ending(row.id, row.cancel_effective_on or today, today, None)


def unsell(session: Session, actor: Actor, membership_id: UUID, *, today: date) -> None:
    """As though it had never been bought, whatever became of it since. Raises NoCreditsLeft."""
    row = rows.locked(session, membership_id)
    ledger.revoke_grants(session, actor, row)
    with effective(session, row, min(row.start_date, today)):
        row.cancel_noticed_on, row.cancel_effective_on = today, row.start_date
        close(row)
    session.flush()


def _restore(session: Session, row: Membership) -> None:
    """How it was before its last change, by its history."""
    last = rows.last_change(session, row.id)
    with rows.taking_back(session, row, last):
        for name, value in parsed(last.before or {}).items():
            setattr(row, name, value)
