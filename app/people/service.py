"""Adding people and changing what they may do."""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.errors import NotFound
from app.people.contacts import email_key, phone_e164
from app.people.models import AppPassword, AppUser, Member, OptOut, Staff
from app.people.names import name_keys
from app.people.terms import Channel, MemberStatus
from app.studio import queries as studio


@dataclass(frozen=True, slots=True)
class NewUser:
    name: str
    email: str | None = None
    phone: str | None = None
    language: str = "he"
    password_hash: str | None = None


@dataclass(frozen=True, slots=True)
class NewMember:
    first_name: str
    last_name: str = ""
    nickname: str | None = None
    phone: str | None = None
    email: str | None = None
    language: str = "he"
    joined_on: date | None = None
    """None: today."""
    tags: tuple[str, ...] = ()
    health_form_until: date | None = None


def create_user(platform: Session, new: NewUser) -> UUID:
    """A login, in a platform transaction. The phone must come as E.164."""
    user = AppUser(
        name=new.name,
        email=email_key(new.email) if new.email else None,
        phone=new.phone,
        language=new.language,
    )
    platform.add(user)
    platform.flush()
    if new.password_hash is not None:
        platform.add(AppPassword(user_id=user.id, hash=new.password_hash))
        platform.flush()
    return user.id


def set_language(platform: Session, user_id: UUID, language: str) -> None:
    """In which language a login is spoken to, in all their gyms; a platform transaction."""
    platform.get_one(AppUser, user_id).language = language
    platform.flush()


def add_staff(session: Session, org_id: UUID, user_id: UUID, *, name: str, role: Role) -> UUID:
    made = Staff(org_id=org_id, user_id=user_id, name=name, role=role)
    session.add(made)
    session.flush()
    return made.id


def add_member(session: Session, org_id: UUID, new: NewMember, *, today: date) -> UUID:
    """Raises BadPhone."""
    region = studio.org(session, org_id).phone_region
    made = Member(
        org_id=org_id,
        first_name=new.first_name,
        last_name=new.last_name,
        nickname=new.nickname,
        phone=phone_e164(new.phone, region) if new.phone else None,
        email=email_key(new.email) if new.email else None,
        language=new.language,
        joined_on=new.joined_on or today,
        tags=list(new.tags),
        health_form_until=new.health_form_until,
        name_keys=name_keys(new.first_name, new.last_name, new.nickname),
    )
    session.add(made)
    session.flush()
    return made.id


def set_status(session: Session, actor: Actor, member_id: UUID, status: MemberStatus) -> None:
    """Suspend a member, or let them in again."""
    found = session.get(Member, member_id)
    if found is None or found.org_id != actor.org_id:
        raise NotFound(what="member")
    found.status = status
    session.flush()


def opt_out(
    session: Session, org_id: UUID, channel: Channel, address: str, *, source: str, now: datetime
) -> None:
    """This address wants nothing more on this channel; said again, it is as before."""
    if _opt_out(session, channel, address) is None:
        made = OptOut(
            org_id=org_id, channel=channel, address=address, opted_out_at=now, source=source
        )
        session.add(made)
        session.flush()


def opt_in(session: Session, channel: Channel, address: str) -> None:
    found = _opt_out(session, channel, address)
    if found is not None:
        session.delete(found)
        session.flush()


def consent(session: Session, member_id: UUID, *, now: datetime | None) -> None:
    """A member agreed to offers at that time, or takes it back with None."""
    found = session.get(Member, member_id)
    if found is None:
        raise NotFound(what="member")
    found.marketing_consent_at = now
    session.flush()


def _opt_out(session: Session, channel: Channel, address: str) -> OptOut | None:
    query = select(OptOut).where(OptOut.channel == channel, OptOut.address == address)
    return session.scalar(query)
