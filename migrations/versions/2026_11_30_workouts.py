"""Workouts: a gym's own exercises, workouts with their parts, results and records."""

from uuid import UUID

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from app.core import policies

revision = "workouts"
down_revision = "growth"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
TABLES = (
    "exercise",
    "workout",
    "workout_section",
    "workout_movement",
    "movement_scaling",
    "workout_result",
    "personal_record",
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _exercise()
    _workout()
    _workout_section()
    _workout_movement()
    _movement_scaling()
    _workout_result()
    _personal_record()


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in reversed(TABLES):
        op.drop_table(table)


def _table(name: str, *items: sa.schema.SchemaItem) -> None:
    """Create a table of an org, walled in, with the columns that every one has."""
    op.create_table(
        name,
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        *items,
        sa.PrimaryKeyConstraint("id", name=f"pk_{name}"),
    )
    _indexes(name, "org_id")
    policies.org_table(op.get_bind(), name)


def _indexes(table: str, *columns: str) -> None:
    for column in columns:
        op.create_index(f"ix_{table}_{column}", table, [column])


def _refers(table: str, column: str, to: str, *, nullable: bool = False) -> sa.Column[UUID]:
    key = sa.ForeignKey(f"{to}.id", name=f"fk_{table}_{column}")
    return sa.Column(column, sa.Uuid(), key, nullable=nullable)


def _exercise() -> None:
    _table(
        "exercise",
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("aliases", ARRAY(sa.Text()), nullable=False),
        sa.Column("equipment", ARRAY(sa.Text()), nullable=False),
        sa.Column("measure", sa.String(20), nullable=False),
        sa.Column("video_url", sa.String(), nullable=True),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.UniqueConstraint("org_id", "slug", name="uq_exercise_org_id_slug"),
    )


def _workout() -> None:
    _table(
        "workout",
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("visibility", sa.String(20), nullable=False),
        sa.Column("tags", ARRAY(sa.Text()), nullable=False),
        sa.Column("est_minutes", sa.Integer(), nullable=True),
        sa.Column("coach_notes", sa.String(), nullable=True),
        sa.Column("member_notes", sa.String(), nullable=True),
        sa.Column("source_text", sa.String(), nullable=True),
        sa.Column("benchmark_key", sa.String(), nullable=True),
        sa.Column("created_by", sa.Uuid(), nullable=True),
    )
    op.create_index("ix_workout_tags", "workout", ["tags"], postgresql_using="gin")
    _indexes("workout", "benchmark_key")


def _workout_section() -> None:
    _table(
        "workout_section",
        _refers("workout_section", "workout_id", "workout"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("title", sa.String(), nullable=True),
        sa.Column("scheme", JSONB(), nullable=False),
        sa.Column("score", sa.String(20), nullable=False),
        sa.Column("notes", sa.String(), nullable=True),
    )
    _indexes("workout_section", "workout_id")


def _workout_movement() -> None:
    _table(
        "workout_movement",
        _refers("workout_movement", "section_id", "workout_section"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("exercise", sa.String(), nullable=True),
        sa.Column("dose", JSONB(), nullable=False),
    )
    _indexes("workout_movement", "exercise", "section_id")


def _movement_scaling() -> None:
    _table(
        "movement_scaling",
        _refers("movement_scaling", "movement_id", "workout_movement"),
        sa.Column("level", sa.String(20), nullable=False),
        sa.Column("exercise", sa.String(), nullable=True),
        sa.Column("dose", JSONB(), nullable=False),
    )
    _indexes("movement_scaling", "movement_id")


def _workout_result() -> None:
    _table(
        "workout_result",
        _refers("workout_result", "workout_id", "workout"),
        sa.Column("section_id", sa.Uuid(), nullable=True),
        _refers("workout_result", "member_id", "member"),
        sa.Column("class_session_id", sa.Uuid(), nullable=True),
        sa.Column("assignment_day_id", sa.Uuid(), nullable=True),
        sa.Column("performed_on", sa.Date(), nullable=False),
        sa.Column("score_type", sa.String(20), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=True),
        sa.Column("score_value", sa.BigInteger(), nullable=False),
        sa.Column("capped", sa.Boolean(), nullable=False),
        sa.Column("unit", sa.String(20), nullable=True),
        sa.Column("score_text", sa.String(), nullable=False),
        sa.Column("rx_level", sa.String(20), nullable=False),
        sa.Column("is_pr", sa.Boolean(), nullable=False),
        sa.Column("notes", sa.String(), nullable=True),
        sa.Column("logged_by", sa.Uuid(), nullable=True),
    )
    op.create_index("ix_workout_result_ranked", "workout_result", ["workout_id", "performed_on"])
    _indexes("workout_result", "assignment_day_id", "class_session_id", "member_id")


def _personal_record() -> None:
    _table(
        "personal_record",
        _refers("personal_record", "member_id", "member"),
        sa.Column("exercise", sa.String(), nullable=False),
        sa.Column("rep_max", sa.Integer(), nullable=False),
        sa.Column("value_g", sa.Integer(), nullable=False),
        sa.Column("unit", sa.String(20), nullable=False),
        sa.Column("achieved_on", sa.Date(), nullable=False),
        _refers("personal_record", "result_id", "workout_result", nullable=True),
    )
    op.create_index(
        "ix_personal_record_lift", "personal_record", ["member_id", "exercise", "rep_max"]
    )
    _indexes("personal_record", "result_id")
