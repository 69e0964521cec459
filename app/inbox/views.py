"""The inbox as other parts see it: values, not rows."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.inbox.terms import Direction, MessageState, ThreadChannel, ThreadStatus


@dataclass(frozen=True, slots=True)
class ThreadView:
    id: UUID
    version: int
    channel: ThreadChannel
    handle: str
    contact: str
    """The member's or lead's name, or else the handle."""
    language: str | None
    """Theirs; None: nobody knows them."""
    member_id: UUID | None
    lead_id: UUID | None
    status: ThreadStatus
    assignee_id: UUID | None
    assignee: str | None
    unread: int
    last_inbound_at: datetime | None
    last_message_at: datetime
    last_text: str | None
    """Of what was written last, notes aside."""
    outcome: str | None


@dataclass(frozen=True, slots=True)
class MessageView:
    """`by` is None for what came in."""

    id: UUID
    direction: Direction
    body: str
    at: datetime
    by: str | None
    state: MessageState | None
    error_code: int | None


@dataclass(frozen=True, slots=True)
class DraftView:
    id: UUID
    version: int
    body: str
    by: str | None


@dataclass(frozen=True, slots=True)
class ThreadFilter:
    """None and () are not asked about."""

    statuses: tuple[ThreadStatus, ...] = ()
    channels: tuple[ThreadChannel, ...] = ()
    assignee_id: UUID | None = None
    unread: bool | None = None
