"""Tables of the conversation: what was heard and what came of it, who is who, what goes out."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, BigInteger, ForeignKey, Identity, Index, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core.actor import Role
from app.core.columns import text_enum
from app.core.db import OrgRow, PlatformRow, Row


class Surface(StrEnum):
    WEB = "web"
    WHATSAPP = "whatsapp"
    SMS = "sms"


class TurnState(StrEnum):
    WAITING = "waiting"
    """Words wait in the mailbox; no event yet."""
    RUNNING = "running"
    ASKED = "asked"
    ENDED = "ended"


class Conversation(OrgRow):
    """One person's, in one org, on one surface."""

    __tablename__ = "conversation"

    user_id: Mapped[UUID] = mapped_column(index=True)
    surface: Mapped[Surface] = mapped_column(text_enum(Surface))
    language: Mapped[str] = mapped_column(default="en")
    title: Mapped[str | None]
    closed_at: Mapped[datetime | None]
    """A chat channel's conversation rolls on until NEW."""
    address: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    """Where the phone is reached: {"channel", "sender", "recipient"}; null on the web."""
    facts: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """What the model is told of the gym, frozen for an epoch of this conversation."""
    facts_at: Mapped[datetime | None]
    more: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    """The list that was cut on a phone, and where MORE goes on: {"card", "start"}."""


class Turn(OrgRow):
    __tablename__ = "turn"
    __table_args__ = (
        Index(
            "uq_turn_waiting",
            "conversation_id",
            unique=True,
            postgresql_where=text("state = 'waiting'"),
        ),
        Index(
            "uq_turn_live",
            "conversation_id",
            unique=True,
            postgresql_where=text("state IN ('running', 'asked')"),
        ),
        UniqueConstraint("conversation_id", "number"),
        Index(
            "ix_turn_due", "updated_at", postgresql_where=text("state IN ('waiting', 'running')")
        ),
    )

    conversation_id: Mapped[UUID] = mapped_column(ForeignKey("conversation.id"), index=True)
    number: Mapped[int]
    state: Mapped[TurnState] = mapped_column(text_enum(TurnState), default=TurnState.WAITING)
    reason: Mapped[str | None]
    """Why it ended."""
    stop_requested: Mapped[bool] = mapped_column(default=False)
    events: Mapped[int] = mapped_column(default=0)
    """How many events are stored: the next one's seq."""
    tries: Mapped[int] = mapped_column(default=0)
    """How often it was taken up since its last event: a fault of ours must not repeat for ever."""
    ended_at: Mapped[datetime | None]
    lane: Mapped[str | None]
    """quick | read | act, once it is known; null where turns are not routed."""
    handed_over: Mapped[bool] = mapped_column(default=False)
    """The small model began in its lane, and the main one had to go on."""


class TurnEvent(OrgRow):
    """One stored event; rows are never changed (erasure aside)."""

    __tablename__ = "turn_event"
    __table_args__ = (UniqueConstraint("turn_id", "seq"),)

    turn_id: Mapped[UUID] = mapped_column(ForeignKey("turn.id"))
    seq: Mapped[int]
    type: Mapped[str]
    body: Mapped[dict[str, Any]] = mapped_column(JSON)
    """JSON, not JSONB: the model's blocks must come back with their keys in the order they had."""


class SummaryRow(OrgRow):
    """What stands for a conversation's turns up to one, where the model is told of them."""

    __tablename__ = "turn_summary"
    __table_args__ = (UniqueConstraint("conversation_id", "until"),)

    conversation_id: Mapped[UUID] = mapped_column(ForeignKey("conversation.id"))
    until: Mapped[int]
    """The number of the last turn it stands for."""
    serves: Mapped[int]
    """The number of the first turn that is told it: what stands before one under way stays."""
    text: Mapped[str]
    things: Mapped[list[dict[str, str]]] = mapped_column(JSON)
    """What is still in play: ids, and what they are called."""


class Words(OrgRow):
    """A person's message in the mailbox: joined with its neighbours into a turn's first event."""

    __tablename__ = "words"

    turn_id: Mapped[UUID] = mapped_column(ForeignKey("turn.id"), index=True)
    position: Mapped[int] = mapped_column(BigInteger, Identity())
    text: Mapped[str]
    beside: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """What the model is told beside the words: page, selection."""
    role: Mapped[Role] = mapped_column(text_enum(Role))
    """With which rights they were said: a token may give fewer than its person has."""
    inbound_id: Mapped[UUID | None]


