"""Who of some people gets a text, in which language, and from when on (rules 36 and 37). Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from app.messages.errors import NoAddress, PersonGone, WindowClosed
from app.messages.texts import Variant
from app.messages.views import Draft, LeftOut, Person, Plan, Recipient
from app.people import consent
from app.people.consent import MessagingPolicy, Refusal


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one person on one channel."""

    opted_out: bool = False
    had: tuple[datetime, ...] = ()
    """When they were sent marketing before."""
    heard_at: datetime | None = None
    """When they last wrote, on WhatsApp."""


@dataclass(frozen=True, slots=True)
class House:
    """What the gym says of its messages."""

    policy: MessagingPolicy
    zone: str
    language: str


def plan(
    draft: Draft, people: Sequence[Person], known: Mapping[UUID, Known], house: House, at: datetime
) -> Plan:
    """Who of these people gets it if it is sent at that time."""
    leaves_at = leaves(draft, house, at)
    got: list[Recipient] = []
    left: list[LeftOut] = []
    for one in people:
        language = draft.wording.language_for(one.language, house.language)
        said = draft.wording.variants[language]
        reason = refusal(one, known[one.id], draft, said, house.policy, at=leaves_at)
        if reason is None:
            got.append(Recipient(one, language))
        else:
            left.append(LeftOut(one, reason))
    ids = [one.person.id for one in got]
    return Plan(draft, tuple(got), tuple(left), leaves_at, audience_hash(ids))


def leaves(draft: Draft, house: House, at: datetime) -> datetime:
    """That time, or the end of the quiet hours around it."""
    return consent.leaves_at(house.policy, draft.category, house.zone, now=at)


def refusal(
    person: Person,
    known: Known,
    draft: Draft,
    said: Variant,
    policy: MessagingPolicy,
    *,
    at: datetime,
) -> Refusal | None:
    """Why this one doesn't get it; the first reason that stands."""
    if person.gone:
        return PersonGone(name=person.name)
    if not person.address(draft.channel):
        return NoAddress(name=person.name, channel=draft.channel.value)
    recipient = consent.Recipient(
        name=person.name,
        opted_out=known.opted_out,
        agreed_to_marketing=person.consents,
        had=known.had,
    )
    refused = consent.refusal(recipient, draft.category, now=at, cap=policy.cap)
    if refused is not None:
        return refused
    free = said.ref is not None or consent.window_open(draft.channel, known.heard_at, at)
    return None if free else WindowClosed(name=person.name)


def audience_hash(ids: Iterable[UUID]) -> str:
    """How many they are, and a mark of just these people, whatever their order."""
    ordered = sorted(str(one) for one in ids)
    return f"{len(ordered)}-{sha256('|'.join(ordered).encode()).hexdigest()[:20]}"


def counted(mark: str) -> int | None:
    """How many people a mark says there were; None where it is no mark."""
    number, _, rest = mark.partition("-")
    return int(number) if rest and number.isascii() and number.isdigit() else None
