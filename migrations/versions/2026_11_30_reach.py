"""Messages to members, who wants none, broadcasts, announcements and automations."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from app.core import policies

revision = "reach"
down_revision = "workouts"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
TABLES = (
    "opt_out",
    "segment",
    "message_template",
    "announcement",
    "broadcast",
    "message",
    "automation",
    "automation_run",
)
LISTED = ("announcement", "broadcast", "automation", "automation_run")
"""The platform looks through these for what is due."""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("member", sa.Column("marketing_consent_at", INSTANT, nullable=True))
    nothing = sa.text("'{}'::jsonb")
    policy = sa.Column("messaging_policy", JSONB(), nullable=False, server_default=nothing)
    op.add_column("org", policy)
    op.alter_column("org", "messaging_policy", server_default=None)
    _opt_out()
    _segment()
    _message_template()
    _announcement()
    _broadcast()
    _message()
    _automation()
    _automation_run()
    for table in TABLES:
        op.create_index(f"ix_{table}_org_id", table, ["org_id"])
        policies.org_table(op.get_bind(), table, platform_reads=table in LISTED)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in reversed(TABLES):
        op.drop_table(table)
    op.drop_column("org", "messaging_policy")
    op.drop_column("member", "marketing_consent_at")


def _table(name: str, *items: sa.schema.SchemaItem) -> None:
    """Create a table with the columns that every one has."""
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


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=null)


def _word(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(20), nullable=null)


def _at(name: str, *, null: bool = True) -> sa.Column[object]:
    return sa.Column(name, INSTANT, nullable=null)


def _id(name: str, *, null: bool = True) -> sa.Column[object]:
    return sa.Column(name, sa.Uuid(), nullable=null)


def _json(name: str, *, null: bool = False) -> sa.Column[object]:
    return sa.Column(name, JSONB(), nullable=null)


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=f"uq_{table}_{'_'.join(columns)}")


def _refers(table: str, column: str, other: str, **more: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{column}"
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=name, **more)  # type: ignore[arg-type] # only `ondelete` is given


def _opt_out() -> None:
    _table(
        "opt_out",
        _word("channel"),
        _text("address"),
        _at("opted_out_at", null=False),
        _text("source"),
        _unique("opt_out", "org_id", "channel", "address"),
    )


def _segment() -> None:
    _table("segment", _text("name"), _json("filter"), _unique("segment", "org_id", "name"))


def _message_template() -> None:
    _table(
        "message_template",
        _text("name"),
        _word("channel"),
        _text("language"),
        _word("category"),
        _text("body"),
        sa.Column("variables", ARRAY(sa.Text()), nullable=False),
        _word("provider_status"),
        _text("provider_ref", null=True),
        _unique("message_template", "org_id", "name", "channel", "language"),
    )


def _announcement() -> None:
    _table(
        "announcement",
        _word("status"),
        _json("titles"),
        _json("bodies"),
        _json("audience"),
        _at("publish_at"),
        _at("published_at"),
        sa.Column("pin_until", sa.Date(), nullable=True),
        sa.Column("push", sa.Boolean(), nullable=False),
        _id("author_id"),
    )
    due = sa.text("status = 'scheduled'")
    op.create_index("ix_announcement_due", "announcement", ["publish_at"], postgresql_where=due)


def _broadcast() -> None:
    _table(
        "broadcast",
        _word("status"),
        _word("channel"),
        _word("category"),
        _json("texts"),
        _text("template", null=True),
        _text("audience_hash"),
        sa.Column("member_ids", ARRAY(sa.Uuid()), nullable=False),
        _at("send_at", null=False),
        _id("author_id"),
        _id("announcement_id"),
        _at("finished_at"),
        _refers("broadcast", "announcement_id", "announcement", ondelete="SET NULL"),
    )
    due = sa.text("status IN ('scheduled', 'sending')")
    op.create_index("ix_broadcast_due", "broadcast", ["send_at"], postgresql_where=due)


def _message() -> None:
    _table(
        "message",
        _id("member_id"),
        _id("lead_id"),
        _id("broadcast_id"),
        _word("channel"),
        _word("category"),
        _text("language"),
        _text("body"),
        _text("address"),
        _text("content_ref", null=True),
        _json("content_variables", null=True),
        _word("state"),
        _text("reason", null=True),
        sa.Column("error_code", sa.Integer(), nullable=True),
        _text("cause_key", null=True),
        _id("author_id"),
        _at("due_at", null=False),
        _at("sent_at"),
        _at("settled_at"),
        _refers("message", "member_id", "member"),
        _refers("message", "broadcast_id", "broadcast"),
        _unique("message", "broadcast_id", "member_id"),
        _unique("message", "cause_key"),
    )
    op.create_index("ix_message_member", "message", ["member_id", "created_at"])
    for column in ("lead_id", "broadcast_id", "state"):
        op.create_index(f"ix_message_{column}", "message", [column])


def _automation() -> None:
    _table(
        "automation",
        _text("name"),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        _json("trigger"),
        _json("conditions"),
        _json("actions"),
        sa.Column("delay_min", sa.Integer(), nullable=False),
        sa.Column("quiet_hours", sa.Boolean(), nullable=False),
        sa.Column("cap_days", sa.Integer(), nullable=True),
        _word("required_tier"),
        _at("seeded_at"),
        _at("next_look_at"),
        _text("off_reason", null=True),
        _unique("automation", "org_id", "name"),
    )
    on = sa.text("enabled")
    op.create_index("ix_automation_due", "automation", ["next_look_at"], postgresql_where=on)


def _automation_run() -> None:
    _table(
        "automation_run",
        _id("automation_id", null=False),
        _text("trigger_ref"),
        _id("member_id"),
        _id("lead_id"),
        _word("status"),
        _text("reason", null=True),
        _text("dedupe_key"),
        _at("due_at", null=False),
        _at("finished_at"),
        _refers("automation_run", "member_id", "member"),
        _unique("automation_run", "org_id", "dedupe_key"),
    )
    waits = sa.text("status = 'queued'")
    op.create_index("ix_automation_run_due", "automation_run", ["due_at"], postgresql_where=waits)
    both = ["automation_id", "created_at"]
    op.create_index("ix_automation_run_automation", "automation_run", both)
    for column in ("member_id", "lead_id"):
        op.create_index(f"ix_automation_run_{column}", "automation_run", [column])