class Picture(OrgRow):
    """A photo that came with words, as the model is shown it; its bytes are gone after 90 days."""

    __tablename__ = "picture"
    __table_args__ = (UniqueConstraint("words_id", "position"),)

    words_id: Mapped[UUID] = mapped_column(ForeignKey("words.id"))
    position: Mapped[int]
    content_type: Mapped[str]
    width: Mapped[int]
    height: Mapped[int]
    body: Mapped[bytes] = mapped_column(deferred=True)


class UsageRow(OrgRow):
    """One call of the model, priced."""

    __tablename__ = "usage"

    conversation_id: Mapped[UUID] = mapped_column(index=True)
    turn_id: Mapped[UUID]
    day: Mapped[date | None]
    """The gym's local day that it is booked on: that of the hold. Null for calls of before."""
    model: Mapped[str]
    input_tokens: Mapped[int]
    output_tokens: Mapped[int]
    cache_write_5m: Mapped[int]
    cache_write_1h: Mapped[int]
    cache_read: Mapped[int]
    cost_micros: Mapped[int] = mapped_column(BigInteger)
    detail: Mapped[dict[str, Any]] = mapped_column(JSONB)


class UsageDay(OrgRow):
    """What a gym's models have cost on its local day, and what calls under way may still cost."""

    __tablename__ = "usage_day"
    __table_args__ = (UniqueConstraint("org_id", "day"),)

    day: Mapped[date]
    spent_micros: Mapped[int] = mapped_column(BigInteger)
    held_micros: Mapped[int] = mapped_column(BigInteger)
    warned_turn: Mapped[UUID | None]
    """The turn that told the gym that most of the day's limit is used."""


class BudgetHold(OrgRow):
    """What one call under way may cost at most; its id becomes that of the call's usage row."""

    __tablename__ = "budget_hold"

    conversation_id: Mapped[UUID]
    turn_id: Mapped[UUID]
    lane: Mapped[str] = mapped_column(index=True)
    """Whoever makes the call holds this lane's lease: the hold is lost when nobody does."""
    day: Mapped[date]
    model: Mapped[str]
    micros: Mapped[int] = mapped_column(BigInteger)
    expires_at: Mapped[datetime]
    """By the server's clock: lost then at the latest."""


class UpkeepRow(PlatformRow):
    """One renewal of what the model's cache holds for a role in all gyms: the operator pays it."""

    __tablename__ = "upkeep"

    role: Mapped[Role] = mapped_column(text_enum(Role))
    model: Mapped[str]
    cost_micros: Mapped[int] = mapped_column(BigInteger)
    detail: Mapped[dict[str, Any]] = mapped_column(JSONB)


class StorageSnapshot(PlatformRow):
    """What a gym kept on a day, by the server's UTC calendar; without an org, all of it."""

    __tablename__ = "storage_snapshot"
    __table_args__ = (UniqueConstraint("org_id", "day", postgresql_nulls_not_distinct=True),)

    day: Mapped[date]
    org_id: Mapped[UUID | None]
    rows: Mapped[int] = mapped_column(BigInteger)
    bytes: Mapped[int] = mapped_column(BigInteger)
    tables: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """By table: [rows, bytes]."""


class ContentShape(PlatformRow):
    """What a provider keeps for messages of one shape, made once: so many buttons, or rows."""

    __tablename__ = "content_shape"
    __table_args__ = (UniqueConstraint("provider", "account", "shape"),)

    provider: Mapped[str]
    account: Mapped[str]
    shape: Mapped[str]
    """As `buttons:2:1`: the kind, how many, and the version of its wording."""
    sid: Mapped[str]


class InboundState(StrEnum):
    STORED = "stored"
    ROUTED = "routed"
    IGNORED = "ignored"
    FAILED = "failed"
    """Routing it raised a fault of ours: kept for the operator, and out of its neighbours' way."""


class InboundEvent(PlatformRow):
    """A webhook as it came, once for good; raw form kept 90 days, its key for ever."""

    __tablename__ = "inbound_event"
    __table_args__ = (
        UniqueConstraint("provider", "account", "key"),
        Index("ix_inbound_event_due", "position", postgresql_where=text("state = 'stored'")),
    )

    provider: Mapped[str]
    account: Mapped[str]
    key: Mapped[str]
    """The provider's message id, or for a status its id and status."""
    kind: Mapped[str]
    """message | status."""
    sender: Mapped[str]
    """The lane: one sender's words, or the reports on one message, are taken in order."""
    position: Mapped[int] = mapped_column(BigInteger, Identity())
    form: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """As it came, each name with all its values; JSON, since JSONB refuses NUL."""
    state: Mapped[InboundState] = mapped_column(
        text_enum(InboundState), default=InboundState.STORED
    )


