"""Freezing a membership, with the bookings that fall into the freeze (rule 28)."""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.bookings import service as bookings
from app.bookings.service import Cleared
from app.core.actor import Actor
from app.memberships import queries, service
from app.memberships.service import FreezeWish, Frozen
from app.memberships.views import MembershipView
from app.studio import queries as studio


@dataclass(frozen=True, slots=True)
class Freezing:
    """What a freeze does to the membership, as it is beside it, and to its bookings."""

    membership: MembershipView
    frozen: Frozen
    cleared: Cleared


def preview_freeze(session: Session, actor: Actor, wish: FreezeWish, *, now: datetime) -> Freezing:
    """What `freeze` does as things stand; raises what it would."""
    today = studio.today(session, actor.org_id, now)
    told = service.preview_freeze(session, wish, today=today)
    view = queries.membership(session, wish.membership_id, today)
    gone = bookings.preview_clear(
        session,
        actor,
        view.member_id,
        now=now,
        since=told.since,
        until=told.until,
        membership_id=view.id,
    )
    return Freezing(view, told, gone)


def freeze(session: Session, actor: Actor, wish: FreezeWish, *, now: datetime) -> Freezing:
    """Freeze, and cancel what is booked on it inside: every credit comes back first.

    So the credits move with the dates of the card that they are back on.
    """
    today = studio.today(session, actor.org_id, now)
    told = service.preview_freeze(session, wish, today=today)
    member_id = queries.membership(session, wish.membership_id, today).member_id
    gone = bookings.clear(
        session,
        actor,
        member_id,
        now=now,
        since=told.since,
        until=told.until,
        membership_id=wish.membership_id,
        reason=wish.reason,
    )
    told = service.freeze(session, actor, wish, today=today)
    return Freezing(queries.membership(session, wish.membership_id, today), told, gone)


@dataclass(frozen=True, slots=True)
class Unfreezing:
    membership: MembershipView
    frozen: Frozen


def unfreeze(
    session: Session, actor: Actor, membership_id: UUID, on: date | None, *, now: datetime
) -> Unfreezing:
    """End a freeze early; one that is taken back gives its bookings back as well."""
    today = studio.today(session, actor.org_id, now)
    frozen_at = service.newest_freeze_at(session, membership_id) if actor.undoing else None
    told = service.unfreeze(session, actor, membership_id, on, today=today)
    view = queries.membership(session, membership_id, today)
    if frozen_at is not None:
        bookings.bring_back(session, actor, view.member_id, frozen_at, now=now)
    return Unfreezing(view, told)
