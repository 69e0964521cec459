"""Inbox: what an answer is for; forms: whose last health declaration doesn't count."""

import sqlalchemy as sa
from alembic import op

revision = "letters"
down_revision = "trials"
branch_labels = None
depends_on = None

_READ = ("inbox_message", "message_template", "member", "form_instance", "form_template")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("inbox_message", sa.Column("category", sa.String(20), nullable=True))
    _fill()


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("inbox_message", "category")


def _fill() -> None:
    """FORCE is off meanwhile: these are rows of every org.

    An answer was marketing where its template is. A member who answered yes, or of whom a
    document is wanted, keeps no day of an older declaration.
    """
    for table in _READ:
        op.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    op.execute("UPDATE inbox_message SET category = 'utility' WHERE direction = 'out'")
    op.execute(
        "UPDATE inbox_message SET category = 'marketing' FROM message_template "
        "WHERE message_template.id = inbox_message.template_id AND direction = 'out' "
        "AND message_template.category = 'marketing'"
    )
    op.execute(
        "UPDATE member SET health_form_until = NULL FROM ("
        "SELECT DISTINCT ON (member_id) member_id, flagged, decision FROM form_instance "
        "JOIN form_template ON form_template.id = form_instance.template_id "
        "WHERE form_template.kind = 'health_declaration' "
        "AND form_instance.status IN ('submitted', 'reviewed') "
        "ORDER BY member_id, submitted_at DESC, form_instance.id DESC) AS said "
        "WHERE said.member_id = member.id AND said.decision IS DISTINCT FROM 'approved' "
        "AND (said.flagged OR said.decision = 'needs_document')"
    )
    for table in _READ:
        op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
