"""How a lead ends: they join, they don't, or they never were one."""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.leads.errors import LeadClosed
from app.leads.models import Lead, LeadActivity
from app.leads.service import rows
from app.leads.terms import LeadStage, LostReason
from app.memberships import service as memberships
from app.people import service as members
from app.studio import queries as studio
from app.tasks import service as tasks


@dataclass(frozen=True, slots=True)
class Converted:
    """`is_new` unless there was a member already: from a trial, or with the same phone."""

    member_id: UUID
    is_new: bool
    membership_id: UUID | None


def convert(
    session: Session,
    actor: Actor,
    lead_id: UUID,
    *,
    now: datetime,
    plan_id: UUID | None = None,
    start: date | None = None,
    member_id: UUID | None = None,
) -> Converted:
    """Make a member of a lead, with a plan if one is given (rule 38).

    `member_id`: who they are here, where several share their phone.

    The history stays with the lead; nothing is booked and no payment taken. Raises LeadClosed for
    one who joined before, NotFound, ContactShared, and what selling a plan raises.
    """
    row = rows.lock(session, lead_id)
    if row.stage is LeadStage.WON:
        raise LeadClosed(name=row.name)
    today = studio.today(session, actor.org_id, now)
    member_id = _known_member(session, actor, row, member_id)
    is_new = member_id is None
    member_id = member_id or _new_member(session, actor, row, today)
    sold: UUID | None = None
    if plan_id is not None:
        terms, start = memberships.Terms(), start or today
        sold = memberships.create(
            session, actor, member_id, plan_id, terms, start=start, today=today
        )
    row.converted_member_id, row.converted_at, row.next_follow_up_at = member_id, now, None
    row.lost_at, row.lost_reason = None, None
    tasks.tie_member(session, row.id, member_id)
    rows.enter(session, actor, row, LeadStage.WON, now=now)
    return Converted(member_id, is_new, sold)


def mark_lost(
    session: Session,
    actor: Actor,
    lead_id: UUID,
    reason: LostReason,
    *,
    now: datetime,
    note: str | None = None,
) -> None:
    """Raises LeadClosed."""
    row = rows.lock_open(session, lead_id)
    row.lost_at, row.lost_reason, row.next_follow_up_at = now, reason, None
    rows.enter(session, actor, row, LeadStage.LOST, now=now, note=note)


def delete(session: Session, lead_id: UUID) -> None:
    """With all that was done about them; tasks stay, about nobody."""
    row = rows.lock(session, lead_id)
    tasks.untie_lead(session, row.id)
    for activity in session.scalars(select(LeadActivity).where(LeadActivity.lead_id == row.id)):
        session.delete(activity)
    session.flush()
    session.delete(row)
    session.flush()


def _known_member(session: Session, actor: Actor, row: Lead, named: UUID | None) -> UUID | None:
    """Who they are here already; they are a member from now on."""
    known = rows.person_of(session, actor, row, named)
    return None if known is None else members.join(session, known).id


def _new_member(session: Session, actor: Actor, row: Lead, today: date) -> UUID:
    new = members.NewMember(
        first_name=row.first_name,
        last_name=row.last_name,
        phone=row.phone,
        email=row.email,
        language=row.language,
        source=row.source.value,
    )
    return members.add_member(session, actor.org_id, new, today=today)
