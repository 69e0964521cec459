"""What stands for a conversation's older turns where the model is told of them."""

import sqlalchemy as sa
from alembic import op

from app.core import policies

revision = "summaries"
down_revision = "storage"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "turn_summary",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("conversation_id", sa.Uuid(), nullable=False),
        sa.Column("until", sa.Integer(), nullable=False),
        sa.Column("serves", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("things", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversation.id"],
            name=op.f("fk_turn_summary_conversation_id"),
        ),
        sa.UniqueConstraint(
            "conversation_id", "until", name=op.f("uq_turn_summary_conversation_id_until")
        ),
    )
    op.create_index("ix_turn_summary_org_id", "turn_summary", ["org_id"])
    policies.org_table(op.get_bind(), "turn_summary")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("turn_summary")
