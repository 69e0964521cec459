"""Trials: bookings that ask for no membership, and the place in a queue that a lead waits for."""

import sqlalchemy as sa
from alembic import op

revision = "trials"
down_revision = "reach_4"
branch_labels = None
depends_on = None

_READ = ("booking", "lead", "member")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    trial: sa.Column[bool] = sa.Column(
        "trial", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("booking", trial)
    op.alter_column("booking", "trial", server_default=None)
    waits = sa.ForeignKey("booking.id", name="fk_lead_trial_waits_id")
    op.add_column("lead", sa.Column("trial_waits_id", sa.Uuid(), waits, nullable=True))
    _fill()


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("lead", "trial_waits_id")
    op.drop_column("booking", "trial")


def _fill() -> None:
    """FORCE is off meanwhile: these are rows of every org.

    Who waits as a prospect was put there as the open lead of their phone: nobody else could be.
    """
    for table in _READ:
        op.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    op.execute(
        "UPDATE lead SET trial_waits_id = booking.id FROM booking, member "
        "WHERE member.id = booking.member_id AND member.status = 'prospect' "
        "AND member.phone = lead.phone AND member.org_id = lead.org_id "
        "AND booking.status = 'waitlisted' AND lead.stage NOT IN ('won', 'lost')"
    )
    op.execute(
        "UPDATE booking SET trial = true FROM lead "
        "WHERE booking.id IN (lead.trial_booking_id, lead.trial_waits_id)"
    )
    for table in _READ:
        op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
