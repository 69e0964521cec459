"""People as other parts see them: values, not rows."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from uuid import UUID

from app.core.actor import Role
from app.people.terms import (
    Channel,
    Gender,
    InvitationKind,
    InvitationStatus,
    MemberStatus,
    NoteKind,
)


@dataclass(frozen=True, slots=True)
class MemberView:
    id: UUID
    version: int
    name: str
    phone: str | None
    email: str | None
    language: str
    status: MemberStatus
    joined_on: date
    tags: tuple[str, ...]
    health_form_until: date | None


@dataclass(frozen=True, slots=True)
class Profile:
    """All that is known of a member here."""

    member: MemberView
    nickname: str | None
    birth_date: date | None
    gender: Gender | None
    weight_unit: str | None
    emergency_contact: str | None
    phone_extension: str | None
    primary_coach: str | None
    source: str | None
    agreed_to_marketing: bool
    suspend_reason: str | None
    """Why they are suspended; None where they aren't."""
    archive_reason: str | None


@dataclass(frozen=True, slots=True)
class NoteView:
    id: UUID
    version: int
    member_id: UUID
    kind: NoteKind
    body: str
    pinned: bool
    author: str | None
    """None: they work here no more."""
    visible_to: tuple[Role, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class InvitationView:
    id: UUID
    version: int
    kind: InvitationKind
    role: Role | None
    name: str
    channel: Channel
    address: str
    language: str
    status: InvitationStatus
    sent_at: datetime | None
    """None: it is waiting to be sent, or couldn't be."""
    send_count: int
    expires_at: datetime
    invited_by: str | None
    member_id: UUID | None
    plan_id: UUID | None

    def by(self, channel: Channel) -> "InvitationView":
        return replace(self, channel=channel)


@dataclass(frozen=True, slots=True)
class FoundMember:
    """`exact`: all words of the query stand in the name as typed."""

    member: MemberView
    exact: bool
    grade: int


@dataclass(frozen=True, slots=True)
class StaffView:
    id: UUID
    user_id: UUID
    name: str
    role: Role
    active: bool
    class_type_ids: tuple[UUID, ...]
