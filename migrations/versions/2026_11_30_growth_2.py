"""The inbox, and forms with their signed answers."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from app.core import policies

revision = "growth_2"
down_revision = "people"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
WORD = sa.String(20)
TABLES = (
    "inbox_thread",
    "inbox_message",
    "inbox_draft",
    "form_template",
    "form_version",
    "form_instance",
    "form_response",
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _inbox_thread()
    _inbox_message()
    _inbox_draft()
    _form_template()
    _form_version()
    _form_instance()
    _form_response()


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    policies.no_longer_erasable(op.get_bind(), "form_response")
    for table in reversed(TABLES):
        op.drop_table(table)


def _table(
    name: str,
    *items: sa.schema.SchemaItem,
    indexed: tuple[str, ...] = (),
    platform_reads: bool = False,
) -> None:
    """Create a table of an org with the columns that every one has, and its wall."""
    op.create_table(
        name,
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        *items,
        sa.PrimaryKeyConstraint("id", name=f"pk_{name}"),
    )
    for column in ("org_id", *indexed):
        op.create_index(f"ix_{name}_{column}", name, [column])
    policies.org_table(op.get_bind(), name, platform_reads=platform_reads)


def _key(
    table: str, name: str, to: str, *, null: bool = False, ondelete: str | None = None
) -> sa.Column[object]:
    key = sa.ForeignKey(f"{to}.id", name=f"fk_{table}_{name}", ondelete=ondelete)
    return sa.Column(name, sa.Uuid(), key, nullable=null)


def _inbox_thread() -> None:
    _table(
        "inbox_thread",
        sa.Column("channel", WORD, nullable=False),
        sa.Column("handle", sa.String(), nullable=False),
        _key("inbox_thread", "member_id", "member", null=True),
        _key("inbox_thread", "lead_id", "lead", null=True, ondelete="SET NULL"),
        sa.Column("status", WORD, nullable=False),
        _key("inbox_thread", "assignee_id", "staff", null=True),
        sa.Column("unread", sa.Integer(), nullable=False),
        sa.Column("last_inbound_at", INSTANT, nullable=True),
        sa.Column("last_message_at", INSTANT, nullable=False),
        sa.Column("closed_at", INSTANT, nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.UniqueConstraint(
            "org_id", "channel", "handle", name="uq_inbox_thread_org_id_channel_handle"
        ),
        indexed=("assignee_id", "lead_id", "member_id"),
    )
    op.create_index("ix_inbox_thread_latest", "inbox_thread", ["org_id", "last_message_at"])


def _inbox_message() -> None:
    _table(
        "inbox_message",
        _key("inbox_message", "thread_id", "inbox_thread", ondelete="CASCADE"),
        sa.Column("direction", WORD, nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("template_id", sa.Uuid(), nullable=True),
        sa.Column("state", WORD, nullable=True),
        sa.Column("error_code", sa.Integer(), nullable=True),
    )
    op.create_index("ix_inbox_message_thread", "inbox_message", ["thread_id", "at"])


def _inbox_draft() -> None:
    _table(
        "inbox_draft",
        _key("inbox_draft", "thread_id", "inbox_thread", ondelete="CASCADE"),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=False),
        sa.UniqueConstraint("thread_id", name="uq_inbox_draft_thread_id"),
    )


def _form_template() -> None:
    _table(
        "form_template",
        sa.Column("kind", WORD, nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("current", sa.Integer(), nullable=False),
    )


def _form_version() -> None:
    _table(
        "form_version",
        _key("form_version", "template_id", "form_template", ondelete="CASCADE"),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("fields", JSONB(), nullable=False),
        sa.Column("requires_signature", sa.Boolean(), nullable=False),
        sa.Column("valid_for_days", sa.Integer(), nullable=True),
        sa.UniqueConstraint("template_id", "number", name="uq_form_version_template_id_number"),
    )


def _form_instance() -> None:
    _table(
        "form_instance",
        _key("form_instance", "template_id", "form_template", ondelete="CASCADE"),
        _key("form_instance", "version_id", "form_version", ondelete="CASCADE"),
        _key("form_instance", "member_id", "member"),
        sa.Column("status", WORD, nullable=False),
        sa.Column("channel", WORD, nullable=False),
        sa.Column("due_on", sa.Date(), nullable=True),
        sa.Column("expires_on", sa.Date(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=True),
        sa.Column("sent_at", INSTANT, nullable=False),
        sa.Column("sent_by", sa.Uuid(), nullable=True),
        sa.Column("opened_at", INSTANT, nullable=True),
        sa.Column("submitted_at", INSTANT, nullable=True),
        sa.Column("valid_until", sa.Date(), nullable=True),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.Column("decision", WORD, nullable=True),
        sa.Column("review_note", sa.String(), nullable=True),
        sa.Column("reviewed_by", sa.Uuid(), nullable=True),
        sa.Column("reviewed_at", INSTANT, nullable=True),
        sa.UniqueConstraint("token_hash", name="uq_form_instance_token_hash"),
        indexed=("member_id", "version_id"),
        platform_reads=True,  # a link knows its secret and no org
    )
    op.create_index(
        "ix_form_instance_latest", "form_instance", ["template_id", "member_id", "sent_at"]
    )


def _form_response() -> None:
    _table(
        "form_response",
        _key("form_response", "instance_id", "form_instance"),
        sa.Column("answers", sa.String(), nullable=False),
        sa.Column("signed_at", INSTANT, nullable=False),
        sa.UniqueConstraint("instance_id", name="uq_form_response_instance_id"),
    )
    policies.append_only(op.get_bind(), "form_response")
    policies.erasable(op.get_bind(), "form_response", "answers")
