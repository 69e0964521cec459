"""Who came, and what came in for an invoice, are found by their own indexes."""

import sqlalchemy as sa
from alembic import op

revision = "reads"
down_revision = "meanings"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_index("ix_payment_ledger_invoice", "payment_ledger", ["member_id", "invoice_no"])
    op.drop_index("ix_payment_ledger_member_id", "payment_ledger")
    op.create_index(
        "ix_booking_attended",
        "booking",
        ["org_id", "class_session_id", "member_id"],
        postgresql_where=sa.text("status = 'attended'"),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_booking_attended", "booking")
    op.create_index("ix_payment_ledger_member_id", "payment_ledger", ["member_id"])
    op.drop_index("ix_payment_ledger_invoice", "payment_ledger")
