"""Adding members and changing what is known of them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import BadInput, NotFound, StaleVersion
from app.people import queries
from app.people.contacts import email_key, read_phone
from app.people.errors import MemberErased, MemberExists, TooManyTags
from app.people.models import Member
from app.people.names import name_keys
from app.people.terms import Gender, MemberStatus
from app.people.views import MemberView
from app.studio import queries as studio

MOST_TAGS: Final = 30


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
    birth_date: date | None = None
    gender: Gender | None = None
    source: str | None = None
    status: MemberStatus = MemberStatus.ACTIVE


@dataclass(frozen=True, slots=True)
class MemberChanges:
    """None: it stays as it is; what is to be emptied is named in `clear`."""

    first_name: str | None = None
    last_name: str | None = None
    nickname: str | None = None
    display_name: str | None = None
    phone: str | None = None
    email: str | None = None
    birth_date: date | None = None
    gender: Gender | None = None
    language: str | None = None
    weight_unit: str | None = None
    emergency_contact: str | None = None
    photo_url: str | None = None
    primary_coach_id: UUID | None = None
    tags_add: tuple[str, ...] = ()
    tags_remove: tuple[str, ...] = ()
    clear: tuple[str, ...] = ()


PLAIN: Final = (
    "first_name",
    "last_name",
    "nickname",
    "display_name",
    "birth_date",
    "gender",
    "language",
    "weight_unit",
    "emergency_contact",
    "photo_url",
)
"""What is written as it is given."""
NAMES: Final = frozenset({"first_name", "last_name", "nickname", "display_name"})
CLEARABLE: Final = (
    "last_name",
    "nickname",
    "display_name",
    "phone",
    "email",
    "birth_date",
    "gender",
    "weight_unit",
    "emergency_contact",
    "photo_url",
    "primary_coach_id",
)


@dataclass(frozen=True, slots=True)
class Updated:
    member: MemberView
    changed: tuple[str, ...]
    """The names of the fields that are different now, in their order."""


def add_member(session: Session, org_id: UUID, new: NewMember, *, today: date) -> UUID:
    """Whoever has the same phone. Raises BadPhone."""
    region = studio.org(session, org_id).phone_region
    phone = read_phone(new.phone, region) if new.phone else None
    made = Member(
        org_id=org_id,
        first_name=new.first_name,
        last_name=new.last_name,
        nickname=new.nickname,
        phone=phone.e164 if phone else None,
        phone_extension=phone.extension if phone else None,
        email=email_key(new.email) if new.email else None,
        birth_date=new.birth_date,
        gender=new.gender,
        language=new.language,
        status=new.status,
        joined_on=new.joined_on or today,
        source=new.source,
        tags=tags_of((), new.tags),
        health_form_until=new.health_form_until,
        name_keys=name_keys(new.first_name, new.last_name, new.nickname),
    )
    session.add(made)
    session.flush()
    return made.id


def create_member(
    session: Session, actor: Actor, new: NewMember, *, today: date, shared: bool = False
) -> MemberView:
    """A new member, unless one has that phone or e-mail; `shared`: they do share it.

    Raises BadPhone, MemberExists (rule 51).
    """
    _check_born(new.birth_date, today)
    if not shared:
        region = studio.org(session, actor.org_id).phone_region
        phone = read_phone(new.phone, region).e164 if new.phone else None
        check_unknown(session, actor.org_id, phone, email_key(new.email) if new.email else None)
    made = add_member(session, actor.org_id, new, today=today)
    return queries.member(session, made)


def update_member(
    session: Session,
    actor: Actor,
    member_id: UUID,
    changes: MemberChanges,
    *,
    today: date,
    expected_version: int | None = None,
    shared: bool = False,
) -> Updated:
    """Write what is different, and say what that was.

    Raises NotFound, MemberErased, StaleVersion, BadPhone, BadInput, MemberExists, TooManyTags.
    """
    row = locked(session, member_id)
    _check_born(changes.birth_date, today)
    if expected_version is not None and row.version != expected_version:
        raise StaleVersion(version=row.version)
    new = _new_values(session, row, changes)
    if not shared:
        theirs = {row.phone, row.email}
        given = (new.get("phone"), new.get("email"))
        others = (one for one in given if one not in theirs)
        check_unknown(session, actor.org_id, *others, but=row.id)
    changed = tuple(name for name, value in new.items() if getattr(row, name) != value)
    for name in changed:
        setattr(row, name, new[name])
    if NAMES & set(changed):
        row.name_keys = name_keys(row.first_name, row.last_name, row.nickname, row.display_name)
    session.flush()
    return Updated(queries.member_view(row), changed)


def locked(session: Session, member_id: UUID) -> Member:
    """The member's row, for this transaction alone. Raises NotFound, MemberErased."""
    query = select(Member).where(Member.id == member_id)
    query = query.with_for_update(key_share=True).execution_options(populate_existing=True)
    found = session.scalar(query)
    if found is None:
        raise NotFound(what="member")
    if found.status is MemberStatus.ERASED:
        raise MemberErased
    return found


def check_unknown(
    session: Session, org_id: UUID, *addresses: str | None, but: UUID | None = None
) -> None:
    """Raise MemberExists where somebody else has one of these, in the form that is stored."""
    for address in filter(None, addresses):
        known = claim(session, org_id, address)
        other = next((one for one in known if one.id != but), None)
        if other is not None:
            raise MemberExists(
                member=other.name,
                status=other.status.value,
                member_id=other.id,
                address=address,
            )


def claim(session: Session, org_id: UUID, address: str) -> tuple[MemberView, ...]:
    """Who has this phone or e-mail; two who want the same for somebody new wait for each other."""
    key = func.hashtextextended(f"{org_id}:{address}", 0)
    session.execute(select(func.pg_advisory_xact_lock(key)))
    return queries.members_at(session, address)


def _check_born(on: date | None, today: date) -> None:
    if on is not None and on > today:
        raise BadInput(fields=("birth_date",))


def tags_of(now: Iterable[str], add: Collection[str], remove: Collection[str] = ()) -> list[str]:
    """Tags without doubles, which differ by more than case. Raises TooManyTags."""
    gone = {_tag(one).casefold() for one in remove}
    kept = {_tag(one).casefold(): _tag(one) for one in (*now, *add) if _tag(one)}
    first = {_tag(one).casefold(): _tag(one) for one in now}
    found = [first.get(key, tag) for key, tag in kept.items() if key not in gone]
    if len(found) > MOST_TAGS:
        raise TooManyTags(most=MOST_TAGS)
    return found


def _tag(text: str) -> str:
    return " ".join(text.split())


def _new_values(session: Session, row: Member, changes: MemberChanges) -> dict[str, Any]:
    """What the columns are to hold, of those that are spoken of."""
    given = {name: getattr(changes, name) for name in PLAIN}
    new: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if changes.phone is not None:
        phone = read_phone(changes.phone, studio.org(session, row.org_id).phone_region)
        new |= {"phone": phone.e164, "phone_extension": phone.extension}
    if changes.email is not None:
        new["email"] = email_key(changes.email)
    if changes.primary_coach_id is not None:
        new["primary_coach_id"] = queries.staff(session, changes.primary_coach_id).id
    if changes.tags_add or changes.tags_remove:
        new["tags"] = tags_of(row.tags, changes.tags_add, changes.tags_remove)
    empty = {name: "" if name == "last_name" else None for name in changes.clear}
    return new | empty | ({"phone_extension": None} if "phone" in empty else {})
