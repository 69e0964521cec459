"""Tasks of the staff, and leads with what was done about them."""

import sqlalchemy as sa
from alembic import op

from app.core import policies

revision = "growth"
down_revision = "conversation"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
TABLES = ("task", "task_event", "lead", "lead_activity")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _task()
    _task_event()
    _lead()
    _lead_activity()


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in reversed(TABLES):
        op.drop_table(table)


def _table(name: str, *items: sa.schema.SchemaItem, indexed: tuple[str, ...]) -> None:
    """Create a table of an org with the columns that every one has, and its wall."""
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
    for column in ("org_id", *indexed):
        op.create_index(f"ix_{name}_{column}", name, [column])
    policies.org_table(op.get_bind(), name)


def _text(name: str, *, null: bool = True) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=null)


def _word(name: str, *, null: bool = False) -> sa.Column[str]:
    """A closed set, kept as short text."""
    return sa.Column(name, sa.String(20), nullable=null)


def _time(name: str, *, null: bool = True) -> sa.Column[object]:
    return sa.Column(name, INSTANT, nullable=null)


def _key(
    table: str, name: str, to: str, *, null: bool = True, ondelete: str | None = None
) -> sa.Column[object]:
    key = sa.ForeignKey(f"{to}.id", name=f"fk_{table}_{name}", ondelete=ondelete)
    return sa.Column(name, sa.Uuid(), key, nullable=null)


def _task() -> None:
    _table(
        "task",
        _text("title", null=False),
        _text("notes"),
        _time("due_at"),
        _word("priority"),
        _word("status"),
        _key("task", "assignee_id", "staff"),
        _key("task", "member_id", "member"),
        sa.Column("lead_id", sa.Uuid(), nullable=True),
        _word("source"),
        _time("completed_at"),
        _text("outcome"),
        indexed=("assignee_id", "lead_id", "member_id"),
    )
    op.create_index(
        "ix_task_open", "task", ["org_id", "due_at"], postgresql_where=sa.text("status = 'open'")
    )


def _task_event() -> None:
    _table(
        "task_event",
        _key("task_event", "task_id", "task", null=False, ondelete="CASCADE"),
        _word("kind"),
        _time("at", null=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        _text("note"),
        indexed=("task_id",),
    )


def _lead() -> None:
    _table(
        "lead",
        _text("first_name", null=False),
        _text("last_name", null=False),
        _text("phone", null=False),
        _text("email"),
        _text("language", null=False),
        _word("source"),
        _text("campaign"),
        _word("stage"),
        _time("stage_since", null=False),
        _key("lead", "owner_id", "staff"),
        _text("interest"),
        _text("notes"),
        _time("next_follow_up_at"),
        _key("lead", "trial_booking_id", "booking"),
        _key("lead", "converted_member_id", "member"),
        _time("converted_at"),
        _word("lost_reason", null=True),
        _time("lost_at"),
        indexed=("converted_member_id", "owner_id", "phone"),
    )
    op.create_index(
        "uq_lead_open_phone",
        "lead",
        ["org_id", "phone"],
        unique=True,
        postgresql_where=sa.text("stage NOT IN ('won', 'lost')"),
    )


def _lead_activity() -> None:
    _table(
        "lead_activity",
        _key("lead_activity", "lead_id", "lead", null=False, ondelete="CASCADE"),
        _word("kind"),
        _word("stage", null=True),
        _word("outcome", null=True),
        _text("body"),
        _time("occurred_at", null=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        indexed=("lead_id",),
    )
