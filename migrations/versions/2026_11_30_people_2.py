"""The links of invitations apart from them."""

import sqlalchemy as sa
from alembic import op

from app.core import policies

revision = "people_2"
down_revision = "commerce_2"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_constraint("uq_invitation_token_hash", "invitation")
    for name in ("token_hash", "sent_at", "send_count"):
        op.drop_column("invitation", name)
    op.create_table(
        "invitation_link",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column(
            "invitation_id",
            sa.Uuid(),
            sa.ForeignKey("invitation.id", name="fk_invitation_link_invitation_id"),
            nullable=False,
        ),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("sent_at", INSTANT, nullable=False),
        sa.Column("failed", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_invitation_link"),
        sa.UniqueConstraint("token_hash", name="uq_invitation_link_token_hash"),
    )
    for column in ("org_id", "invitation_id"):
        op.create_index(f"ix_invitation_link_{column}", "invitation_link", [column])
    policies.org_table(op.get_bind(), "invitation_link")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("invitation_link")
    op.add_column("invitation", sa.Column("token_hash", sa.String(), nullable=True))
    op.add_column("invitation", sa.Column("sent_at", INSTANT, nullable=True))
    none = sa.text("0")
    op.add_column(
        "invitation", sa.Column("send_count", sa.Integer(), nullable=False, server_default=none)
    )
    op.alter_column("invitation", "send_count", server_default=None)
    op.create_unique_constraint("uq_invitation_token_hash", "invitation", ["token_hash"])
