"""Number the history of memberships as it is written, and say what takes back what."""

import sqlalchemy as sa
from alembic import op

revision = "commerce_2"
down_revision = "programs_2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("membership_change", "step")
    op.add_column(
        "membership_change", sa.Column("step", sa.BigInteger(), sa.Identity(), nullable=False)
    )
    op.add_column(
        "membership_change",
        sa.Column(
            "settles_id",
            sa.Uuid(),
            sa.ForeignKey("membership_change.id", name="fk_membership_change_settles_id"),
            nullable=True,
        ),
    )
    op.create_unique_constraint(
        "uq_membership_change_settles_id", "membership_change", ["settles_id"]
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("membership_change", "settles_id")
    op.drop_column("membership_change", "step")
    op.add_column(
        "membership_change",
        sa.Column("step", sa.Integer(), server_default=sa.text("1"), nullable=False),
    )
    op.alter_column("membership_change", "step", server_default=None)
