"""What is open and what came in are found among payments by their own indexes."""

import sqlalchemy as sa
from alembic import op

revision = "figures"
down_revision = "letters"
branch_labels = None
depends_on = None

_OPEN = sa.text("kind = 'charge' AND status IN ('failed', 'pending')")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_index("ix_payment_ledger_paid", "payment_ledger", ["org_id", "paid_at"])
    op.create_index(
        "ix_payment_ledger_open", "payment_ledger", ["org_id", "due_date"], postgresql_where=_OPEN
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_payment_ledger_open", "payment_ledger")
    op.drop_index("ix_payment_ledger_paid", "payment_ledger")
