"""The studio: org and people, what they bought, the schedule and the bookings."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from app.core import policies

revision = "studio"
down_revision = "core"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
TABLES = (
    "org",
    "app_user",
    "app_password",
    "location",
    "staff",
    "member",
    "membership_plan",
    "membership",
    "membership_freeze",
    "credit_ledger",
    "class_type",
    "class_session",
    "booking",
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _org()
    _app_user()
    _app_password()
    _location()
    _staff()
    _member()
    _membership_plan()
    _membership()
    _membership_freeze()
    _credit_ledger()
    _class_type()
    _class_session()
    _booking()


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in reversed(TABLES):
        op.drop_table(table)


def _table(name: str, *items: sa.schema.SchemaItem, of_org: bool = True) -> None:
    """Create a table with the columns that every one has."""
    op.create_table(
        name,
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        *(_of_org() if of_org else ()),
        *items,
        sa.PrimaryKeyConstraint("id", name=f"pk_{name}"),
    )


def _of_org() -> tuple[sa.schema.SchemaItem, ...]:
    org_id = sa.Column("org_id", sa.Uuid(), nullable=False)
    return org_id, sa.Column("version", sa.Integer(), nullable=False)


def _indexes(table: str, *columns: str) -> None:
    for column in columns:
        op.create_index(f"ix_{table}_{column}", table, [column])


def _org() -> None:
    _table(
        "org",
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("tier", sa.String(20), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("week_start", sa.Integer(), nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("weight_unit", sa.String(), nullable=False),
        sa.Column("phone_region", sa.String(), nullable=False),
        sa.Column("booking_policy", JSONB(), nullable=False),
        sa.UniqueConstraint("slug", name="uq_org_slug"),
        of_org=False,
    )
    policies.org_table(op.get_bind(), "org", column="id", platform_reads=True)


def _app_user() -> None:
    _table(
        "app_user",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("phone", sa.String(), nullable=True),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("last_login_at", INSTANT, nullable=True),
        sa.UniqueConstraint("email", name="uq_app_user_email"),
        sa.UniqueConstraint("phone", name="uq_app_user_phone"),
        of_org=False,
    )
    policies.platform_table(op.get_bind(), "app_user", app_may="SELECT")


def _app_password() -> None:
    _table(
        "app_password",
        sa.Column(
            "user_id",
            sa.Uuid(),
            sa.ForeignKey("app_user.id", name="fk_app_password_user_id"),
            nullable=False,
        ),
        sa.Column("hash", sa.String(), nullable=False),
        sa.UniqueConstraint("user_id", name="uq_app_password_user_id"),
        of_org=False,
    )
    policies.platform_table(op.get_bind(), "app_password")


def _location() -> None:
    _table(
        "location",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=True),
        sa.Column("timezone", sa.String(), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
    )
    _indexes("location", "org_id")
    policies.org_table(op.get_bind(), "location")


def _staff() -> None:
    _table(
        "staff",
        sa.Column(
            "user_id",
            sa.Uuid(),
            sa.ForeignKey("app_user.id", name="fk_staff_user_id"),
            nullable=False,
        ),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("color", sa.String(), nullable=True),
        sa.Column("class_type_ids", ARRAY(sa.Uuid()), nullable=False),
        sa.UniqueConstraint("org_id", "user_id", name="uq_staff_org_id_user_id"),
    )
    _indexes("staff", "org_id", "user_id")
    policies.org_table(op.get_bind(), "staff", platform_reads=True)


def _member() -> None:
    _table(
        "member",
        sa.Column(
            "user_id",
            sa.Uuid(),
            sa.ForeignKey("app_user.id", name="fk_member_user_id"),
            nullable=True,
        ),
        sa.Column("first_name", sa.String(), nullable=False),
        sa.Column("last_name", sa.String(), nullable=False),
        sa.Column("nickname", sa.String(), nullable=True),
        sa.Column("phone", sa.String(), nullable=True),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("birth_date", sa.Date(), nullable=True),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("joined_on", sa.Date(), nullable=False),
        sa.Column("source", sa.String(), nullable=True),
        sa.Column("tags", ARRAY(sa.Text()), nullable=False),
        sa.Column(
            "primary_coach_id",
            sa.Uuid(),
            sa.ForeignKey("staff.id", name="fk_member_primary_coach_id"),
            nullable=True,
        ),
        sa.Column("health_form_until", sa.Date(), nullable=True),
        sa.Column("name_keys", ARRAY(sa.Text()), nullable=False),
    )
    op.create_index("ix_member_name_keys", "member", ["name_keys"], postgresql_using="gin")
    _indexes("member", "email", "org_id", "phone", "user_id")
    policies.org_table(op.get_bind(), "member")


def _membership_plan() -> None:
    _table(
        "membership_plan",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("price_minor", sa.Integer(), nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("period_unit", sa.String(20), nullable=True),
        sa.Column("period_count", sa.Integer(), nullable=False),
        sa.Column("credits_per_period", sa.Integer(), nullable=True),
        sa.Column("weekly_visit_limit", sa.Integer(), nullable=True),
        sa.Column("class_type_ids", ARRAY(sa.Uuid()), nullable=False),
        sa.Column("validity_days", sa.Integer(), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
    )
    _indexes("membership_plan", "org_id")
    policies.org_table(op.get_bind(), "membership_plan")


def _membership() -> None:
    _table(
        "membership",
        sa.Column(
            "member_id",
            sa.Uuid(),
            sa.ForeignKey("member.id", name="fk_membership_member_id"),
            nullable=False,
        ),
        sa.Column(
            "plan_id",
            sa.Uuid(),
            sa.ForeignKey("membership_plan.id", name="fk_membership_plan_id"),
            nullable=False,
        ),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("start_date", sa.Date(), nullable=False),
        sa.Column("end_date", sa.Date(), nullable=True),
        sa.Column("price_minor", sa.Integer(), nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("payment_status", sa.String(20), nullable=False),
        sa.Column("cancel_effective_on", sa.Date(), nullable=True),
    )
    _indexes("membership", "member_id", "org_id", "plan_id")
    policies.org_table(op.get_bind(), "membership")


def _membership_freeze() -> None:
    _table(
        "membership_freeze",
        sa.Column(
            "membership_id",
            sa.Uuid(),
            sa.ForeignKey("membership.id", name="fk_membership_freeze_membership_id"),
            nullable=False,
        ),
        sa.Column("from_date", sa.Date(), nullable=False),
        sa.Column("until_date", sa.Date(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
    )
    _indexes("membership_freeze", "membership_id", "org_id")
    policies.org_table(op.get_bind(), "membership_freeze")


def _credit_ledger() -> None:
    _table(
        "credit_ledger",
        sa.Column(
            "member_id",
            sa.Uuid(),
            sa.ForeignKey("member.id", name="fk_credit_ledger_member_id"),
            nullable=False,
        ),
        sa.Column(
            "membership_id",
            sa.Uuid(),
            sa.ForeignKey("membership.id", name="fk_credit_ledger_membership_id"),
            nullable=False,
        ),
        sa.Column("delta", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("booking_id", sa.Uuid(), nullable=True),
        sa.Column("expires_on", sa.Date(), nullable=True),
        sa.Column(
            "settles_id",
            sa.Uuid(),
            sa.ForeignKey("credit_ledger.id", name="fk_credit_ledger_settles_id"),
            nullable=True,
        ),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("note", sa.String(), nullable=True),
        sa.UniqueConstraint("settles_id", name="uq_credit_ledger_settles_id"),
    )
    _indexes("credit_ledger", "booking_id", "member_id", "membership_id", "org_id")
    policies.org_table(op.get_bind(), "credit_ledger")
    policies.append_only(op.get_bind(), "credit_ledger")


def _class_type() -> None:
    _table(
        "class_type",
        sa.Column("name_en", sa.String(), nullable=False),
        sa.Column("name_he", sa.String(), nullable=True),
        sa.Column("name_ru", sa.String(), nullable=True),
        sa.Column("color", sa.String(), nullable=True),
        sa.Column("duration_min", sa.Integer(), nullable=False),
        sa.Column("capacity", sa.Integer(), nullable=False),
        sa.Column("min_participants", sa.Integer(), nullable=True),
        sa.Column("credit_cost", sa.Integer(), nullable=False),
        sa.Column(
            "location_id",
            sa.Uuid(),
            sa.ForeignKey("location.id", name="fk_class_type_location_id"),
            nullable=True,
        ),
        sa.Column("booking_policy", JSONB(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
    )
    _indexes("class_type", "org_id")
    policies.org_table(op.get_bind(), "class_type")


def _class_session() -> None:
    _table(
        "class_session",
        sa.Column(
            "class_type_id",
            sa.Uuid(),
            sa.ForeignKey("class_type.id", name="fk_class_session_class_type_id"),
            nullable=False,
        ),
        sa.Column(
            "location_id",
            sa.Uuid(),
            sa.ForeignKey("location.id", name="fk_class_session_location_id"),
            nullable=True,
        ),
        sa.Column("title", sa.String(), nullable=True),
        sa.Column("local_date", sa.Date(), nullable=False),
        sa.Column("local_start", sa.Time(), nullable=False),
        sa.Column("local_end", sa.Time(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("starts_at", INSTANT, nullable=False),
        sa.Column("ends_at", INSTANT, nullable=False),
        sa.Column(
            "coach_id",
            sa.Uuid(),
            sa.ForeignKey("staff.id", name="fk_class_session_coach_id"),
            nullable=True,
        ),
        sa.Column("capacity", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("cancel_reason", sa.String(), nullable=True),
        sa.Column("cancelled_at", INSTANT, nullable=True),
        sa.Column("rescheduled_at", INSTANT, nullable=True),
        sa.Column("policy", JSONB(), nullable=False),
        sa.Column("notes", sa.String(), nullable=True),
    )
    op.create_index(
        "ix_class_session_day", "class_session", ["org_id", "local_date", "local_start"]
    )
    _indexes("class_session", "class_type_id", "coach_id", "org_id")
    policies.org_table(op.get_bind(), "class_session")


def _booking() -> None:
    _table(
        "booking",
        sa.Column(
            "class_session_id",
            sa.Uuid(),
            sa.ForeignKey("class_session.id", name="fk_booking_class_session_id"),
            nullable=False,
        ),
        sa.Column(
            "member_id",
            sa.Uuid(),
            sa.ForeignKey("member.id", name="fk_booking_member_id"),
            nullable=False,
        ),
        sa.Column(
            "membership_id",
            sa.Uuid(),
            sa.ForeignKey("membership.id", name="fk_booking_membership_id"),
            nullable=True,
        ),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("waitlisted_at", INSTANT, nullable=True),
        sa.Column("source", sa.String(20), nullable=False),
        sa.Column("booked_by", sa.Uuid(), nullable=True),
        sa.Column("booked_at", INSTANT, nullable=False),
        sa.Column("cancelled_at", INSTANT, nullable=True),
        sa.Column("cancelled_from", sa.String(20), nullable=True),
        sa.Column("checked_in_at", INSTANT, nullable=True),
        sa.Column("override_reason", sa.String(), nullable=True),
        sa.Column("cancel_reason", sa.String(), nullable=True),
    )
    op.create_index(
        "uq_booking_one_place",
        "booking",
        ["class_session_id", "member_id"],
        unique=True,
        postgresql_where=sa.text("status IN ('booked', 'waitlisted', 'attended')"),
    )
    _indexes("booking", "class_session_id", "member_id", "org_id")
    policies.org_table(op.get_bind(), "booking")
