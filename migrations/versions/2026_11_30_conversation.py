"""Conversations: mailbox, turns and their events, who is who on a channel, what goes out."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from app.core import policies
from app.core.db import PLATFORM_ROLE

revision = "conversation"
down_revision = "kit"
branch_labels = None
depends_on = None

OUTBOUND_STATES = (
    "queued",
    "sending",
    "accepted",
    "sent",
    "delivered",
    "read",
    "undelivered",
    "rejected",
    "unknown",
    "dropped",
)
ORG_TABLES = ("conversation", "turn", "turn_event", "words", "usage")
PLATFORM_TABLES = ("inbound_event", "channel_identity", "link_code", "stranger", "lease")


def _words_of(name: str, *words: str) -> sa.Enum:
    """A closed set kept as short text."""
    return sa.Enum(*words, name=name, native_enum=False, length=20)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _channel_identity()
    _conversation()
    _inbound_event()
    _lease()
    _link_code()
    _outbound_message()
    _stranger()
    _usage()
    _turn()
    _turn_event()
    _words()
    _walls()


def _channel_identity() -> None:
    op.create_table(
        "channel_identity",
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("chosen", sa.Boolean(), nullable=False),
        sa.Column("opted_out_sms", sa.Boolean(), nullable=False),
        sa.Column("opted_out_whatsapp", sa.Boolean(), nullable=False),
        sa.Column("last_inbound_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_channel_identity")),
        sa.UniqueConstraint(
            "provider",
            "account",
            "kind",
            "value",
            "org_id",
            name=op.f("uq_channel_identity_provider_account_kind_value_org_id"),
        ),
    )


def _conversation() -> None:
    op.create_table(
        "conversation",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column(
            "surface",
            _words_of("surface", "web", "whatsapp", "sms"),
            nullable=False,
        ),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("address", JSONB(), nullable=True),
        sa.Column("facts", sa.JSON(), nullable=True),
        sa.Column("facts_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("more", JSONB(), nullable=True),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conversation")),
    )
    op.create_index(op.f("ix_conversation_org_id"), "conversation", ["org_id"], unique=False)
    op.create_index(op.f("ix_conversation_user_id"), "conversation", ["user_id"], unique=False)


def _inbound_event() -> None:
    op.create_table(
        "inbound_event",
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("position", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("form", sa.JSON(), nullable=True),
        sa.Column(
            "state",
            _words_of("inboundstate", "stored", "routed", "ignored", "failed"),
            nullable=False,
        ),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbound_event")),
        sa.UniqueConstraint(
            "provider", "account", "key", name=op.f("uq_inbound_event_provider_account_key")
        ),
    )
    op.create_index(
        "ix_inbound_event_due",
        "inbound_event",
        ["position"],
        unique=False,
        postgresql_where=sa.text("state = 'stored'"),
    )


def _lease() -> None:
    op.create_table(
        "lease",
        sa.Column("lane", sa.String(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.Column("holder", sa.String(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lease")),
        sa.UniqueConstraint("lane", name=op.f("uq_lease_lane")),
    )


def _link_code() -> None:
    op.create_table(
        "link_code",
        sa.Column("code_hash", sa.String(), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_link_code")),
    )
    op.create_index(op.f("ix_link_code_code_hash"), "link_code", ["code_hash"], unique=False)


def _outbound_message() -> None:
    op.create_table(
        "outbound_message",
        sa.Column("org_id", sa.Uuid(), nullable=True),
        sa.Column("lane", sa.String(), nullable=False),
        sa.Column("position", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.Uuid(), nullable=True),
        sa.Column("question_id", sa.Uuid(), nullable=True),
        sa.Column("dedupe_key", sa.String(), nullable=False),
        sa.Column(
            "state",
            _words_of("outboundstate", *OUTBOUND_STATES),
            nullable=False,
        ),
        sa.Column("sid", sa.String(), nullable=True),
        sa.Column("error_code", sa.Integer(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("maybe_twice", sa.Boolean(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbound_message")),
        sa.UniqueConstraint("dedupe_key", name=op.f("uq_outbound_message_dedupe_key")),
    )
    _index_outbound_message()


def _index_outbound_message() -> None:
    op.create_index(
        op.f("ix_outbound_message_conversation_id"),
        "outbound_message",
        ["conversation_id"],
        unique=False,
    )
    op.create_index(
        "ix_outbound_message_lane", "outbound_message", ["lane", "position"], unique=False
    )
    op.create_index(
        op.f("ix_outbound_message_org_id"), "outbound_message", ["org_id"], unique=False
    )
    op.create_index(
        op.f("ix_outbound_message_question_id"), "outbound_message", ["question_id"], unique=False
    )
    op.create_index(
        "ix_outbound_message_due",
        "outbound_message",
        ["due_at"],
        unique=False,
        postgresql_where=sa.text("state IN ('queued', 'sending', 'unknown')"),
    )
    op.create_index("ix_outbound_message_sid", "outbound_message", ["sid"], unique=False)


def _stranger() -> None:
    op.create_table(
        "stranger",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("locked_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stranger")),
        sa.UniqueConstraint("address", name=op.f("uq_stranger_address")),
    )


def _usage() -> None:
    op.create_table(
        "usage",
        sa.Column("conversation_id", sa.Uuid(), nullable=False),
        sa.Column("turn_id", sa.Uuid(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("cache_write_5m", sa.Integer(), nullable=False),
        sa.Column("cache_write_1h", sa.Integer(), nullable=False),
        sa.Column("cache_read", sa.Integer(), nullable=False),
        sa.Column("cost_micros", sa.BigInteger(), nullable=False),
        sa.Column("detail", JSONB(), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_usage")),
    )
    op.create_index(op.f("ix_usage_conversation_id"), "usage", ["conversation_id"], unique=False)
    op.create_index(op.f("ix_usage_org_id"), "usage", ["org_id"], unique=False)


def _turn() -> None:
    op.create_table(
        "turn",
        sa.Column("conversation_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column(
            "state",
            _words_of("turnstate", "waiting", "running", "asked", "ended"),
            nullable=False,
        ),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("stop_requested", sa.Boolean(), nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversation.id"], name=op.f("fk_turn_conversation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turn")),
        sa.UniqueConstraint(
            "conversation_id", "number", name=op.f("uq_turn_conversation_id_number")
        ),
    )
    _index_turn()


def _index_turn() -> None:
    op.create_index(op.f("ix_turn_conversation_id"), "turn", ["conversation_id"], unique=False)
    op.create_index(op.f("ix_turn_org_id"), "turn", ["org_id"], unique=False)
    op.create_index(
        "ix_turn_due",
        "turn",
        ["updated_at"],
        unique=False,
        postgresql_where=sa.text("state IN ('waiting', 'running')"),
    )
    op.create_index(
        "uq_turn_live",
        "turn",
        ["conversation_id"],
        unique=True,
        postgresql_where=sa.text("state IN ('running', 'asked')"),
    )
    op.create_index(
        "uq_turn_waiting",
        "turn",
        ["conversation_id"],
        unique=True,
        postgresql_where=sa.text("state = 'waiting'"),
    )


def _turn_event() -> None:
    op.create_table(
        "turn_event",
        sa.Column("turn_id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turn.id"], name=op.f("fk_turn_event_turn_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turn_event")),
        sa.UniqueConstraint("turn_id", "seq", name=op.f("uq_turn_event_turn_id_seq")),
    )
    op.create_index(op.f("ix_turn_event_org_id"), "turn_event", ["org_id"], unique=False)


def _words() -> None:
    op.create_table(
        "words",
        sa.Column("turn_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("beside", JSONB(), nullable=False),
        sa.Column("role", _words_of("role", "member", "coach", "admin", "owner"), nullable=False),
        sa.Column("inbound_id", sa.Uuid(), nullable=True),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turn.id"], name=op.f("fk_words_turn_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_words")),
    )
    op.create_index(op.f("ix_words_org_id"), "words", ["org_id"], unique=False)
    op.create_index(op.f("ix_words_turn_id"), "words", ["turn_id"], unique=False)


def _walls() -> None:
    connection = op.get_bind()
    for table in ORG_TABLES:
        policies.org_table(connection, table, platform_reads=table == "turn")
    policies.append_only(connection, "turn_event")
    for table in PLATFORM_TABLES:
        # A write of a turn locks its lease row, for which PostgreSQL wants the right to
        # update a column of it.
        app_may = "SELECT, UPDATE (holder)" if table == "lease" else ""
        policies.platform_table(connection, table, app_may=app_may)
    policies.org_table(connection, "outbound_message")
    policy = f"outbound_message_platform ON outbound_message TO {PLATFORM_ROLE}"
    op.execute(f"CREATE POLICY {policy} USING (true)")
    op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON outbound_message TO {PLATFORM_ROLE}")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")

    op.drop_table("words")
    op.drop_table("turn_event")
    op.drop_table("turn")
    op.drop_table("usage")
    op.drop_table("stranger")
    op.drop_table("outbound_message")
    op.drop_table("link_code")
    op.drop_table("lease")
    op.drop_table("inbound_event")
    op.drop_table("conversation")
    op.drop_table("channel_identity")
