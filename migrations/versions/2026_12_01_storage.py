"""What each gym keeps, day by day."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from app.core import policies

revision = "storage"
down_revision = "buttons"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "storage_snapshot",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=True),
        sa.Column("rows", sa.BigInteger(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("tables", JSONB(), nullable=False),
        sa.UniqueConstraint("org_id", "day", postgresql_nulls_not_distinct=True),
    )
    policies.platform_table(op.get_bind(), "storage_snapshot")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("storage_snapshot")
