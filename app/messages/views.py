"""Messages as other parts see them: values, not rows."""

from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from app.messages.filters import AudienceFilter
from app.messages.terms import (
    AnnouncementStatus,
    BroadcastStatus,
    MessageState,
    ProviderStatus,
)
from app.messages.texts import Wording
from app.people.consent import Refusal
from app.people.terms import Category, Channel


@dataclass(frozen=True, slots=True)
class Person:
    """Whoever may be written to: a member, or a lead."""

    id: UUID
    first_name: str
    name: str
    language: str
    phone: str | None
    email: str | None
    gone: bool
    consents: bool
    is_lead: bool = False

    def address(self, channel: Channel) -> str | None:
        return self.email if channel is Channel.EMAIL else self.phone

    def words(self, gym: str) -> dict[str, str]:
        """What goes into the places of a text that are a person's own."""
        return {"name": self.first_name, "fullname": self.name, "gym": gym}


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be said, and how."""

    channel: Channel
    category: Category
    wording: Wording
    template: str | None = None


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody who gets it, in the language that it will be in."""

    person: Person
    language: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    person: Person
    reason: Refusal


@dataclass(frozen=True, slots=True)
class Plan:
    """What a send comes to: who gets which text, who doesn't and why, and when it leaves."""

    draft: Draft
    recipients: tuple[Recipient, ...]
    left_out: tuple[LeftOut, ...]
    leaves_at: datetime
    audience_hash: str


@dataclass(frozen=True, slots=True)
class Audience:
    """Who is meant; all that is given must agree."""

    filter: AudienceFilter = field(default_factory=AudienceFilter)
    segment_id: UUID | None = None
    member_ids: tuple[UUID, ...] = ()
    """Named one by one: then they needn't be active."""


@dataclass(frozen=True, slots=True)
class SegmentView:
    id: UUID
    name: str | None
    """None: one of the platform's own, `slug`."""
    slug: str | None
    filter: AudienceFilter
    members: int | None


@dataclass(frozen=True, slots=True)
class TemplateView:
    id: UUID
    version: int
    name: str
    channel: Channel
    language: str
    category: Category
    body: str
    variables: tuple[str, ...]
    provider_status: ProviderStatus
    provider_ref: str | None = None


@dataclass(frozen=True, slots=True)
class SentView:
    """One message, or one broadcast with its counts."""

    id: UUID
    at: datetime
    channel: Channel
    body: str
    to: str | None
    """A person's name; None for a broadcast."""
    state: MessageState | BroadcastStatus
    recipients: int = 1
    delivered: int = 0
    failed: int = 0
    reason: str | None = None
    error_code: int | None = None


@dataclass(frozen=True, slots=True)
class BroadcastView:
    id: UUID
    version: int
    status: BroadcastStatus
    channel: Channel
    recipients: int
    send_at: datetime
    body: str


@dataclass(frozen=True, slots=True)
class AnnouncementView:
    id: UUID
    version: int
    status: AnnouncementStatus
    titles: dict[str, str]
    bodies: dict[str, str]
    title: str
    """In the reader's language, or the one there is."""
    body: str
    audience: AudienceFilter
    publish_at: datetime | None
    published_at: datetime | None
    pin_until: date | None
    push: bool
    reach: int
    """How many members it is for, now."""
    pushed: int
    """How many were written to."""
