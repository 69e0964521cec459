"""The platform looks up which gyms know the number of somebody who writes; nothing else of them."""

from alembic import op

revision = "hearing"
down_revision = "terms"
branch_labels = None
depends_on = None

TABLES = ("member", "lead")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in TABLES:
        op.execute(
            f"CREATE POLICY {table}_platform ON {table} FOR SELECT TO spotter_platform USING (true)"
        )
        op.execute(f"GRANT SELECT (org_id, phone) ON {table} TO spotter_platform")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in TABLES:
        op.execute(f"REVOKE SELECT (org_id, phone) ON {table} FROM spotter_platform")  # noqa: S608 - names of ours
        op.execute(f"DROP POLICY {table}_platform ON {table}")
