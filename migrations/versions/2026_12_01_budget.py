"""A gym's day of model calls under its cap: what is spent, what calls under way may still cost."""

import sqlalchemy as sa
from alembic import op

from app.core import policies

revision = "budget"
down_revision = "reads"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("usage", sa.Column("day", sa.Date(), nullable=True))
    op.create_table(
        "usage_day",
        *_row(),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("spent_micros", sa.BigInteger(), nullable=False),
        sa.Column("held_micros", sa.BigInteger(), nullable=False),
        sa.Column("warned_turn", sa.Uuid(), nullable=True),
        sa.UniqueConstraint("org_id", "day", name=op.f("uq_usage_day_org_id_day")),
    )
    op.create_table(
        "budget_hold",
        *_row(),
        sa.Column("conversation_id", sa.Uuid(), nullable=False),
        sa.Column("turn_id", sa.Uuid(), nullable=False),
        sa.Column("lane", sa.String(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("micros", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
    )
    for table in ("usage_day", "budget_hold"):
        op.create_index(f"ix_{table}_org_id", table, ["org_id"])
    op.create_index("ix_budget_hold_lane", "budget_hold", ["lane"])
    policies.org_table(op.get_bind(), "usage_day")
    policies.org_table(op.get_bind(), "budget_hold", platform_reads=True)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("budget_hold")
    op.drop_table("usage_day")
    op.drop_column("usage", "day")


def _row() -> list[sa.Column[object]]:
    return [
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
    ]
