"""Why a booking's credit came back though the rules keep it."""

import sqlalchemy as sa
from alembic import op

revision = "schedule_2"
down_revision = "background"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("booking", sa.Column("refund_reason", sa.String(), nullable=True))


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("booking", "refund_reason")
