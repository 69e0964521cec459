"""The table of meanings: a vector for each thing that is looked for."""

from typing import ClassVar
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import ColumnElement, Index, String, UniqueConstraint, or_, select
from sqlalchemy.orm import Mapped, mapped_column

from app.core.db import OrgRow
from app.core.embedding import DIMENSIONS
from app.core.erasing import Erasure, Gone, deleted, erasure_of
from app.core.sought import sought_models


def _of_person(model: type[OrgRow], gone: Gone) -> ColumnElement[bool]:  # noqa: ARG001 - a Where has both
    """The member's own, and those of whatever is theirs: a lead that they were."""
    entity = Embedding.entity_id
    theirs = [one for one in sought_models().values() if hasattr(one, "__erase__")]
    rows = (select(one.id).where(erasure_of(one).where(one, gone)) for one in theirs)
    return or_(entity == gone.member_id, *(entity.in_(ids) for ids in rows))


class Embedding(OrgRow):
    __tablename__ = "embedding"
    __table_args__ = (
        UniqueConstraint("kind", "entity_id"),
        Index(
            "ix_embedding_vector",
            "vector",
            postgresql_using="hnsw",
            postgresql_ops={"vector": "halfvec_cosine_ops"},
        ),
    )
    __undo__: ClassVar[str] = "ignore"
    __erase__: ClassVar[Erasure] = deleted(_of_person)

    kind: Mapped[str] = mapped_column(String(20))
    entity_id: Mapped[UUID]
    text_hash: Mapped[str] = mapped_column(String(32))
    """Of the text that the vector is of: another one now, and it is out of date."""
    model: Mapped[str] = mapped_column(String(60))
    """Whose vector it is; those of another model than asks now are passed over."""
    vector: Mapped[list[float]] = mapped_column(HALFVEC(DIMENSIONS))
