"""The platform looks for templates that wait for approval, and no more at what it needn't."""

from alembic import op

revision = "reach_4"
down_revision = "arbox"
branch_labels = None
depends_on = None

NOT_NEEDED = ("announcement", "broadcast", "automation_run")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _let("message_template")
    for table in NOT_NEEDED:
        _keep_out(table)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _keep_out("message_template")
    for table in NOT_NEEDED:
        _let(table)


def _let(table: str) -> None:
    op.execute(
        f"CREATE POLICY {table}_platform ON {table} FOR SELECT TO spotter_platform USING (true)"
    )
    op.execute(f"GRANT SELECT ON {table} TO spotter_platform")


def _keep_out(table: str) -> None:
    op.execute(f"REVOKE SELECT ON {table} FROM spotter_platform")  # noqa: S608 - names of ours
    op.execute(f"DROP POLICY {table}_platform ON {table}")
