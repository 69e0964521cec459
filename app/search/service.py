"""Giving everything that is looked for its vector, a batch at a time, until nothing is out of date.

What is out of date is seen from the rows themselves, so that who was interrupted goes on where it
stopped, and who was told twice does it once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Select, and_, delete, exists, func, literal, not_, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from app.core.db import Database, now_of
from app.core.embedding import Embedder, Vector
from app.core.ids import new_id
from app.core.outbox import Outbox, OutboxState
from app.core.sought import MEANINGS_CHANGED, sought, sought_models
from app.search.models import Embedding

BATCH: Final = 32


@dataclass(frozen=True, slots=True)
class Outdated:
    """Something whose vector is missing, or of another text or model."""

    kind: str
    id: UUID
    text: str
    text_hash: str


def outdated(
    session: Session, model: str, *, since: datetime | None = None, limit: int = BATCH
) -> tuple[Outdated, ...]:
    """Some of what has no vector of this model for its text of today; all older than `since` is."""
    found: list[Outdated] = []
    for kind in sought_models():
        rows = session.execute(_outdated(kind, model, since).limit(limit - len(found)))
        found += [Outdated(kind, *row) for row in rows]
        if len(found) == limit:
            break
    return tuple(found)


def _outdated(kind: str, model: str, since: datetime | None) -> Select[Any]:
    one, text = sought(kind)
    same = and_(Embedding.kind == kind, Embedding.entity_id == one.id)
    wrong = [
        Embedding.id.is_(None),
        Embedding.model != model,
        Embedding.text_hash != func.md5(text),
    ]
    if since is not None:
        wrong.append(Embedding.updated_at < since)
    rows = select(one.id, text, func.md5(text)).outerjoin(Embedding, same)
    return rows.where(or_(*wrong), text != "").order_by(one.id)


def keep(
    session: Session, org_id: UUID, model: str, rows: Sequence[Outdated], vectors: Sequence[Vector]
) -> None:
    """These vectors, in place of whatever these things had.

    Of what was changed, or erased, while the model worked nothing is kept.
    """
    now, same = now_of(session), _unchanged(session, rows)
    values = [
        {
            "id": new_id(),
            "org_id": org_id,
            "version": 1,
            "created_at": now,
            "updated_at": now,
            "kind": row.kind,
            "entity_id": row.id,
            "text_hash": row.text_hash,
            "model": model,
            "vector": list(vector),
        }
        for row, vector in zip(rows, vectors, strict=True)
        if (row.id, row.text_hash) in same
    ]
    if not values:
        return
    new = insert(Embedding).values(values)
    changed = {name: new.excluded[name] for name in ("text_hash", "model", "vector", "updated_at")}
    session.execute(new.on_conflict_do_update(index_elements=["kind", "entity_id"], set_=changed))


def _unchanged(session: Session, rows: Sequence[Outdated]) -> set[tuple[UUID, str]]:
    """What still has its text; it stays so to the end of the transaction."""
    found: set[tuple[UUID, str]] = set()
    for kind in {row.kind for row in rows}:
        one, text = sought(kind)
        ids = [row.id for row in rows if row.kind == kind]
        query = select(one.id, func.md5(text)).where(one.id.in_(ids)).order_by(one.id)
        there = session.execute(query.with_for_update(read=True))
        found |= {(each, text_hash) for each, text_hash in there}
    return found


def forget_gone(session: Session) -> None:
    """The vectors of what isn't there any more."""
    for kind, model in sought_models().items():
        there = exists().where(model.id == Embedding.entity_id)
        session.execute(delete(Embedding).where(Embedding.kind == kind, not_(there)))


def renew(
    db: Database,
    org_id: UUID,
    *,
    since: datetime | None = None,
    go_on: Callable[[], bool] = lambda: True,
) -> int:
    """Bring one gym's vectors up to date; for how many. No transaction is open while a model works.

    Raises EmbedderAway. `go_on` is asked before each batch.
    """
    embedder, done = db.meanings.embedder, 0
    while embedder is not None and go_on() and (size := _some(db, org_id, embedder, since)):
        done += size
    with db.transaction(org_id) as session:
        forget_gone(session)
    return done


def _some(db: Database, org_id: UUID, embedder: Embedder, since: datetime | None) -> int:
    with db.transaction(org_id) as session:
        rows = outdated(session, embedder.model, since=since)
    if rows:
        vectors = embedder.embed([row.text for row in rows], asked=False)
        with db.transaction(org_id) as session:
            keep(session, org_id, embedder.model, rows, vectors)
    return len(rows)


def rebuild(session: Session, org_id: UUID) -> None:
    """Have all of a gym's vectors made anew; the old ones serve until theirs is there."""
    now = now_of(session)
    body = {"since": now.isoformat()}
    session.add(Outbox(org_id=org_id, topic=MEANINGS_CHANGED, body=body, due_at=now))


def gather(session: Session, row: Outbox) -> None:
    """Others that say no more than this one are done with it."""
    alike = select(Outbox).where(
        Outbox.topic == MEANINGS_CHANGED,
        Outbox.state == OutboxState.WAITING,
        Outbox.id != row.id,
        Outbox.body == literal({}, Outbox.body.type),
    )
    for one in session.scalars(alike.with_for_update(skip_locked=True)):
        one.state = OutboxState.DONE


def progress(session: Session, model: str) -> tuple[int, int]:
    """How many vectors of this model there are, and how many are still to be made."""
    kept = select(func.count()).select_from(Embedding).where(Embedding.model == model)
    missing = (
        select(func.count()).select_from(_outdated(kind, model, None).subquery())
        for kind in sought_models()
    )
    return session.scalar(kept) or 0, sum(session.scalar(one) or 0 for one in missing)
