"""Tables of the inbox: threads with people outside, their messages and drafts of answers."""

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.core.columns import text_enum
from app.core.db import OrgRow
from app.core.erasing import Erasure, addressed, deleted, either, of_member, within
from app.inbox.terms import Direction, MessageState, ThreadChannel, ThreadStatus
from app.leads.models import Lead
from app.people.models import Member, Staff
from app.people.terms import Category


class InboxThread(OrgRow):
    """All that is written between the gym and one address on one channel."""

    __tablename__ = "inbox_thread"
    __erase__: ClassVar[Erasure] = deleted(either(of_member(), addressed("handle")))
    __table_args__ = (
        UniqueConstraint("org_id", "channel", "handle"),
        Index("ix_inbox_thread_latest", "org_id", "last_message_at"),
    )

    channel: Mapped[ThreadChannel] = mapped_column(text_enum(ThreadChannel))
    handle: Mapped[str]
    """E.164, an e-mail address in lower case, or the provider's own name for somebody."""
    member_id: Mapped[UUID | None] = mapped_column(ForeignKey(Member.id), index=True)
    lead_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Lead.id, ondelete="SET NULL"), index=True
    )
    status: Mapped[ThreadStatus] = mapped_column(text_enum(ThreadStatus), default=ThreadStatus.OPEN)
    assignee_id: Mapped[UUID | None] = mapped_column(ForeignKey(Staff.id), index=True)
    unread: Mapped[int] = mapped_column(default=0)
    """Messages from outside that nobody has read."""
    last_inbound_at: Mapped[datetime | None]
    """WhatsApp lets anything be written for 24 hours from then."""
    last_message_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]
    outcome: Mapped[str | None]
    """What came of it, as said when it was closed."""


class InboxMessage(OrgRow):
    __tablename__ = "inbox_message"
    __erase__: ClassVar[Erasure] = deleted(within("thread_id"))
    __table_args__ = (Index("ix_inbox_message_thread", "thread_id", "at"),)

    thread_id: Mapped[UUID] = mapped_column(ForeignKey(InboxThread.id, ondelete="CASCADE"))
    direction: Mapped[Direction] = mapped_column(text_enum(Direction))
    body: Mapped[str]
    at: Mapped[datetime]
    author_id: Mapped[UUID | None]
    """The login that wrote it; null for what came in."""
    template_id: Mapped[UUID | None]
    """No foreign key: templates are a domain above."""
    category: Mapped[Category | None] = mapped_column(text_enum(Category))
    """What it is for; of what goes out, as `state` is."""
    state: Mapped[MessageState | None] = mapped_column(text_enum(MessageState))
    error_code: Mapped[int | None]
    """The provider's own, of what failed."""


class InboxDraft(OrgRow):
    """The answer that somebody has begun; one a thread, which the whole team sees."""

    __tablename__ = "inbox_draft"
    __erase__: ClassVar[Erasure] = deleted(within("thread_id"))

    thread_id: Mapped[UUID] = mapped_column(
        ForeignKey(InboxThread.id, ondelete="CASCADE"), unique=True
    )
    body: Mapped[str]
    author_id: Mapped[UUID]
