"""Which lane a turn took, and whether the main model had to take it over."""

import sqlalchemy as sa
from alembic import op

revision = "lanes"
down_revision = "budget"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("turn", sa.Column("lane", sa.String(), nullable=True))
    handed: sa.Column[bool] = sa.Column(
        "handed_over", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("turn", handed)
    op.alter_column("turn", "handed_over", server_default=None)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("turn", "handed_over")
    op.drop_column("turn", "lane")
