"""Memberships in full: billing, freezes and their history, extensions and the payment ledger."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from app.core import policies

revision = "commerce"
down_revision = "schedule"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
TABLES = ("membership_change", "membership_extension", "payment_ledger")
PLAN = ("commitment_months", "freeze_policy", "sells_until")
MEMBERSHIP = (
    "billing_day",
    "next_billing_date",
    "discount_minor",
    "frozen",
    "cancel_noticed_on",
    "cancel_reason",
    "next_plan_id",
    "next_price_minor",
    "sold_by",
    "external_ref",
)
FREEZE = ("extends_end", "end_moved", "billing_moved", "anchor_before", "document", "created_by")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _plan()
    _membership()
    _freeze()
    _change()
    _extension()
    _payments()


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in reversed(TABLES):
        op.drop_table(table)
    op.drop_index("ix_membership_status_end_date", "membership")
    op.drop_index("ix_membership_external_ref", "membership")
    for table, columns in (
        ("membership_freeze", FREEZE),
        ("membership", MEMBERSHIP),
        ("membership_plan", PLAN),
    ):
        for column in reversed(columns):
            op.drop_column(table, column)


def _plan() -> None:
    op.add_column("membership_plan", sa.Column("commitment_months", sa.Integer(), nullable=True))
    _filled("membership_plan", sa.Column("freeze_policy", JSONB(), nullable=False), "'{}'")
    op.add_column("membership_plan", sa.Column("sells_until", sa.Date(), nullable=True))


def _membership() -> None:
    whole, day, text = sa.Integer(), sa.Date(), sa.String()
    op.add_column("membership", sa.Column("billing_day", whole, nullable=True))
    op.add_column("membership", sa.Column("next_billing_date", day, nullable=True))
    _filled("membership", sa.Column("discount_minor", whole, nullable=False), "0")
    _filled("membership", sa.Column("frozen", sa.Boolean(), nullable=False), "false")
    op.add_column("membership", sa.Column("cancel_noticed_on", day, nullable=True))
    op.add_column("membership", sa.Column("cancel_reason", text, nullable=True))
    op.add_column(
        "membership",
        sa.Column(
            "next_plan_id",
            sa.Uuid(),
            sa.ForeignKey("membership_plan.id", name="fk_membership_next_plan_id"),
            nullable=True,
        ),
    )
    op.add_column("membership", sa.Column("next_price_minor", whole, nullable=True))
    op.add_column("membership", sa.Column("sold_by", sa.Uuid(), nullable=True))
    op.add_column("membership", sa.Column("external_ref", text, nullable=True))
    op.create_index("ix_membership_external_ref", "membership", ["external_ref"])
    op.create_index("ix_membership_status_end_date", "membership", ["org_id", "status", "end_date"])


def _freeze() -> None:
    whole = sa.Integer()
    _filled("membership_freeze", sa.Column("extends_end", sa.Boolean(), nullable=False), "true")
    _filled("membership_freeze", sa.Column("end_moved", whole, nullable=False), "0")
    _filled("membership_freeze", sa.Column("billing_moved", whole, nullable=False), "0")
    op.add_column("membership_freeze", sa.Column("anchor_before", whole, nullable=True))
    op.add_column("membership_freeze", sa.Column("document", sa.String(), nullable=True))
    op.add_column("membership_freeze", sa.Column("created_by", sa.Uuid(), nullable=True))


def _change() -> None:
    _table(
        "membership_change",
        _reference("membership_change", "membership_id", "membership"),
        _reference("membership_change", "member_id", "member"),
        sa.Column("effective_on", sa.Date(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        _reference("membership_change", "plan_id", "membership_plan"),
        sa.Column("price_minor", sa.Integer(), nullable=False),
        sa.Column("discount_minor", sa.Integer(), nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("frozen", sa.Boolean(), nullable=False),
        sa.Column("end_date", sa.Date(), nullable=True),
        sa.Column("cancel_effective_on", sa.Date(), nullable=True),
        sa.Column("before", JSONB(), nullable=True),
        sa.Column("call_id", sa.Uuid(), nullable=True),
    )
    op.create_index(
        "ix_membership_change_of",
        "membership_change",
        ["membership_id", "effective_on", "created_at"],
    )
    op.create_index("ix_membership_change_day", "membership_change", ["org_id", "effective_on"])
    _indexes("membership_change", "member_id", "org_id")
    _begin_history()
    policies.org_table(op.get_bind(), "membership_change")
    policies.append_only(op.get_bind(), "membership_change")


def _begin_history() -> None:
    """What was sold already begins its history on the day it began; the wall binds its owner."""
    op.execute("ALTER TABLE membership NO FORCE ROW LEVEL SECURITY")
    op.execute(
        """
        INSERT INTO membership_change (
            id, created_at, updated_at, org_id, version, membership_id, member_id, effective_on,
            step, status, plan_id, price_minor, discount_minor, currency, frozen, end_date,
            cancel_effective_on
        )
        SELECT gen_random_uuid(), created_at, created_at, org_id, 1, id, member_id, start_date,
            1, status, plan_id, price_minor, 0, currency, status = 'frozen', end_date,
            cancel_effective_on
        FROM membership
        """
    )
    op.execute("ALTER TABLE membership FORCE ROW LEVEL SECURITY")


def _extension() -> None:
    _table(
        "membership_extension",
        _reference("membership_extension", "membership_id", "membership"),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.Column("end_before", sa.Date(), nullable=False),
        sa.Column("end_after", sa.Date(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        _reference("membership_extension", "settles_id", "membership_extension", nullable=True),
        sa.UniqueConstraint("settles_id", name="uq_membership_extension_settles_id"),
    )
    _indexes("membership_extension", "membership_id", "org_id")
    policies.org_table(op.get_bind(), "membership_extension")
    policies.append_only(op.get_bind(), "membership_extension")


def _payments() -> None:
    _table(
        "payment_ledger",
        _reference("payment_ledger", "member_id", "member"),
        _reference("payment_ledger", "membership_id", "membership", nullable=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("amount_minor", sa.Integer(), nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("due_date", sa.Date(), nullable=False),
        sa.Column("paid_at", INSTANT, nullable=True),
        sa.Column("failure_code", sa.String(), nullable=True),
        sa.Column("method_last4", sa.String(), nullable=True),
        sa.Column("provider_ref", sa.String(), nullable=True),
        sa.Column("invoice_no", sa.String(), nullable=True),
        sa.UniqueConstraint("org_id", "provider_ref", name="uq_payment_ledger_org_id_provider_ref"),
        sa.CheckConstraint("length(method_last4) <= 4", name="ck_payment_ledger_last_four"),
    )
    op.create_index("ix_payment_ledger_day", "payment_ledger", ["org_id", "due_date"])
    _indexes("payment_ledger", "member_id", "membership_id", "org_id")
    policies.provider_table(op.get_bind(), "payment_ledger")


def _filled(table: str, column: sa.Column[object], value: str) -> None:
    """Add a column that may not be empty, with a value for the rows that are there."""
    column.server_default = sa.DefaultClause(sa.text(value))
    op.add_column(table, column)
    op.alter_column(table, column.name, server_default=None)


def _table(name: str, *items: sa.schema.SchemaItem) -> None:
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


def _reference(table: str, column: str, to: str, *, nullable: bool = False) -> "sa.Column[object]":
    key = sa.ForeignKey(f"{to}.id", name=f"fk_{table}_{column}")
    return sa.Column(column, sa.Uuid(), key, nullable=nullable)


def _indexes(table: str, *columns: str) -> None:
    for column in columns:
        op.create_index(f"ix_{table}_{column}", table, [column])
