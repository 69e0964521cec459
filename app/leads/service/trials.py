"""A lead's trial: booked as a prospect of the gym, without a membership."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from app.bookings import service as booking
from app.bookings.service import Booked, BookingRequest
from app.bookings.terms import BookingStatus
from app.core.actor import Actor
from app.leads.models import Lead, LeadActivity
from app.leads.service import rows
from app.leads.terms import ActivityKind, LeadStage
from app.people import service as members
from app.people.terms import MemberStatus
from app.schedule.service import lock as lock_class
from app.studio import queries as studio

_BEFORE: Final = (LeadStage.NEW, LeadStage.CONTACTED)
"""From these a booked trial is a step ahead."""


@dataclass(frozen=True, slots=True)
class Trial:
    """`member_id`: who they are here, where that is known; else found or made."""

    lead_id: UUID
    class_session_id: UUID
    member_id: UUID | None = None
    override_reason: str | None = None
    join_waitlist: bool = False


def book_trial(session: Session, actor: Actor, wish: Trial, *, now: datetime) -> Booked:
    """Book a lead, of whom all is asked but a membership.

    A member of the same phone is the same person; otherwise they become a prospect. Raises
    NotFound, LeadClosed, ContactShared, or the first rule that says no.
    """
    lock_class(session, wish.class_session_id)
    row = rows.lock_open(session, wish.lead_id)
    made = booking.book(
        session,
        actor,
        BookingRequest(
            class_session_id=wish.class_session_id,
            member_id=_person(session, actor, row, wish.member_id, now=now),
            override_reason=wish.override_reason,
            join_waitlist=wish.join_waitlist,
            trial=True,
        ),
        now=now,
    )
    if made.booking.status is BookingStatus.BOOKED:
        _enter(session, actor, row, made.booking.id, now=now)
    else:
        row.trial_waits_id = made.booking.id
    session.flush()
    return made


def let_in(session: Session, actor: Actor, booking_ids: Collection[UUID], *, now: datetime) -> None:
    """Who waited for a trial has a place with one of these: it is booked now (rule 6).

    Nothing to do for bookings that no lead waited with.
    """
    found = select(Lead).where(Lead.trial_waits_id.in_(booking_ids)).order_by(Lead.id)
    for row in session.scalars(found.with_for_update()).all():
        booking_id, row.trial_waits_id = row.trial_waits_id, None
        _enter(session, actor, row, booking_id, now=now)
    session.flush()


def forget_trial(session: Session, booking_id: UUID, *, waits: bool = False) -> None:
    """The booking of a trial is taken back: its lead is where it was before, if it is still there.

    `waits`: back in the queue, where it was. Nothing to do for a booking that is no lead's trial.
    """
    tied = or_(Lead.trial_booking_id == booking_id, Lead.trial_waits_id == booking_id)
    row = session.scalar(select(Lead).where(tied).with_for_update())
    if row is None:
        return
    row.trial_waits_id = booking_id if waits else None
    if row.trial_booking_id != booking_id:
        return
    row.trial_booking_id = None
    steps = _steps(session, row)
    if row.stage is LeadStage.TRIAL_BOOKED and steps and steps[0].stage is LeadStage.TRIAL_BOOKED:
        before = steps[1].stage if len(steps) > 1 else None
        row.stage = before or LeadStage.NEW
        row.stage_since = steps[1].occurred_at if len(steps) > 1 else row.created_at
        session.delete(steps[0])
    session.flush()


def _enter(
    session: Session, actor: Actor, row: Lead, booking_id: UUID | None, *, now: datetime
) -> None:
    row.trial_booking_id = booking_id
    if row.stage in _BEFORE:
        rows.enter(session, actor, row, LeadStage.TRIAL_BOOKED, now=now)


def _person(
    session: Session, actor: Actor, row: Lead, named: UUID | None, *, now: datetime
) -> UUID:
    known = rows.person_of(session, actor, row, named)
    return known if known is not None else _prospect(session, actor, row, now=now)


def _prospect(session: Session, actor: Actor, row: Lead, *, now: datetime) -> UUID:
    new = members.NewMember(
        first_name=row.first_name,
        last_name=row.last_name,
        phone=row.phone,
        email=row.email,
        language=row.language,
        source=row.source.value,
        status=MemberStatus.PROSPECT,
    )
    today = studio.today(session, actor.org_id, now)
    return members.add_member(session, actor.org_id, new, today=today)


def _steps(session: Session, row: Lead) -> list[LeadActivity]:
    """The last two changes of its stage, the newest first."""
    query = (
        select(LeadActivity)
        .where(LeadActivity.lead_id == row.id, LeadActivity.kind == ActivityKind.STAGE_CHANGE)
        .order_by(LeadActivity.occurred_at.desc(), LeadActivity.id.desc())
    )
    return list(session.scalars(query.limit(2)))
