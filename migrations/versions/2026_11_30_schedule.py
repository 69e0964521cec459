"""Repeating classes, and what check-ins and the waiting list need to know of a booking."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

from app.core import policies

revision = "schedule"
down_revision = "programs"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
OF_BOOKING = ("checked_in_from", "walk_in", "takes_late", "offered_at")
OF_SESSION = ("series_id", "series_exception", "short_flagged_at")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _session_series()
    series_id = sa.ForeignKey("session_series.id", name="fk_class_session_series_id")
    op.add_column("class_session", sa.Column("series_id", sa.Uuid(), series_id, nullable=True))
    op.create_index("ix_class_session_series_id", "class_session", ["series_id"])
    _flag("class_session", "series_exception")
    op.add_column("class_session", sa.Column("short_flagged_at", INSTANT, nullable=True))
    op.add_column("booking", sa.Column("checked_in_from", sa.String(20), nullable=True))
    _flag("booking", "walk_in")
    _flag("booking", "takes_late")
    op.add_column("booking", sa.Column("offered_at", INSTANT, nullable=True))


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for column in OF_BOOKING:
        op.drop_column("booking", column)
    for column in OF_SESSION:
        op.drop_column("class_session", column)
    op.drop_table("session_series")


def _flag(table: str, column: str) -> None:
    """A flag that rows which are there already don't carry."""
    op.add_column(table, sa.Column(column, sa.Boolean(), nullable=False, server_default=sa.false()))
    op.alter_column(table, column, server_default=None)


def _session_series() -> None:
    op.create_table(
        "session_series",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        _link("class_type", nullable=False),
        _link("location"),
        sa.Column("title", sa.String(), nullable=True),
        sa.Column("weekdays", ARRAY(sa.Integer()), nullable=False),
        sa.Column("local_start", sa.Time(), nullable=False),
        sa.Column("duration_min", sa.Integer(), nullable=False),
        sa.Column("from_date", sa.Date(), nullable=False),
        sa.Column("until_date", sa.Date(), nullable=False),
        sa.Column("skip_dates", ARRAY(sa.Date()), nullable=False),
        _link("staff", "coach_id"),
        sa.Column("capacity", sa.Integer(), nullable=True),
        sa.Column("notes", sa.String(), nullable=True),
        sa.Column("made_until", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_session_series"),
    )
    for column in ("class_type_id", "org_id"):
        op.create_index(f"ix_session_series_{column}", "session_series", [column])
    policies.org_table(op.get_bind(), "session_series")


def _link(table: str, column: str = "", *, nullable: bool = True) -> "sa.Column[object]":
    name = column or f"{table}_id"
    key = sa.ForeignKey(f"{table}.id", name=f"fk_session_series_{name}")
    return sa.Column(name, sa.Uuid(), key, nullable=nullable)
