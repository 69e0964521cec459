"""Calls, the rows they touched, questions, audit and receipt numbers."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from app.core import policies

revision = "kit"
down_revision = "studio"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    create_calls()
    create_questions()
    create_audit()
    for table in ("tool_call", "touched_row", "receipt_counter"):
        policies.org_table(op.get_bind(), table)
    for table in ("question", "audit_log"):
        policies.org_table(op.get_bind(), table, platform_reads=table == "question")
    policies.append_only(op.get_bind(), "audit_log")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in ("receipt_counter", "audit_log", "question", "touched_row", "tool_call"):
        op.drop_table(table)


def create_calls() -> None:
    op.create_table(
        "tool_call",
        *org_columns(),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("via", sa.String(20), nullable=False),
        sa.Column("origin", sa.String(60), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("conversation_id", sa.Uuid()),
        sa.Column("turn_id", sa.Uuid()),
        sa.Column("tool", sa.String(80), nullable=False),
        sa.Column("args", JSONB(), nullable=False),
        sa.Column("args_hash", sa.String(32), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("outcome", JSONB()),
        sa.Column("undo", sa.String(80)),
        sa.Column("receipt", sa.Integer()),
        sa.Column("undone_at", sa.DateTime(timezone=True)),
        sa.Column("undoes", sa.Uuid(), sa.ForeignKey("tool_call.id"), unique=True),
        sa.UniqueConstraint("org_id", "origin", "key"),
    )
    op.create_index("ix_tool_call_org_id", "tool_call", ["org_id"])
    op.create_index("ix_tool_call_conversation_id", "tool_call", ["conversation_id"])
    op.create_index("ix_tool_call_person", "tool_call", ["org_id", "user_id", "created_at"])
    op.create_table(
        "touched_row",
        *org_columns(),
        sa.Column("call_id", sa.Uuid(), sa.ForeignKey("tool_call.id"), nullable=False),
        sa.Column("table_name", sa.String(63), nullable=False),
        sa.Column("row_id", sa.Uuid(), nullable=False),
        sa.Column("before", JSONB()),
        sa.Column("after", sa.Integer()),
    )
    op.create_index("ix_touched_row_org_id", "touched_row", ["org_id"])
    op.create_index("ix_touched_row_call_id", "touched_row", ["call_id"])
    op.create_index("ix_touched_row_row", "touched_row", ["org_id", "row_id"])
    op.create_table(
        "receipt_counter",
        *org_columns(),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.UniqueConstraint("org_id", "user_id"),
    )
    op.create_index("ix_receipt_counter_org_id", "receipt_counter", ["org_id"])


def create_questions() -> None:
    op.create_table(
        "question",
        *org_columns(),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("conversation_id", sa.Uuid()),
        sa.Column("turn_id", sa.Uuid()),
        sa.Column("via", sa.String(20), nullable=False),
        sa.Column("origin", sa.String(60)),
        sa.Column("key", sa.String(200)),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("card", JSONB(), nullable=False),
        sa.Column("calls", JSONB(), nullable=False),
        sa.Column("token", sa.String(40), nullable=False, unique=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("decisions", JSONB(), nullable=False),
        sa.Column("decided_by", sa.Uuid()),
        sa.Column("decided_where", sa.String(20)),
        sa.Column("decided_at", sa.DateTime(timezone=True)),
    )
    for column in ("org_id", "conversation_id", "turn_id"):
        op.create_index(f"ix_question_{column}", "question", [column])
    op.create_index("ix_question_person", "question", ["org_id", "user_id", "state"])
    still_open = sa.text("state = 'open'")
    op.create_index("ix_question_due", "question", ["expires_at"], postgresql_where=still_open)
    op.create_index(
        "uq_question_open_key",
        "question",
        ["org_id", "origin", "key"],
        unique=True,
        postgresql_where=still_open,
    )


def create_audit() -> None:
    op.create_table(
        "audit_log",
        *org_columns(),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("via", sa.String(20), nullable=False),
        sa.Column("origin", sa.String(60), nullable=False),
        sa.Column("tool", sa.String(80), nullable=False),
        sa.Column("result", sa.String(80), nullable=False),
        sa.Column("entity", sa.String(63)),
        sa.Column("entity_id", sa.Uuid()),
        sa.Column("call_id", sa.Uuid()),
        sa.Column("question_id", sa.Uuid()),
        sa.Column("detail", JSONB(), nullable=False),
    )
    for column in ("org_id", "user_id", "call_id"):
        op.create_index(f"ix_audit_log_{column}", "audit_log", [column])
    op.create_index("ix_audit_log_time", "audit_log", ["org_id", "created_at"])
    op.create_index("ix_audit_log_entity", "audit_log", ["org_id", "entity", "entity_id"])


def org_columns() -> list[sa.Column[object]]:
    return [
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
    ]
