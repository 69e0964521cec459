"""What is written like a text, and what means the same, of one kind: ids, the likeliest first.

Row-level security lets no index of likeness be used, since its operators might tell what they see:
each look goes through a gym's own rows, which its index of the org finds.
"""

from collections.abc import Collection, Sequence
from statistics import mean
from typing import Final
from uuid import UUID

from sqlalchemy import func, select, text, union_all
from sqlalchemy.orm import Session

from app.core.embedding import Vector, meanings_of
from app.core.sought import sought
from app.search.models import Embedding

ALIKE: Final = 0.55
"""Of word similarity: a letter or two are wrong."""
NEAREST: Final = 20
STANDS_OUT: Final = 0.045
CLOSE: Final = 0.02
"""Of cosines, which lie so close together in these models that no bound tells near from far: only
that one stands out from the farther half of its neighbours does, and those almost as near are
meant then as well."""
OF_PEOPLE: Final = 0.08
"""What any words have with the names of their own script, at most 0.05; a name, misspelt or in
another script, 0.09 and more."""
PEOPLE: Final = frozenset({"member", "lead"})
AT_MOST: Final = 3
LEAST: Final = 3
"""Among fewer nothing can stand out."""
LOOKING: Final = text(
    "SELECT set_config('plan_cache_mode', 'force_custom_plan', true),"
    " set_config('hnsw.iterative_scan', 'strict_order', true)"
)
"""For the rest of a transaction that looks for something.

A plan for whatever words takes ten times as long as one for these; and an index that stops after
its first few gives the nearest of all gyms, of which none may be this one's.
"""


def alike(session: Session, kind: str, q: str, limit: int) -> list[UUID]:
    """By trigrams: typing errors, parts of words."""
    model, whole = sought(kind)
    how = func.word_similarity(q.lower(), func.lower(whole))
    query = select(model.id).where(how >= ALIKE).order_by(how.desc(), model.id)
    return list(session.scalars(query.limit(limit)))


def worded(session: Session, kind: str, q: str, limit: int) -> list[UUID]:
    """By the stems of words; the Russian configuration stems Latin letters as English."""
    model, whole = sought(kind)
    words, asked = func.to_tsvector("russian", whole), func.plainto_tsquery("russian", q)
    query = select(model.id).where(words.bool_op("@@")(asked))
    rank = func.ts_rank(words, asked)
    return list(session.scalars(query.order_by(rank.desc(), model.id).limit(limit)))


def meant(session: Session, kind: str, vector: Vector | None) -> list[UUID]:
    """By meaning: what stands out of its kind, if anything does."""
    return meant_of(session, (kind,), vector)[kind]


def meant_of(
    session: Session, kinds: Collection[str], vector: Vector | None
) -> dict[str, list[UUID]]:
    """The same for several kinds in one statement."""
    near: dict[str, list[tuple[UUID, float]]] = {kind: [] for kind in kinds}
    if vector is not None and near:
        far = Embedding.vector.cosine_distance(list(vector)).label("far")
        ours = Embedding.model == meanings_of(session).model
        nearest = [
            select(Embedding.kind, Embedding.entity_id, far)
            .where(ours, Embedding.kind == kind)
            .order_by(far)
            .limit(NEAREST)
            .subquery()
            for kind in near
        ]
        all_ = union_all(*(select(one) for one in nearest)).subquery().c
        for kind, entity, distance in session.execute(
            select(all_.kind, all_.entity_id, all_.far).order_by(all_.far)
        ):
            near[kind].append((entity, distance))
    return {kind: _standing_out(kind, rows) for kind, rows in near.items()}


def _standing_out(kind: str, rows: Sequence[tuple[UUID, float]]) -> list[UUID]:
    """Of the nearest, in order."""
    if len(rows) < LEAST:
        return []
    near, others = rows[0][1], [distance for _, distance in rows[len(rows) // 2 :]]
    if mean(others) - near < (OF_PEOPLE if kind in PEOPLE else STANDS_OUT):
        return []
    return [entity for entity, distance in rows if distance <= near + CLOSE][:AT_MOST]
