"""Suspending and archiving members, with the classes that they have booked ahead."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.bookings import service as bookings
from app.bookings.service import Cleared
from app.core.actor import Actor
from app.memberships import queries as memberships
from app.people import queries as people
from app.people import service
from app.people.views import MemberView
from app.programs.service import leaving as programs
from app.studio import queries as studio

_NOTHING = Cleared((), 0)


@dataclass(frozen=True, slots=True)
class Left:
    """Who leaves, what they give up, and what they still have: bookings and plans."""

    member: MemberView
    cleared: Cleared
    staying: int
    plans: tuple[str, ...]
    programs: tuple[str, ...] = ()
    """What was assigned to them and ends, by title."""
    reason: str | None = None


def preview_suspend(
    session: Session, actor: Actor, member_id: UUID, *, now: datetime, cancel_bookings: bool
) -> Left:
    """What `suspend` does as things stand; raises what it would."""
    service.check_suspendable(session, member_id)
    ahead = bookings.preview_clear(session, actor, member_id, now=now)
    left = _left(session, actor, member_id, ahead if cancel_bookings else _NOTHING, now=now)
    return replace(left, staying=0 if cancel_bookings else len(ahead.bookings))


def suspend(
    session: Session,
    actor: Actor,
    member_id: UUID,
    *,
    now: datetime,
    reason: str | None = None,
    cancel_bookings: bool = False,
) -> Left:
    """Let a member book no more. Raises NotFound and what `people` raises."""
    gone = _NOTHING
    if cancel_bookings:
        gone = bookings.clear(session, actor, member_id, now=now)
    service.suspend(session, actor, member_id, now=now, reason=reason)
    left = _left(session, actor, member_id, gone, now=now, reason=reason)
    staying = bookings.preview_clear(session, actor, member_id, now=now)
    return replace(left, staying=len(staying.bookings))


def unsuspend(session: Session, actor: Actor, member_id: UUID, *, now: datetime) -> MemberView:
    """Let them book again; as an undo, with the bookings that went with it."""
    row = service.unsuspend(session, member_id)
    if actor.undoing and row.suspended_at is not None:
        bookings.bring_back(session, actor, member_id, row.suspended_at, now=now)
    return people.member(session, member_id)


def preview_archive(session: Session, actor: Actor, member_id: UUID, *, now: datetime) -> Left:
    """What `archive` does as things stand; raises what it would."""
    service.check_archivable(session, member_id)
    gone = bookings.preview_clear(session, actor, member_id, now=now)
    today = studio.today(session, actor.org_id, now)
    left = _left(session, actor, member_id, gone, now=now)
    return replace(left, programs=programs.preview_end(session, member_id, today=today))


def archive(
    session: Session, actor: Actor, member_id: UUID, *, now: datetime, reason: str | None = None
) -> Left:
    """Out of all lists and all classes to come. Raises NotFound and what `people` raises."""
    gone = bookings.clear(session, actor, member_id, now=now)
    service.archive(session, actor, member_id, now=now, reason=reason)
    today = studio.today(session, actor.org_id, now)
    ended = programs.end_all(session, member_id, now=now, today=today)
    left = _left(session, actor, member_id, gone, now=now, reason=reason)
    return replace(left, programs=ended)


def restore(session: Session, actor: Actor, member_id: UUID, *, now: datetime) -> MemberView:
    """Back from the archive; as an undo, with all that went with it."""
    row = service.restore(session, member_id)
    if actor.undoing and row.archived_at is not None:
        bookings.bring_back(session, actor, member_id, row.archived_at, now=now)
        programs.bring_back(session, member_id, row.archived_at)
    return people.member(session, member_id)


def _left(
    session: Session,
    actor: Actor,
    member_id: UUID,
    gone: Cleared,
    *,
    now: datetime,
    reason: str | None = None,
) -> Left:
    today = studio.today(session, actor.org_id, now)
    plans = memberships.plans_of(session, [member_id], today).get(member_id, ())
    return Left(people.member(session, member_id), gone, 0, plans, reason=reason)
