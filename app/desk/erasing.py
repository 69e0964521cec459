"""Erasing a person: who they were goes from every table, what they did stays without a name.

Each table says itself what of a member must go (app.core.erasing). What was said of them in
conversations is a matter of the bot's: it is told by the outbox, since only it knows those tables.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy.orm import Session

from app.bookings import service as bookings
from app.bookings.service import Cleared
from app.core import outbox
from app.core.actor import Actor
from app.core.erasing import erase_rows
from app.core.money import Money
from app.desk.errors import OpenBalance
from app.desk.queries.owing import owed
from app.memberships import queries as memberships
from app.memberships import service as selling
from app.people import queries as people
from app.people import service
from app.people.terms import LegalBasis
from app.people.views import MemberView
from app.programs.service import leaving as programs
from app.studio import queries as studio

MEMBER_ERASED: Final = "member_erased"
"""Body: `member_id`, `user_id` or null, and `words`, `nicknames` and `addresses` that name the
person; whoever carries it out takes those three out of the row as well."""


@dataclass(frozen=True, slots=True)
class Farewell:
    """Who is to be erased, what they owe, what they give up, and what stays on the books."""

    member: MemberView
    owed: Money | None
    cleared: Cleared
    plans: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Erased:
    """`member` is as they are called from now on; `rows` were theirs, `words` named them."""

    member: MemberView
    cleared: Cleared
    rows: frozenset[UUID]
    words: tuple[str, ...]


def preview_erase(
    session: Session, actor: Actor, member_id: UUID, *, now: datetime, though_owing: bool = False
) -> Farewell:
    """What `erase` does as things stand; raises what it would."""
    row = service.locked(session, member_id)
    service.check_not_last_owner(session, row)
    today = studio.today(session, actor.org_id, now)
    found = owed(session, row, today)
    view = people.member(session, member_id)
    if found is not None and not though_owing:
        raise OpenBalance(member=view.name, owed=found)
    gone = bookings.preview_clear(session, actor, member_id, now=now)
    plans = memberships.plans_of(session, [member_id], today).get(member_id, ())
    return Farewell(view, found, gone, plans)


def erase(
    session: Session,
    actor: Actor,
    member_id: UUID,
    basis: LegalBasis,
    *,
    now: datetime,
    though_owing: bool = False,
) -> Erased:
    """Erase a person for good (rule 45). Ledgers stay, under a pseudonym.

    Raises NotFound, MemberErased, LastOwner, and OpenBalance unless `though_owing`.
    """
    gone = bookings.clear(session, actor, member_id, now=now, tell=False)
    preview_erase(session, actor, member_id, now=now, though_owing=though_owing)
    today = studio.today(session, actor.org_id, now)
    programs.end_all(session, member_id, now=now, today=today)
    selling.end_all(session, member_id, today=today)
    row = service.locked(session, member_id)
    person, words = service.gone(session, row), service.words_for(row)
    nicknames = service.nicknames_for(session, row)
    erased = erase_rows(session, actor.org_id, person)
    service.erase(session, member_id, basis, now=now)
    rows = erased.all | {member_id}
    body: dict[str, Any] = {
        "member_id": str(member_id),
        "user_id": str(person.user_id) if person.user_id else None,
        "words": list(words),
        "nicknames": list(nicknames),
        "addresses": list(person.addresses),
    }
    outbox.put(session, actor.org_id, MEMBER_ERASED, body, wait=timedelta())
    return Erased(people.member(session, member_id), gone, rows, words)
