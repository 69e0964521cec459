"""Roles, extensions and the outbox."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from app.core import policies

revision = "core"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for extension in ("vector", "pg_trgm", "unaccent"):
        op.execute(f"CREATE EXTENSION IF NOT EXISTS {extension}")
    policies.create_roles(op.get_bind())
    op.create_table(
        "outbox",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("body", JSONB(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("cause", sa.Uuid(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
    )
    for column in ("org_id", "cause"):
        op.create_index(f"ix_outbox_{column}", "outbox", [column])
    waiting = sa.text("state = 'waiting'")
    op.create_index("ix_outbox_due", "outbox", ["due_at"], postgresql_where=waiting)
    policies.org_table(op.get_bind(), "outbox", platform_reads=True)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("outbox")
    for extension in ("unaccent", "pg_trgm", "vector"):
        op.execute(f"DROP EXTENSION IF EXISTS {extension}")
