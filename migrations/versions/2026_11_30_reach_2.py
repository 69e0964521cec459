"""What of the studio a message to a phone carries, and the template that says it."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "reach_2"
down_revision = "schedule_2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("outbound_message", sa.Column("content_sid", sa.String(), nullable=True))
    op.add_column("outbound_message", sa.Column("content_variables", JSONB(), nullable=True))
    op.add_column("outbound_message", sa.Column("about", sa.String(), nullable=True))


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for column in ("about", "content_variables", "content_sid"):
        op.drop_column("outbound_message", column)
