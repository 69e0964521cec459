"""A class has a workout once, and one that was taken off it can be put back as it was."""

import sqlalchemy as sa
from alembic import op

revision = "programs_2"
down_revision = "reach_2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column(
        "session_workout",
        sa.Column("removed", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.alter_column("session_workout", "removed", server_default=None)
    op.create_unique_constraint(
        "uq_session_workout_session_id_workout_id", "session_workout", ["session_id", "workout_id"]
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_constraint("uq_session_workout_session_id_workout_id", "session_workout")
    op.drop_column("session_workout", "removed")
