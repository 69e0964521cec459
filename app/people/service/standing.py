"""Suspending and archiving members, letting them in again, and taking their name from them."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.erasing import Gone, pseudonym
from app.people.errors import (
    AlreadySuspended,
    LastOwner,
    MemberArchived,
    NotArchived,
    NotSuspended,
)
from app.people.models import Member, Staff
from app.people.names import words_of
from app.people.service.members import locked
from app.people.terms import LegalBasis, MemberStatus

_BLANK = (
    "nickname",
    "display_name",
    "phone",
    "phone_extension",
    "email",
    "birth_date",
    "gender",
    "emergency_contact",
    "photo_url",
    "source",
    "health_form_until",
    "marketing_consent_at",
    "suspend_reason",
    "archive_reason",
    "primary_coach_id",
    "user_id",
)
"""What is known of a person beside their names; days and states stay, for the counts."""
_LAST_DIGITS = 9
_OUTSIDE = (MemberStatus.PROSPECT, MemberStatus.INACTIVE, MemberStatus.ARCHIVED)


def suspend(
    session: Session, actor: Actor, member_id: UUID, *, now: datetime, reason: str | None = None
) -> Member:
    """No more booking. Raises NotFound, MemberErased, MemberArchived, AlreadySuspended."""
    row = check_suspendable(session, member_id)
    row.suspended_from, row.status = row.status, MemberStatus.SUSPENDED
    row.suspended_at = now
    if not actor.undoing:
        row.suspend_reason = reason
    session.flush()
    return row


def check_suspendable(session: Session, member_id: UUID) -> Member:
    """The locked row; raises what `suspend` raises."""
    row = locked(session, member_id)
    if row.status is MemberStatus.ARCHIVED:
        raise MemberArchived(member=row.name)
    if row.status is MemberStatus.SUSPENDED:
        raise AlreadySuspended(member=row.name)
    return row


def unsuspend(session: Session, member_id: UUID) -> Member:
    """What they were before, they are again. Raises NotFound, MemberErased, NotSuspended."""
    row = locked(session, member_id)
    if row.status is not MemberStatus.SUSPENDED:
        raise NotSuspended(member=row.name)
    row.status = row.suspended_from or MemberStatus.ACTIVE
    session.flush()
    return row


def archive(
    session: Session, actor: Actor, member_id: UUID, *, now: datetime, reason: str | None = None
) -> Member:
    """Out of all lists. Raises NotFound, MemberErased, MemberArchived, LastOwner."""
    row = check_archivable(session, member_id)
    row.archived_from, row.status = row.status, MemberStatus.ARCHIVED
    row.archived_at = now
    if not actor.undoing:
        row.archive_reason = reason
    session.flush()
    return row


def check_archivable(session: Session, member_id: UUID) -> Member:
    row = locked(session, member_id)
    if row.status is MemberStatus.ARCHIVED:
        raise MemberArchived(member=row.name)
    check_not_last_owner(session, row)
    return row


def restore(session: Session, member_id: UUID) -> Member:
    """What they were before, they are again. Raises NotFound, MemberErased, NotArchived."""
    row = locked(session, member_id)
    if row.status is not MemberStatus.ARCHIVED:
        raise NotArchived(member=row.name)
    row.status = row.archived_from or MemberStatus.ACTIVE
    session.flush()
    return row


def join(session: Session, member_id: UUID) -> Member:
    """Who had left, or was here for a trial alone, is a member from now on; a suspension stays.

    Raises NotFound, MemberErased.
    """
    row = locked(session, member_id)
    if row.status in _OUTSIDE:
        row.status = MemberStatus.ACTIVE
    session.flush()
    return row


def check_not_last_owner(session: Session, row: Member) -> None:
    """Raises LastOwner (rule 3) where this member's login is the only owner that is left."""
    if row.user_id is None:
        return
    owners = select(Staff.user_id).where(Staff.role == Role.OWNER, Staff.active)
    if set(session.scalars(owners.with_for_update())) == {row.user_id}:
        raise LastOwner(member=row.name)


def gone(session: Session, row: Member) -> Gone:
    """All that a member's rows are found by; a login of somebody at work here isn't theirs."""
    at_work = select(Staff.id).where(Staff.user_id == row.user_id)
    login = None if session.scalar(at_work) else row.user_id
    addresses = tuple(one for one in (row.phone, row.email) if one)
    return Gone(row.id, login, addresses)


def words_for(row: Member) -> tuple[str, ...]:
    """What names this person and hardly anybody else, wherever it is written.

    A first name alone names too many; of a phone the digits that any way of writing it has.
    """
    whole = (row.name, f"{row.first_name} {row.last_name}", row.nickname, row.email)
    names = {" ".join(one.split()) for one in whole if one}
    phones = {row.phone[-_LAST_DIGITS:]} if row.phone else set()
    return tuple(sorted({one for one in names if " " in one or "@" in one} | phones))


def nicknames_for(session: Session, row: Member) -> tuple[str, ...]:
    """Single words that they alone are called by here: to be looked for as whole words."""
    given = {one.strip() for one in (row.nickname, row.display_name) if one and one.strip()}
    single = sorted(one for one in given if " " not in one)
    return tuple(one for one in single if not _is_called(session, one, but=row.id))


def _is_called(session: Session, word: str, *, but: UUID) -> bool:
    keys = words_of(word)
    others = select(Member.id).where(Member.id != but, Member.name_keys.contains(keys))
    return session.scalar(others.limit(1)) is not None


def erase(session: Session, member_id: UUID, basis: LegalBasis, *, now: datetime) -> Member:
    """Leave a pseudonym where a person was. What else knows them is for every table to say."""
    row = locked(session, member_id)
    row.first_name, row.last_name = pseudonym(row.id), ""
    for name in _BLANK:
        setattr(row, name, None)
    row.tags, row.name_keys = [], []
    row.status, row.erased_at, row.erased_basis = MemberStatus.ERASED, now, basis
    session.flush()
    return row
