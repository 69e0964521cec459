"""Quiet hours of an automation's own, and what was known when it was set off."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "reach_3"
down_revision = "people_2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("automation", "quiet_hours")
    op.add_column("automation", sa.Column("quiet_from", sa.Time(), nullable=True))
    op.add_column("automation", sa.Column("quiet_to", sa.Time(), nullable=True))
    nothing = sa.text("'{}'::jsonb")
    facts = sa.Column("facts", JSONB(), nullable=False, server_default=nothing)
    op.add_column("automation_run", facts)
    op.alter_column("automation_run", "facts", server_default=None)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("automation_run", "facts")
    op.drop_column("automation", "quiet_to")
    op.drop_column("automation", "quiet_from")
    yes = sa.text("true")
    quiet: sa.Column[bool] = sa.Column(
        "quiet_hours", sa.Boolean(), nullable=False, server_default=yes
    )
    op.add_column("automation", quiet)
    op.alter_column("automation", "quiet_hours", server_default=None)
