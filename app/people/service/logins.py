"""Logins of the platform, and the place that one has at work in a gym."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Role
from app.people.contacts import email_key
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
