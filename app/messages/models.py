"""Tables of what is written to members: segments, templates, messages, broadcasts, news."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, Index, Text, UniqueConstraint, Uuid, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.core.columns import text_enum
from app.core.db import OrgRow, now_of
from app.core.erasing import PSEUDONYM, Erasure, addressed, among, blanked, either, kept, of_member
from app.messages.errors import TooSoon
from app.messages.terms import (
    AnnouncementStatus,
    BroadcastStatus,
    MessageState,
    ProviderStatus,
)
from app.people.models import Member
from app.people.terms import Category, Channel


class Segment(OrgRow):
    """A saved group of members: a filter, so who is in it is counted when it is read."""

    __tablename__ = "segment"
    __table_args__ = (UniqueConstraint("org_id", "name"),)

    name: Mapped[str]
    filter: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """An `AudienceFilter`, without what it leaves open."""


class MessageTemplate(OrgRow):
    """One text in one language; those of one name on one channel are each other's translations."""

    __tablename__ = "message_template"
    __table_args__ = (UniqueConstraint("org_id", "name", "channel", "language"),)

    name: Mapped[str]
    channel: Mapped[Channel] = mapped_column(text_enum(Channel))
    language: Mapped[str]
    category: Mapped[Category] = mapped_column(text_enum(Category))
    body: Mapped[str]
    variables: Mapped[list[str]] = mapped_column(ARRAY(Text()), default=list)
    """Names of the placeholders of the body, in order."""
    provider_status: Mapped[ProviderStatus] = mapped_column(text_enum(ProviderStatus))
    provider_ref: Mapped[str | None]
    """The provider's id of the approved text."""


class Broadcast(OrgRow):
    """One text for many, approved for just these people."""

    __tablename__ = "broadcast"
    __erase__: ClassVar[Erasure] = kept(
        "texts", "template", "audience_hash", where=among("member_ids")
    )
    __table_args__ = (
        Index(
            "ix_broadcast_due",
            "send_at",
            postgresql_where=text("status IN ('scheduled', 'sending')"),
        ),
    )

    status: Mapped[BroadcastStatus] = mapped_column(text_enum(BroadcastStatus))
    channel: Mapped[Channel] = mapped_column(text_enum(Channel))
    category: Mapped[Category] = mapped_column(text_enum(Category))
    texts: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """A `Wording`, as it was approved."""
    template: Mapped[str | None]
    """The name of the template it came from."""
    audience_hash: Mapped[str]
    member_ids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid()))
    """Who it was approved for, in the order in which they are written to."""
    send_at: Mapped[datetime]
    author_id: Mapped[UUID | None]
    announcement_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("announcement.id", ondelete="SET NULL")
    )
    """The piece of news that it pushes."""
    finished_at: Mapped[datetime | None]

    @classmethod
    def check_restored(cls, session: Session, rows: Sequence["Broadcast"]) -> None:
        """Whether an undo may let these leave after all. Raises TooSoon."""
        for row in rows:
            if row.status is BroadcastStatus.SCHEDULED and row.send_at <= now_of(session):
                raise TooSoon(at=row.send_at)


class Message(OrgRow):
    """One text to one person outside, and what became of it."""

    __tablename__ = "message"
    __erase__: ClassVar[Erasure] = blanked(
        either(of_member(), addressed("address")),
        keeps=("language", "content_ref", "reason", "cause_key"),
        body="",
        address=PSEUDONYM,
        content_variables=None,
        state=lambda row: MessageState.SKIPPED if row.state is MessageState.QUEUED else row.state,
    )
    __table_args__ = (
        UniqueConstraint("broadcast_id", "member_id"),
        UniqueConstraint("cause_key"),
        Index("ix_message_member", "member_id", "created_at"),
    )

    member_id: Mapped[UUID | None] = mapped_column(ForeignKey(Member.id))
    lead_id: Mapped[UUID | None] = mapped_column(index=True)
    broadcast_id: Mapped[UUID | None] = mapped_column(ForeignKey(Broadcast.id), index=True)
    channel: Mapped[Channel] = mapped_column(text_enum(Channel))
    category: Mapped[Category] = mapped_column(text_enum(Category))
    language: Mapped[str]
    body: Mapped[str]
    """As it was sent, its placeholders filled."""
    address: Mapped[str]
    """E.164, or an e-mail address."""
    content_ref: Mapped[str | None]
    """The approved template that carries it, by the provider's id."""
    content_variables: Mapped[dict[str, str] | None] = mapped_column(JSONB)
    state: Mapped[MessageState] = mapped_column(
        text_enum(MessageState), default=MessageState.QUEUED, index=True
    )
    reason: Mapped[str | None]
    """Why it was skipped, as a code of `app.people.consent.Refusal`."""
    error_code: Mapped[int | None]
    """The provider's own."""
    cause_key: Mapped[str | None]
    """What it came of, where that may be tried twice: unique."""
    author_id: Mapped[UUID | None]
    due_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
    settled_at: Mapped[datetime | None]
    """When it was delivered, read, skipped or given up."""


class Announcement(OrgRow):
    """A piece of news on the gym's feed."""

    __tablename__ = "announcement"
    __table_args__ = (
        Index("ix_announcement_due", "publish_at", postgresql_where=text("status = 'scheduled'")),
    )

    status: Mapped[AnnouncementStatus] = mapped_column(
        text_enum(AnnouncementStatus), default=AnnouncementStatus.DRAFT
    )
    titles: Mapped[dict[str, str]] = mapped_column(JSONB)
    """By language; so are the bodies, of the same languages."""
    bodies: Mapped[dict[str, str]] = mapped_column(JSONB)
    audience: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)
    """An `AudienceFilter`; empty: all active members."""
    publish_at: Mapped[datetime | None]
    published_at: Mapped[datetime | None]
    pin_until: Mapped[date | None]
    """The last local day on which it stands above the others."""
    push: Mapped[bool] = mapped_column(default=False)
    """Whether its audience is also written to when it is published."""
    author_id: Mapped[UUID | None]
