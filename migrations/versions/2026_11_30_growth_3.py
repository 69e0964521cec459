"""Forms: when a template was edited, links that didn't arrive; a link's page names its gym."""

import sqlalchemy as sa
from alembic import op

revision = "growth_3"
down_revision = "commerce_2"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    edited_at = sa.Column("edited_at", INSTANT, nullable=False, server_default=sa.func.now())
    op.add_column("form_template", edited_at)
    op.alter_column("form_template", "edited_at", server_default=None)
    op.add_column("form_instance", sa.Column("undelivered_at", INSTANT, nullable=True))
    op.execute("DROP POLICY form_instance_platform ON form_instance")
    op.execute("REVOKE SELECT ON form_instance FROM spotter_platform")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute(
        "CREATE POLICY form_instance_platform ON form_instance FOR SELECT TO spotter_platform "
        "USING (true)"
    )
    op.execute("GRANT SELECT ON form_instance TO spotter_platform")
    op.drop_column("form_instance", "undelivered_at")
    op.drop_column("form_template", "edited_at")
