"""Options that a phone may tap, and what the provider keeps to show them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from app.core import policies

revision = "buttons"
down_revision = "upkeep"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("outbound_message", sa.Column("buttons", JSONB(), nullable=True))
    op.create_table(
        "content_shape",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("shape", sa.String(), nullable=False),
        sa.Column("sid", sa.String(), nullable=False),
        sa.UniqueConstraint("provider", "account", "shape"),
    )
    policies.platform_table(op.get_bind(), "content_shape")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("content_shape")
    op.drop_column("outbound_message", "buttons")
