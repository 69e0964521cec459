"""Forms: when a template was edited, and links apart from what was sent."""

import sqlalchemy as sa
from alembic import op

from app.core import policies

revision = "growth_3"
down_revision = "reach_3"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    edited_at = sa.Column("edited_at", INSTANT, nullable=False, server_default=sa.func.now())
    op.add_column("form_template", edited_at)
    op.alter_column("form_template", "edited_at", server_default=None)
    op.drop_column("form_instance", "token_hash")
    op.execute("DROP POLICY form_instance_platform ON form_instance")
    op.execute("REVOKE SELECT ON form_instance FROM spotter_platform")
    _form_link()


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("form_link")
    op.execute(
        "CREATE POLICY form_instance_platform ON form_instance FOR SELECT TO spotter_platform "
        "USING (true)"
    )
    op.execute("GRANT SELECT ON form_instance TO spotter_platform")
    op.add_column("form_instance", sa.Column("token_hash", sa.String(), nullable=True))
    op.create_unique_constraint("uq_form_instance_token_hash", "form_instance", ["token_hash"])
    op.drop_column("form_template", "edited_at")


def _form_link() -> None:
    of = sa.ForeignKey("form_instance.id", name="fk_form_link_instance_id", ondelete="CASCADE")
    op.create_table(
        "form_link",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("instance_id", sa.Uuid(), of, nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("undelivered_at", INSTANT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_form_link"),
        sa.UniqueConstraint("instance_id", name="uq_form_link_instance_id"),
        sa.UniqueConstraint("token_hash", name="uq_form_link_token_hash"),
    )
    op.create_index("ix_form_link_org_id", "form_link", ["org_id"])
    policies.org_table(op.get_bind(), "form_link")
