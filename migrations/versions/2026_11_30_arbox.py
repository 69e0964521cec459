"""The import from Arbox: connection and key, mappings, what was read, and what came of it."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from app.core import policies

revision = "arbox"
down_revision = "growth_3"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
TABLES = (
    "arbox_connection",
    "arbox_key",
    "arbox_mapping",
    "arbox_record",
    "import_batch",
    "imported_row",
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    connect()
    map_things()
    keep_batches()
    for table in TABLES:
        op.create_index(f"ix_{table}_org_id", table, ["org_id"])
        policies.org_table(op.get_bind(), table)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in reversed(TABLES):
        op.drop_table(table)


def connect() -> None:
    op.create_table(
        "arbox_connection",
        *org_columns(),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("asked_by", sa.Uuid(), nullable=False),
        sa.Column("form_hash", sa.String()),
        sa.Column("form_until", INSTANT),
        sa.Column("connected_at", INSTANT),
        sa.Column("last_read_at", INSTANT),
        sa.Column("reads", sa.Integer(), nullable=False),
        sa.Column("lists_read", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.String()),
        sa.Column("last_error_at", INSTANT),
        sa.UniqueConstraint("org_id"),
    )
    op.create_table(
        "arbox_key",
        *org_columns(),
        sa.Column("sealed", sa.String(), nullable=False),
        sa.Column("last4", sa.String(), nullable=False),
        sa.UniqueConstraint("org_id"),
    )


def map_things() -> None:
    op.create_table(
        "arbox_mapping",
        *org_columns(),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("arbox_id", sa.String(), nullable=False),
        sa.Column("arbox_name", sa.String(), nullable=False),
        sa.Column("local_id", sa.Uuid()),
        sa.Column("stage", sa.String()),
        sa.Column("state", sa.String(20), nullable=False),
        sa.UniqueConstraint("org_id", "kind", "arbox_id"),
    )
    op.create_table(
        "arbox_record",
        *org_columns(),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("arbox_id", sa.String(), nullable=False),
        sa.Column("person", sa.String()),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("phone", sa.String()),
        sa.Column("email", sa.String()),
        sa.Column("facts", JSONB(), nullable=False),
        sa.Column("seen_at", INSTANT, nullable=False),
        sa.Column("local_id", sa.Uuid()),
        sa.Column("member_id", sa.Uuid()),
        sa.Column("applied", JSONB()),
        sa.Column("ignored", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("org_id", "kind", "arbox_id"),
    )
    op.create_index("ix_arbox_record_person", "arbox_record", ["org_id", "person"])
    op.create_index("ix_arbox_record_member_id", "arbox_record", ["member_id"])


def keep_batches() -> None:
    op.create_table(
        "import_batch",
        *org_columns(),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("policy", sa.String(20), nullable=False),
        sa.Column("counts", JSONB(), nullable=False),
        sa.Column("by", sa.Uuid(), nullable=False),
        sa.Column("rolled_back_at", INSTANT),
    )
    op.create_table(
        "imported_row",
        *org_columns(),
        sa.Column("batch_id", sa.Uuid(), sa.ForeignKey("import_batch.id"), nullable=False),
        sa.Column("record_id", sa.Uuid(), sa.ForeignKey("arbox_record.id"), nullable=False),
        sa.Column("act", sa.String(20), nullable=False),
        sa.Column("local_id", sa.Uuid(), nullable=False),
        sa.Column("before", JSONB()),
        sa.Column("version_left", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("rolled_back", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("batch_id", "record_id"),
    )
    for column in ("batch_id", "record_id"):
        op.create_index(f"ix_imported_row_{column}", "imported_row", [column])


def org_columns() -> list[sa.Column[object]]:
    return [
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
    ]
