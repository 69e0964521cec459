"""Meanings: a vector for each thing that is looked for. Needs pgvector 0.8."""

import sqlalchemy as sa
from alembic import op
from pgvector.sqlalchemy import HALFVEC

from app.core import policies

revision = "meanings"
down_revision = "hearing"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "embedding",
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("entity_id", sa.Uuid(), nullable=False),
        sa.Column("text_hash", sa.String(32), nullable=False),
        sa.Column("model", sa.String(60), nullable=False),
        sa.Column("vector", HALFVEC(512), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_embedding"),
        sa.UniqueConstraint("kind", "entity_id", name="uq_embedding_kind_entity_id"),
    )
    op.create_index("ix_embedding_org_id", "embedding", ["org_id"])
    op.create_index(
        "ix_embedding_vector",
        "embedding",
        ["vector"],
        postgresql_using="hnsw",
        postgresql_ops={"vector": "halfvec_cosine_ops"},
    )
    policies.org_table(op.get_bind(), "embedding")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("embedding")
