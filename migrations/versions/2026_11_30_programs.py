"""Programs, their templates, what was assigned of them, and the workout of the day."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from app.core import policies

revision = "programs"
down_revision = "reach"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
TABLES = (
    "program_template",
    "program",
    "program_week",
    "program_day",
    "program_workout",
    "assignment",
    "assignment_day",
    "assignment_pause",
    "daily_programming",
    "session_workout",
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _program_template()
    _program()
    _program_week()
    _program_day()
    _program_workout()
    _assignment()
    _assignment_day()
    _assignment_pause()
    _daily_programming()
    _session_workout()


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


def _words(*names: str) -> tuple[sa.Column[str], ...]:
    """Texts that may be missing."""
    return tuple(sa.Column(name, sa.String(), nullable=True) for name in names)


def _refers(
    table: str, column: str, to: str, *, on_delete: str | None = None, nullable: bool = False
) -> sa.Column[object]:
    name = f"fk_{table}_{column}"
    key = sa.ForeignKey(f"{to}.id", name=name, ondelete=on_delete)
    return sa.Column(column, sa.Uuid(), key, nullable=nullable)


def _program_template() -> None:
    _table(
        "program_template",
        sa.Column("title", sa.String(), nullable=False),
        *_words("description", "goal"),
        sa.Column("level", sa.String(20), nullable=False),
        sa.Column("parameters", JSONB(), nullable=False),
        sa.Column("body", JSONB(), nullable=False),
        _refers("program_template", "owner_id", "staff", nullable=True),
    )


def _program() -> None:
    _table(
        "program",
        sa.Column("title", sa.String(), nullable=False),
        *_words("description", "goal"),
        sa.Column("level", sa.String(20), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        _refers("program", "owner_id", "staff", nullable=True),
        _refers("program", "template_id", "program_template", on_delete="SET NULL", nullable=True),
    )
    _indexes("program", "template_id")


def _program_week() -> None:
    _table(
        "program_week",
        _refers("program_week", "program_id", "program", on_delete="CASCADE"),
        sa.Column("number", sa.Integer(), nullable=False),
        *_words("focus"),
        sa.UniqueConstraint(
            "program_id",
            "number",
            name="uq_program_week_program_id_number",
            deferrable=True,
            initially="DEFERRED",
        ),
    )


def _program_day() -> None:
    _table(
        "program_day",
        _refers("program_day", "week_id", "program_week", on_delete="CASCADE"),
        sa.Column("day_no", sa.Integer(), nullable=False),
        sa.Column("is_rest", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("week_id", "day_no", name="uq_program_day_week_id_day_no"),
    )


def _program_workout() -> None:
    _table(
        "program_workout",
        _refers("program_workout", "day_id", "program_day", on_delete="CASCADE"),
        _refers("program_workout", "workout_id", "workout", on_delete="CASCADE"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("loads", JSONB(), nullable=False),
    )
    _indexes("program_workout", "day_id", "workout_id")


def _assignment() -> None:
    _table(
        "assignment",
        _refers("assignment", "member_id", "member"),
        sa.Column("kind", sa.String(20), nullable=False),
        _refers("assignment", "program_id", "program", on_delete="SET NULL", nullable=True),
        _refers("assignment", "workout_id", "workout", on_delete="SET NULL", nullable=True),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        _refers("assignment", "coach_id", "staff", nullable=True),
        sa.Column("start_date", sa.Date(), nullable=False),
        sa.Column("end_date", sa.Date(), nullable=False),
        sa.Column("days_of_week", ARRAY(sa.Integer()), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("ended_on", sa.Date(), nullable=True),
        *_words("reason", "summary", "notes"),
    )
    _indexes("assignment", "member_id", "program_id", "coach_id")
    op.create_index(
        "uq_assignment_once",
        "assignment",
        ["member_id", "program_id"],
        unique=True,
        postgresql_where=sa.text("status = 'active'"),
    )


def _assignment_day() -> None:
    _table(
        "assignment_day",
        _refers("assignment_day", "assignment_id", "assignment", on_delete="CASCADE"),
        sa.Column("due_date", sa.Date(), nullable=False),
        sa.Column("week_no", sa.Integer(), nullable=False),
        sa.Column("day_no", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        _refers("assignment_day", "workout_id", "workout", on_delete="SET NULL", nullable=True),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("loads", JSONB(), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("done_at", INSTANT, nullable=True),
        *_words("note"),
    )
    _indexes("assignment_day", "workout_id")
    op.create_index("ix_assignment_day_due", "assignment_day", ["assignment_id", "due_date"])


def _assignment_pause() -> None:
    _table(
        "assignment_pause",
        _refers("assignment_pause", "assignment_id", "assignment", on_delete="CASCADE"),
        sa.Column("from_date", sa.Date(), nullable=False),
        sa.Column("until_date", sa.Date(), nullable=True),
        sa.Column("planned_until", sa.Date(), nullable=True),
        *_words("reason"),
        sa.Column("dates", JSONB(), nullable=False),
    )
    _indexes("assignment_pause", "assignment_id")


def _daily_programming() -> None:
    _table(
        "daily_programming",
        sa.Column("date", sa.Date(), nullable=False),
        _refers("daily_programming", "class_type_id", "class_type"),
        _refers("daily_programming", "workout_id", "workout", on_delete="CASCADE"),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("publish_at", INSTANT, nullable=True),
        *_words("member_notes", "coach_notes"),
        sa.Column("replaced", JSONB(), nullable=True),
        sa.UniqueConstraint(
            "org_id",
            "date",
            "class_type_id",
            name="uq_daily_programming_org_id_date_class_type_id",
        ),
    )
    _indexes("daily_programming", "class_type_id", "workout_id")


def _session_workout() -> None:
    _table(
        "session_workout",
        _refers("session_workout", "session_id", "class_session", on_delete="CASCADE"),
        _refers("session_workout", "workout_id", "workout", on_delete="CASCADE"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("visible_from", INSTANT, nullable=True),
    )
    _indexes("session_workout", "session_id", "workout_id")
