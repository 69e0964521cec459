"""Cancelling a membership, with the bookings after its last day (rule 30)."""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.bookings import service as bookings
from app.bookings.service import Cleared
from app.core.actor import Actor
from app.memberships import queries, service
from app.memberships.errors import MembershipInUse
from app.memberships.views import MembershipView
from app.studio import queries as studio

_NOTHING = Cleared((), 0)


@dataclass(frozen=True, slots=True)
class CancelledMembership:
    """`effective_on` is the first day it no longer covers, `before` the one agreed until now.

    No money is moved.
    """

    membership: MembershipView
    effective_on: date
    cleared: Cleared
    before: date | None = None


@dataclass(frozen=True, slots=True)
class CancelRequest:
    """`effective_on` None: a month after notice."""

    membership_id: UUID
    effective_on: date | None = None
    reason: str | None = None
    cancel_bookings: bool = True


def preview_cancel(
    session: Session, actor: Actor, notice: CancelRequest, *, now: datetime
) -> CancelledMembership:
    """What `cancel` does as things stand; raises what it would."""
    today = studio.today(session, actor.org_id, now)
    view = queries.membership(session, notice.membership_id, today)
    on = service.preview_cancel(session, view.id, notice.effective_on, today=today)
    gone = _NOTHING
    if notice.cancel_bookings:
        gone = bookings.preview_clear(
            session, actor, view.member_id, now=now, since=on, membership_id=view.id
        )
    return CancelledMembership(view, on, gone, service.agreed(view))


def cancel(
    session: Session, actor: Actor, notice: CancelRequest, *, now: datetime
) -> CancelledMembership:
    """Cancel, and take the member out of the classes that it won't cover.

    As the undo of a sale it raises MembershipInUse where there are some.
    """
    today = studio.today(session, actor.org_id, now)
    view = queries.membership(session, notice.membership_id, today)
    gone = _NOTHING
    if actor.undoing:
        _check_unused(session, actor, view, now=now)
    elif notice.cancel_bookings:
        on = service.preview_cancel(session, view.id, notice.effective_on, today=today)
        gone = bookings.clear(
            session,
            actor,
            view.member_id,
            now=now,
            since=on,
            membership_id=view.id,
            reason=notice.reason,
        )
    done = service.cancel(
        session, actor, view.id, notice.effective_on, today=today, reason=notice.reason
    )
    view = queries.membership(session, view.id, today)
    return CancelledMembership(view, done.effective_on, gone, done.before)


def _check_unused(session: Session, actor: Actor, view: MembershipView, *, now: datetime) -> None:
    made = bookings.preview_clear(
        session, actor, view.member_id, now=now, membership_id=view.id
    ).bookings
    if made and service.is_as_sold(session, view.id):
        raise MembershipInUse(bookings=len(made))


def reinstate(
    session: Session,
    actor: Actor,
    membership_id: UUID,
    next_billing_date: date | None,
    *,
    now: datetime,
) -> MembershipView:
    """Take a cancellation back; as an undo, with the bookings that went with it."""
    today = studio.today(session, actor.org_id, now)
    cancelled_at = service.changed_at(session, membership_id) if actor.undoing else None
    row = service.reinstate(session, actor, membership_id, next_billing_date, today=today)
    if cancelled_at is not None:
        bookings.bring_back(session, actor, row.member_id, cancelled_at, now=now)
    return queries.membership(session, membership_id, today)
