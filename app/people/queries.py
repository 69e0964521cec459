"""Reading people: look-ups by id, and members by any spelling, phone or e-mail."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import ColumnElement, and_, exists, false, func, or_, select
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.errors import NotFound
from app.people.contacts import email_key, phone_digits
from app.people.models import AppUser, Member, OptOut, Staff
from app.people.names import exact, grade, keys_of_word, words_of
from app.people.terms import Channel, MemberStatus
from app.people.views import FoundMember, MemberView, StaffView
from app.studio.paging import Cut, Page, page_of

HIDDEN = (MemberStatus.ARCHIVED, MemberStatus.ERASED)
"""Shown only when asked for by status."""


def member(session: Session, member_id: UUID) -> MemberView:
    found = session.get(Member, member_id)
    if found is None:
        raise NotFound(what="member")
    return member_view(found)


def member_names(session: Session, ids: Collection[UUID]) -> tuple[str, ...]:
    """Names for a list of people, in alphabetical order."""
    rows = session.scalars(select(Member).where(Member.id.in_(ids))).all()
    return tuple(sorted(row.name for row in rows))


def find_members(
    session: Session, query: str, *, statuses: Collection[MemberStatus] = (), cut: Cut
) -> Page[FoundMember]:
    """Members that a name, phone or e-mail may mean, the likeliest first (rules 51 and 53)."""
    kept = Member.status.in_(statuses) if statuses else Member.status.not_in(HIDDEN)
    rows = session.scalars(select(Member).where(kept, _meets(query))).all()
    found = [_found(row, query) for row in rows]
    found.sort(key=lambda one: (-one.grade, one.member.name, one.member.id))
    return page_of(found, cut)


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


def _meets(query: str) -> ColumnElement[bool]:
    if "@" in query:
        return func.lower(Member.email).startswith(email_key(query), autoescape=True)
    if digits := phone_digits(query):
        return Member.phone.contains(digits, autoescape=True)
    words = words_of(query)
    return and_(*map(_word_meets, words)) if words else false()


def _word_meets(word: str) -> ColumnElement[bool]:
    key = func.unnest(Member.name_keys).column_valued("key")
    begins = exists(key).where(key.startswith(word, autoescape=True)).correlate(Member)
    return or_(Member.name_keys.overlap(keys_of_word(word)), begins)


def _found(row: Member, query: str) -> FoundMember:
    keys = frozenset(row.name_keys)
    return FoundMember(member_view(row), exact(query, keys), grade(query, keys))


def member_view(row: Member) -> MemberView:
    return MemberView(
        id=row.id,
        version=row.version,
        name=row.name,
        phone=row.phone,
        email=row.email,
        language=row.language,
        status=row.status,
        joined_on=row.joined_on,
        tags=tuple(row.tags),
        health_form_until=row.health_form_until,
    )


def staff_view(row: Staff) -> StaffView:
    return StaffView(
        id=row.id,
        user_id=row.user_id,
        name=row.name,
        role=row.role,
        active=row.active,
        class_type_ids=tuple(row.class_type_ids),
    )


def opted_out(session: Session, channel: Channel, addresses: Collection[str]) -> frozenset[str]:
    """Those of some addresses that want nothing more on a channel."""
    query = select(OptOut.address).where(OptOut.channel == channel, OptOut.address.in_(addresses))
    return frozenset(session.scalars(query))
