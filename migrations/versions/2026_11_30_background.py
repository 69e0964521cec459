"""Tasks of the background, and from when on a call's undo has its time."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from app.core import policies

revision = "background"
down_revision = "growth_2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    settle_calls()
    op.create_table(
        "background_task",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("call_id", sa.Uuid(), sa.ForeignKey("tool_call.id"), nullable=False, unique=True),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("via", sa.String(20), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("conversation_id", sa.Uuid()),
        sa.Column("tool", sa.String(80), nullable=False),
        sa.Column("choice", sa.String()),
        sa.Column("items", JSONB(), nullable=False),
        sa.Column("started", JSONB(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("sums", JSONB(), nullable=False),
        sa.Column("left_out", JSONB(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
    )
    for column in ("org_id", "conversation_id"):
        op.create_index(f"ix_background_task_{column}", "background_task", [column])
    op.create_index(
        "ix_background_task_live",
        "background_task",
        ["updated_at"],
        postgresql_where=sa.text("state IN ('queued', 'running')"),
    )
    policies.org_table(op.get_bind(), "background_task", platform_reads=True)


def settle_calls() -> None:
    """Calls of before are taken to be settled now: row-level security keeps us from their times."""
    op.add_column(
        "tool_call",
        sa.Column(
            "settled_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()
        ),
    )
    op.alter_column("tool_call", "settled_at", server_default=None)
    op.drop_index("ix_tool_call_person", "tool_call")
    op.create_index("ix_tool_call_person", "tool_call", ["org_id", "user_id", "settled_at"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("background_task")
    op.drop_index("ix_tool_call_person", "tool_call")
    op.drop_column("tool_call", "settled_at")
    op.create_index("ix_tool_call_person", "tool_call", ["org_id", "user_id", "created_at"])
