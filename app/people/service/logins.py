"""Logins of the platform, and the place that one has at work in a gym."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Role
from app.core.errors import NotFound
from app.people.contacts import email_key
from app.people.errors import LastOwner
from app.people.models import AppPassword, AppUser, Staff


@dataclass(frozen=True, slots=True)
class NewUser:
    name: str
    email: str | None = None
    phone: str | None = None
    language: str = "he"
    password_hash: str | None = None


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


def login_of(platform: Session, email: str) -> UUID | None:
    """Whoever signs in by that address, in a platform transaction."""
    return platform.scalar(select(AppUser.id).where(AppUser.email == email_key(email)))


def change_staff(
    session: Session, user_id: UUID, *, role: Role | None = None, active: bool | None = None
) -> UUID:
    """Give somebody another role, or let them go or back in; gives their place at work.

    Raises NotFound, and LastOwner (rule 3) where no owner would be left.
    """
    owners = _owners(session)
    row = session.scalar(select(Staff).where(Staff.user_id == user_id).with_for_update())
    if row is None:
        raise NotFound(what="staff")
    row.role = row.role if role is None else role
    row.active = row.active if active is None else active
    if owners == {user_id} and not (row.active and row.role is Role.OWNER):
        raise LastOwner(member=row.name)
    session.flush()
    return row.id


def _owners(session: Session) -> set[UUID]:
    """Locked, so that of two who let each other go the second one sees the first."""
    at_work = select(Staff.user_id).where(Staff.role == Role.OWNER, Staff.active)
    return set(session.scalars(at_work.order_by(Staff.id).with_for_update()))
