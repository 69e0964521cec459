"""Rows of leads for those who change them."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.bookings import queries as bookings
from app.core.actor import Actor
from app.core.errors import NotFound
from app.leads.errors import LeadClosed, PhoneTaken
from app.leads.models import Lead, LeadActivity
from app.leads.terms import OPEN, ActivityKind, LeadStage
from app.people import queries as people
from app.people.errors import ContactShared
from app.people.views import MemberView


def lock(session: Session, lead_id: UUID) -> Lead:
    row = session.get(Lead, lead_id, with_for_update=True)
    if row is None:
        raise NotFound(what="lead")
    return row


def lock_open(session: Session, lead_id: UUID) -> Lead:
    """Raises LeadClosed."""
    row = lock(session, lead_id)
    if row.stage not in OPEN:
        raise LeadClosed(name=row.name)
    return row


def person_of(session: Session, actor: Actor, row: Lead, named: UUID | None) -> UUID | None:
    """Who a lead is among the members: who is named, comes to their trial, or has their phone.

    Raises NotFound, MemberErased, ContactShared where several have it.
    """
    booking_id = row.trial_booking_id or row.trial_waits_id
    if named is not None:
        return people.present(session, named).id
    if booking_id is not None:
        return bookings.booking_view(session, booking_id, actor.language).member_id
    known = only(people.members_at(session, row.phone))
    return known.id if known else None


def only(known: Sequence[MemberView]) -> MemberView | None:
    """The one who has a phone, if anybody has. Raises ContactShared."""
    if len(known) > 1:
        raise ContactShared(members=tuple(one.name for one in known))
    return known[0] if known else None


def check_phone_free(session: Session, phone: str, *, but: UUID) -> None:
    """Raises PhoneTaken where another open lead has it."""
    query = select(Lead).where(Lead.phone == phone, Lead.stage.in_(OPEN), Lead.id != but)
    other = session.scalar(query)
    if other is not None:
        raise PhoneTaken(name=other.name)


def enter(
    session: Session,
    actor: Actor,
    row: Lead,
    stage: LeadStage,
    *,
    now: datetime,
    note: str | None = None,
) -> None:
    """Come to a stage, and say so in the history."""
    row.stage, row.stage_since = stage, now
    made = LeadActivity(
        org_id=row.org_id,
        lead_id=row.id,
        kind=ActivityKind.STAGE_CHANGE,
        stage=stage,
        body=note,
        occurred_at=now,
        actor_id=actor.user_id,
    )
    session.add(made)
    session.flush()
