"""Reading members: by id, by any spelling of a name, by phone or e-mail."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, exists, false, func, or_, select
from sqlalchemy.orm import Session

from app.core.columns import among
from app.core.errors import NotFound
from app.people import consent
from app.people.consent import policy_of
from app.people.contacts import email_key, phone_digits
from app.people.errors import MemberErased
from app.people.models import AppUser, Member, OptOut, Staff
from app.people.names import exact, grade, keys_of_word, words_of
from app.people.terms import Category, Channel, MemberStatus
from app.people.views import FoundMember, MemberView, Profile
from app.studio import queries as studio
from app.studio.paging import Cut, Page, page_of

HIDDEN = (MemberStatus.ARCHIVED, MemberStatus.ERASED)
"""Shown only when asked for by status."""


def member(session: Session, member_id: UUID) -> MemberView:
    found = session.get(Member, member_id)
    if found is None:
        raise NotFound(what="member")
    return member_view(found)


def present(session: Session, member_id: UUID) -> MemberView:
    """Somebody whom something may still be written of. Raises NotFound, MemberErased."""
    found = member(session, member_id)
    if found.status is MemberStatus.ERASED:
        raise MemberErased
    return found


def profile(session: Session, member_id: UUID) -> Profile:
    """Raises NotFound."""
    query = select(Member, Staff.name).outerjoin(Staff, Staff.id == Member.primary_coach_id)
    found = session.execute(query.where(Member.id == member_id)).one_or_none()
    if found is None:
        raise NotFound(what="member")
    row, coach = found
    return Profile(
        member=member_view(row),
        nickname=row.nickname,
        birth_date=row.birth_date,
        gender=row.gender,
        weight_unit=row.weight_unit,
        emergency_contact=row.emergency_contact,
        phone_extension=row.phone_extension,
        primary_coach=coach,
        source=row.source,
        agreed_to_marketing=row.marketing_consent_at is not None,
        suspend_reason=row.suspend_reason if row.status is MemberStatus.SUSPENDED else None,
        archive_reason=row.archive_reason if row.status is MemberStatus.ARCHIVED else None,
    )


def members_at(session: Session, address: str) -> tuple[MemberView, ...]:
    """Who has this phone (E.164) or e-mail (lower case): those who are here first."""
    query = (
        select(Member)
        .where(
            or_(Member.phone == address, Member.email == address),
            Member.status != MemberStatus.ERASED,
        )
        .order_by(Member.status == MemberStatus.ARCHIVED, Member.created_at, Member.id)
    )
    return tuple(map(member_view, session.scalars(query)))


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


def gyms_with(session: Session, phone: str) -> frozenset[UUID]:
    """The gyms that have a member with this number (E.164); in a platform transaction."""
    return frozenset(session.scalars(select(Member.org_id).where(Member.phone == phone)))


def opted_out(session: Session, channel: Channel, addresses: Collection[str]) -> frozenset[str]:
    """Those of some addresses that want nothing more on a channel."""
    query = select(OptOut.address).where(
        OptOut.channel == channel, among(OptOut.address, addresses)
    )
    return frozenset(session.scalars(query))


def leaves_at(
    session: Session,
    org_id: UUID,
    category: Category,
    *,
    now: datetime,
    heard_at: datetime | None = None,
) -> datetime:
    """When a gym's message may leave, as `consent.leaves_at` says of its quiet hours."""
    org = studio.org(session, org_id)
    policy = policy_of(org.messaging_policy)
    return consent.leaves_at(policy, category, org.timezone, now=now, heard_at=heard_at)


def member_of_login(session: Session, user_id: UUID) -> MemberView | None:
    """Who a login is as a member here: tied to it, or the only one of its phone or e-mail."""
    tied = session.scalar(select(Member).where(Member.user_id == user_id).limit(1))
    if tied is not None:
        return member_view(tied)
    same = or_(Member.phone == AppUser.phone, func.lower(Member.email) == AppUser.email)
    alike = (
        select(Member)
        .join(AppUser, same)
        .where(AppUser.id == user_id, Member.user_id.is_(None), Member.status.not_in(HIDDEN))
    )
    found = session.scalars(alike.limit(2)).all()
    return member_view(found[0]) if len(found) == 1 else None