class ChannelIdentity(PlatformRow):
    """Whom an address belongs to, in one org; set only by a code from the dashboard."""

    __tablename__ = "channel_identity"
    __table_args__ = (UniqueConstraint("provider", "account", "kind", "value", "org_id"),)

    provider: Mapped[str]
    account: Mapped[str]
    kind: Mapped[str]
    """phone | bsuid | parent_bsuid."""
    value: Mapped[str]
    org_id: Mapped[UUID]
    user_id: Mapped[UUID]
    chosen: Mapped[bool] = mapped_column(default=True)
    """Of a person's several gyms, the one this address speaks to now."""
    opted_out_sms: Mapped[bool] = mapped_column(default=False)
    opted_out_whatsapp: Mapped[bool] = mapped_column(default=False)
    last_inbound_at: Mapped[datetime | None]


class LinkCode(PlatformRow):
    """A one-time code shown on the dashboard and sent from the phone: 6 digits, 10 minutes."""

    __tablename__ = "link_code"

    code_hash: Mapped[str] = mapped_column(index=True)
    org_id: Mapped[UUID]
    user_id: Mapped[UUID]
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class Stranger(PlatformRow):
    """An address that isn't linked: its tries at a code, and when it was last told how to link."""

    __tablename__ = "stranger"

    address: Mapped[str] = mapped_column(unique=True)
    tries: Mapped[int] = mapped_column(default=0)
    locked_until: Mapped[datetime | None]
    told_at: Mapped[datetime | None]


class Lease(PlatformRow):
    """Who works on a lane now.

    `token` grows with each holder: a write with an older one is refused (fencing).
    """

    __tablename__ = "lease"

    lane: Mapped[str] = mapped_column(unique=True)
    token: Mapped[int] = mapped_column(BigInteger, default=0)
    holder: Mapped[str | None]
    expires_at: Mapped[datetime | None]
    """By the server's clock, so that machines need not agree."""


class OutboundState(StrEnum):
    QUEUED = "queued"
    SENDING = "sending"
    ACCEPTED = "accepted"
    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    UNDELIVERED = "undelivered"
    REJECTED = "rejected"
    UNKNOWN = "unknown"
    DROPPED = "dropped"


class OutboundMessage(Row):
    """One message to one phone: a row first, then the send.

    Without an org where it goes to a stranger.
    """

    __tablename__ = "outbound_message"
    __table_args__ = (
        UniqueConstraint("dedupe_key"),
        Index("ix_outbound_message_sid", "sid"),
        Index("ix_outbound_message_lane", "lane", "position"),
        Index(
            "ix_outbound_message_due",
            "due_at",
            postgresql_where=text("state IN ('queued', 'sending', 'unknown')"),
        ),
    )

    org_id: Mapped[UUID | None] = mapped_column(index=True)
    lane: Mapped[str]
    """channel|from|to: one sender at a time, so that parts stay in order, the card the last."""
    position: Mapped[int] = mapped_column(BigInteger, Identity())
    channel: Mapped[str]
    sender: Mapped[str]
    recipient: Mapped[str]
    body: Mapped[str]
    content_sid: Mapped[str | None]
    """The approved template that says the same, by the provider's id."""
    content_variables: Mapped[dict[str, str] | None] = mapped_column(JSONB)
    buttons: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    """The question's options for the phone to tap: {"opens", "rows": [{"id", "title", "about"}]};
    null too once the provider has refused them, as the words go alone then."""
    about: Mapped[str | None]
    """What of the studio it carries, as `message:<id>`: that is told what becomes of it."""
    conversation_id: Mapped[UUID | None] = mapped_column(index=True)
    question_id: Mapped[UUID | None] = mapped_column(index=True)
    dedupe_key: Mapped[str]
    state: Mapped[OutboundState] = mapped_column(
        text_enum(OutboundState), default=OutboundState.QUEUED
    )
    sid: Mapped[str | None]
    error_code: Mapped[int | None]
    attempts: Mapped[int] = mapped_column(default=0)
    due_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
    maybe_twice: Mapped[bool] = mapped_column(default=False)
    """Sent again after an attempt whose fate nobody could learn."""
