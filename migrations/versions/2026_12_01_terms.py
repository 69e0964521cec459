"""Memberships keep what was agreed: credits, weekly limit, class types and rules for freezes."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

revision = "terms"
down_revision = "figures"
branch_labels = None
depends_on = None

_FILLED = ("membership", "membership_plan")
_COLUMNS = ("credits_per_period", "weekly_visit_limit", "class_type_ids", "freeze_policy")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("membership", sa.Column("credits_per_period", sa.Integer(), nullable=True))
    op.add_column("membership", sa.Column("weekly_visit_limit", sa.Integer(), nullable=True))
    op.add_column("membership", sa.Column("class_type_ids", ARRAY(sa.Uuid()), nullable=True))
    op.add_column("membership", sa.Column("freeze_policy", JSONB(), nullable=True))
    _fill()
    op.alter_column("membership", "class_type_ids", nullable=False)
    op.alter_column("membership", "freeze_policy", nullable=False)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for column in reversed(_COLUMNS):
        op.drop_column("membership", column)


def _fill() -> None:
    """From each one's plan, as it was read until now; FORCE is off: these are rows of every org."""
    for table in _FILLED:
        op.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    copied = ", ".join(f"{column} = membership_plan.{column}" for column in _COLUMNS)
    op.execute(
        f"UPDATE membership SET {copied} FROM membership_plan "  # noqa: S608 - columns of ours
        "WHERE membership_plan.id = membership.plan_id"
    )
    for table in _FILLED:
        op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
