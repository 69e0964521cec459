"""People: what is known of a member, notes, invitations, and the role that erases."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

from app.core import policies
from app.core.db import ERASER_ROLE

revision = "people"
down_revision = "commerce"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
WORD = sa.String(20)
OF_MEMBER = (
    ("display_name", sa.String()),
    ("phone_extension", sa.String()),
    ("gender", WORD),
    ("weight_unit", sa.String()),
    ("emergency_contact", sa.String()),
    ("photo_url", sa.String()),
    ("suspended_from", WORD),
    ("suspend_reason", sa.String()),
    ("suspended_at", INSTANT),
    ("archived_from", WORD),
    ("archive_reason", sa.String()),
    ("archived_at", INSTANT),
    ("erased_at", INSTANT),
    ("erased_basis", WORD),
)
ERASED = (
    ("credit_ledger", "note"),
    ("membership_extension", "reason"),
    ("turn_event", "body"),
)
"""What only grows, and holds words that somebody wrote."""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name, kind in OF_MEMBER:
        op.add_column("member", sa.Column(name, kind, nullable=True))
    _member_note()
    _invitation()
    policies.create_roles(op.get_bind(), (ERASER_ROLE,))
    for table, column in ERASED:
        policies.erasable(op.get_bind(), table, column)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table, _ in ERASED:
        policies.no_longer_erasable(op.get_bind(), table)
    op.drop_table("invitation")
    op.drop_table("member_note")
    for name, _ in reversed(OF_MEMBER):
        op.drop_column("member", name)


def _table(name: str, *items: sa.schema.SchemaItem) -> None:
    """Create a table with the columns that every one has, walled in."""
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
    op.create_index(f"ix_{name}_org_id", name, ["org_id"])
    op.create_index(f"ix_{name}_member_id", name, ["member_id"])
    policies.org_table(op.get_bind(), name)


def _member_note() -> None:
    _table(
        "member_note",
        sa.Column(
            "member_id",
            sa.Uuid(),
            sa.ForeignKey("member.id", name="fk_member_note_member_id"),
            nullable=False,
        ),
        sa.Column("author_id", sa.Uuid(), nullable=False),
        sa.Column("kind", WORD, nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.Column("visible_to_roles", ARRAY(sa.Text()), nullable=False),
    )


def _invitation() -> None:
    _table(
        "invitation",
        sa.Column("kind", WORD, nullable=False),
        sa.Column("role", WORD, nullable=True),
        sa.Column(
            "member_id",
            sa.Uuid(),
            sa.ForeignKey("member.id", name="fk_invitation_member_id"),
            nullable=True,
        ),
        sa.Column("first_name", sa.String(), nullable=False),
        sa.Column("last_name", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("channel", WORD, nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("plan_id", sa.Uuid(), nullable=True),
        sa.Column("token_hash", sa.String(), nullable=True),
        sa.Column("status", WORD, nullable=False),
        sa.Column("sent_at", INSTANT, nullable=True),
        sa.Column("send_count", sa.Integer(), nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("invited_by", sa.Uuid(), nullable=True),
        sa.Column("accepted_at", INSTANT, nullable=True),
        sa.UniqueConstraint("token_hash", name="uq_invitation_token_hash"),
    )
    op.create_index("ix_invitation_address", "invitation", ["org_id", "address"])
