"""Let an undo take out the member a lead became before the lead is as it was."""

from alembic import op

revision = "growth_3"
down_revision = "schedule_2"
branch_labels = None
depends_on = None

KEY = "fk_lead_converted_member_id"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _replace("DEFERRABLE INITIALLY IMMEDIATE")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _replace("NOT DEFERRABLE")


def _replace(when: str) -> None:
    op.execute(f"ALTER TABLE lead ALTER CONSTRAINT {KEY} {when}")
