"""Messages as rows: written with what is to carry them out, settled by what became of them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy.orm import Session

from app.core import outbox
from app.messages import queries, rules
from app.messages.models import Message
from app.messages.rules import House, Known
from app.messages.service.drafting import house
from app.messages.terms import MessageState
from app.messages.texts import Variant, Wording, content_variables, filled
from app.messages.views import Draft, Person
from app.people.consent import Refusal
from app.people.terms import Channel
from app.studio import queries as studio

SEND: Final = "send_message"
"""Body: `message_id`; carried out by what `outgoing` gives."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What is to leave now, to whom and on what."""

    message_id: UUID
    channel: Channel
    address: str
    body: str
    content_ref: str | None
    content_variables: dict[str, str] | None


Stands = Callable[[Session, str], bool]
"""Whether it is still so what a message was written for, by its `cause_key`; asked above."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What messages come of."""

    org_id: UUID
    author_id: UUID | None = None
    broadcast_id: UUID | None = None
    cause_key: str | None = None
    told: Mapping[str, str] = field(default_factory=dict)
    """What goes into places of the text beside a person's own."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A draft for one person: in their language, refused or not."""

    person: Person
    language: str
    refused: Refusal | None


def letters(
    draft: Draft,
    people: Iterable[Person],
    known: dict[UUID, Known],
    gym: House,
    at: datetime,
) -> list[Letter]:
    made = []
    for one in people:
        language = draft.wording.language_for(one.language, gym.language)
        said = draft.wording.variants[language]
        reason = rules.refusal(one, known[one.id], draft, said, gym.policy, at=at)
        made.append(Letter(one, language, reason))
    return made


def write(
    session: Session, draft: Draft, letter: Letter, origin: Origin, *, now: datetime, at: datetime
) -> Message:
    """Keep it, and queue it unless it is refused: then it is kept as skipped, with its reason."""
    said = draft.wording.variants[letter.language]
    values = {**_values(session, origin.org_id, draft.wording, letter.person), **origin.told}
    person, refused = letter.person, letter.refused
    row = Message(
        org_id=origin.org_id,
        member_id=None if person.is_lead else person.id,
        lead_id=person.id if person.is_lead else None,
        broadcast_id=origin.broadcast_id,
        channel=draft.channel,
        category=draft.category,
        language=letter.language,
        body=filled(said.body, values),
        address=person.address(draft.channel) or "",
        content_ref=said.ref,
        content_variables=content_variables(said, values) if said.ref else None,
        state=MessageState.QUEUED if refused is None else MessageState.SKIPPED,
        reason=None if refused is None else refused.code,
        settled_at=None if refused is None else now,
        cause_key=origin.cause_key,
        author_id=origin.author_id,
        due_at=at,
    )
    session.add(row)
    session.flush()
    if refused is None:
        _queue(session, row, wait=max(at - now, timedelta()))
    return row


def outgoing(
    session: Session, message_id: UUID, *, stands: Stands, now: datetime
) -> Outgoing | None:
    """What is to leave now; None where the time isn't right, or where it may not any more.

    Between a yes and the end of the quiet hours somebody may have opted out, or have come back
    whom it says is missed.
    """
    row = session.get(Message, message_id, with_for_update=True)
    if row is None or row.state is not MessageState.QUEUED:
        return None
    gym = house(session, row.org_id)
    draft = _draft_of(row)
    leaves_at = rules.leaves(draft, gym, now)
    if leaves_at > now:
        row.due_at = leaves_at
        _queue(session, row, wait=leaves_at - now)
        return None
    if row.cause_key is not None and not stands(session, row.cause_key):
        _skip(row, "no_longer_so", now)
        return None
    return _released(session, row, draft, gym, now)


def report(
    session: Session,
    message_id: UUID,
    state: MessageState,
    *,
    error_code: int | None,
    now: datetime,
) -> None:
    """What the provider tells of it; it comes in the order of its own ranks."""
    row = session.get(Message, message_id, with_for_update=True)
    if row is None:
        return
    row.state, row.error_code = state, error_code
    if state is MessageState.SENT and row.sent_at is None:
        row.sent_at = now
    if state in {MessageState.DELIVERED, MessageState.READ, MessageState.FAILED}:
        row.settled_at = now
    session.flush()


def _released(
    session: Session, row: Message, draft: Draft, gym: House, now: datetime
) -> Outgoing | None:
    person_id = row.member_id or row.lead_id
    found = queries.persons(session, [row.member_id] if row.member_id else [], _leads(row))
    person = found.get(person_id) if person_id else None
    if person is None:
        _skip(row, "person_gone", now)
        return None
    known = queries.known(session, [person], row.channel, gym.policy.cap, now, but=row.id)
    refused = letters(draft, [person], known, gym, now)[0].refused
    if refused is not None:
        _skip(row, refused.code, now)
        return None
    row.address = person.address(row.channel) or row.address
    return Outgoing(
        row.id, row.channel, row.address, row.body, row.content_ref, row.content_variables
    )


def _leads(row: Message) -> list[UUID]:
    return [row.lead_id] if row.lead_id else []


def _skip(row: Message, reason: str, now: datetime) -> None:
    row.state, row.reason, row.settled_at = MessageState.SKIPPED, reason, now


def _draft_of(row: Message) -> Draft:
    """As it was filled: nothing in it is a place any more."""
    said = Variant(body=row.body, ref=row.content_ref)
    return Draft(row.channel, row.category, Wording(variants={row.language: said}))


def _queue(session: Session, row: Message, *, wait: timedelta) -> None:
    outbox.put(session, row.org_id, SEND, {"message_id": str(row.id)}, wait=wait)


def _values(session: Session, org_id: UUID, wording: Wording, person: Person) -> dict[str, str]:
    gym = studio.org(session, org_id).name
    return {**wording.given, **person.words(gym)}
