"""Taking leads in, and keeping what is known of them right."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import StaleVersion
from app.leads import queries
from app.leads.models import Lead
from app.leads.service import rows
from app.leads.terms import OPEN, LeadSource
from app.people import queries as people
from app.people import service as members
from app.people.contacts import email_key, phone_e164
from app.people.views import MemberView
from app.studio import queries as studio


@dataclass(frozen=True, slots=True)
class NewLead:
    first_name: str
    phone: str
    source: LeadSource
    last_name: str = ""
    email: str | None = None
    interest: str | None = None
    notes: str | None = None
    owner_id: UUID | None = None
    campaign: str | None = None
    language: str | None = None
    """None: the gym's."""


@dataclass(frozen=True, slots=True)
class LeadChanges:
    """None: as it was. Empty texts take away what may be missing."""

    first_name: str | None = None
    last_name: str | None = None
    phone: str | None = None
    email: str | None = None
    source: LeadSource | None = None
    owner_id: UUID | None = None
    interest: str | None = None
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """A new lead, or the open one that had this phone before."""

    lead_id: UUID
    is_new: bool = False


def create(session: Session, actor: Actor, new: NewLead, *, now: datetime) -> Added | MemberView:
    """Take a lead in, or return who has that phone: an open lead or a member (rule 38).

    Raises BadPhone, NotFound, ContactShared where several members have it.
    """
    org = studio.org(session, actor.org_id)
    phone = phone_e164(new.phone, org.phone_region)
    if new.owner_id is not None:
        people.staff(session, new.owner_id)
    if (member := rows.only(members.claim(session, org.id, phone))) is not None:
        return member
    if (known := queries.open_with_phone(session, phone)) is not None:
        return Added(lead_id=known)
    made = Lead(
        org_id=actor.org_id,
        first_name=new.first_name,
        last_name=new.last_name,
        phone=phone,
        email=email_key(new.email) if new.email else None,
        language=new.language or org.language,
        source=new.source,
        campaign=new.campaign,
        owner_id=new.owner_id,
        interest=new.interest or None,
        notes=new.notes or None,
        stage_since=now,
    )
    session.add(made)
    session.flush()
    return Added(lead_id=made.id, is_new=True)


def change(
    session: Session,
    actor: Actor,
    lead_id: UUID,
    changes: LeadChanges,
    *,
    expected_version: int | None = None,
) -> None:
    """Raises StaleVersion, PhoneTaken, BadPhone and NotFound."""
    row = rows.lock(session, lead_id)
    if expected_version not in {None, row.version}:
        raise StaleVersion
    if changes.owner_id is not None:
        row.owner_id = people.staff(session, changes.owner_id).id
    if changes.phone is not None:
        _set_phone(session, actor, row, changes.phone)
    if changes.email is not None:
        row.email = email_key(changes.email) or None
    row.first_name = changes.first_name or row.first_name
    row.last_name = row.last_name if changes.last_name is None else changes.last_name
    row.source = changes.source or row.source
    row.interest = row.interest if changes.interest is None else changes.interest or None
    row.notes = row.notes if changes.notes is None else changes.notes or None
    session.flush()


def _set_phone(session: Session, actor: Actor, row: Lead, typed: str) -> None:
    phone = phone_e164(typed, studio.org(session, actor.org_id).phone_region)
    if phone != row.phone and row.stage in OPEN:
        rows.check_phone_free(session, phone, but=row.id)
    row.phone = phone
