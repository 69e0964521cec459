"""Photos that came with a person's words, as the model is shown them."""

import sqlalchemy as sa
from alembic import op

from app.core import policies

revision = "pictures"
down_revision = "summaries"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "picture",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("words_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("content_type", sa.String(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["words_id"], ["words.id"], name=op.f("fk_picture_words_id")),
        sa.UniqueConstraint("words_id", "position", name=op.f("uq_picture_words_id_position")),
    )
    op.create_index("ix_picture_org_id", "picture", ["org_id"])
    policies.org_table(op.get_bind(), "picture")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("picture")
