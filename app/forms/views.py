"""Forms as other parts see them: values, not rows."""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from app.forms.fields import Answers, Field
from app.forms.terms import FormDecision, FormKind, FormStatus
from app.people.consent import Refusal
from app.people.terms import Channel
from app.people.views import MemberView


@dataclass(frozen=True, slots=True)
class TemplateView:
    id: UUID
    version: int
    kind: FormKind
    title: str
    language: str
    active: bool
    version_id: UUID
    number: int
    """Which version is sent now."""
    fields: tuple[Field, ...]
    requires_signature: bool
    valid_for_days: int | None


@dataclass(frozen=True, slots=True)
class InstanceView:
    id: UUID
    version: int
    template_id: UUID
    kind: FormKind
    title: str
    """As it was when it was sent."""
    member_id: UUID
    member: str
    status: FormStatus
    channel: Channel
    due_on: date | None
    sent_at: datetime
    undelivered: bool
    opened_at: datetime | None
    submitted_at: datetime | None
    valid_until: date | None
    flagged: bool
    decision: FormDecision | None
    review_note: str | None
    reviewed_by: str | None


@dataclass(frozen=True, slots=True)
class Copy:
    """A signed copy, read: every question with its answer, or None where none was given."""

    answers: tuple[tuple[Field, str | bool | float | None], ...]
    signed_by: str | None
    signed_at: datetime


@dataclass(frozen=True, slots=True)
class Signed:
    """What somebody handed in."""

    answers: Answers
    signed_by: str | None
    address: str
    """Where they sent it from."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A form as the holder of its link sees it."""

    instance_id: UUID
    member: str
    language: str
    title: str
    fields: tuple[Field, ...]
    requires_signature: bool


@dataclass(frozen=True, slots=True)
class MissingView:
    """A member without a copy that counts; `expired_on` is the last day of the one they had."""

    member: MemberView
    expired_on: date | None
    waiting_since: datetime | None
    """When it was last sent to them, if they haven't answered."""


@dataclass(frozen=True, slots=True)
class InstanceFilter:
    """None and () are not asked about."""

    member_id: UUID | None = None
    template_id: UUID | None = None
    statuses: tuple[FormStatus, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    member: MemberView
    reason: Refusal


@dataclass(frozen=True, slots=True)
class SendPlan:
    """Who gets a form, who doesn't and why, and when it leaves: later than now in quiet hours."""

    template: TemplateView
    recipients: tuple[MemberView, ...]
    left_out: tuple[LeftOut, ...]
    leaves_at: datetime
