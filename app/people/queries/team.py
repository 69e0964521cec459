"""Reading who is at work in a gym."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.errors import NotFound
from app.people.models import AppUser, Staff
from app.people.views import StaffView


def names_of_users(session: Session, ids: Collection[UUID]) -> dict[UUID, str]:
    """What some logins are called at work here."""
    query = select(Staff.user_id, Staff.name).where(Staff.user_id.in_(ids))
    return dict(session.execute(query).all())


def staff(session: Session, staff_id: UUID) -> StaffView:
    found = session.get(Staff, staff_id)
    if found is None:
        raise NotFound(what="staff")
    return staff_view(found)


def staff_of_user(session: Session, user_id: UUID) -> StaffView | None:
    """A login's place at work in this org."""
    found = session.scalar(select(Staff).where(Staff.user_id == user_id))
    return staff_view(found) if found else None


def actor(session: Session, org_id: UUID, user_id: UUID) -> Actor | None:
    """A login as who they are here today; None where they don't work here, or no more."""
    row = session.execute(
        select(Staff, AppUser.language)
        .join(AppUser, AppUser.id == Staff.user_id)
        .where(Staff.user_id == user_id, Staff.active)
    ).first()
    if row is None:
        return None
    place, language = row
    return Actor(org_id, user_id, place.role, name=place.name, language=language)


def list_staff(
    session: Session, *, role: Role | None = None, active: bool | None = True
) -> tuple[StaffView, ...]:
    query = select(Staff).order_by(Staff.name, Staff.id)
    if role is not None:
        query = query.where(Staff.role == role)
    if active is not None:
        query = query.where(Staff.active == active)
    return tuple(map(staff_view, session.scalars(query)))


def staff_view(row: Staff) -> StaffView:
    return StaffView(
        id=row.id,
        user_id=row.user_id,
        name=row.name,
        role=row.role,
        active=row.active,
        class_type_ids=tuple(row.class_type_ids),
    )
