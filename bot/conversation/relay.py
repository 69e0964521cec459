"""Carrying out what the studio queued to happen outside: each row once, in a transaction of its own."""

from collections.abc import Callable, Mapping
from uuid import UUID

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.db import Database, now_of
from app.core.outbox import Outbox, OutboxState

Act = Callable[[Session, Outbox], None]

_log = structlog.get_logger()


def relay_due(db: Database, acts: Mapping[str, Act], org_id: UUID) -> int:
    """Do what is due in one org; returns how many rows. A topic nobody knows stays, and is logged."""
    done = 0
    while _one(db, acts, org_id):
        done += 1
    return done


def _one(db: Database, acts: Mapping[str, Act], org_id: UUID) -> bool:
    with db.transaction(org_id) as session:
        row = session.scalar(
            select(Outbox)
            .where(
                Outbox.state == OutboxState.WAITING,
                Outbox.due_at <= now_of(session),
                Outbox.topic.in_(list(acts)),
            )
            .order_by(Outbox.due_at, Outbox.id)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        if row is None:
            return False
        acts[row.topic](session, row)
        row.state = OutboxState.DONE
        return True


def due_orgs(db: Database) -> list[UUID]:
    """The orgs in which something is due."""
    with db.platform() as session:
        waiting = select(Outbox.org_id).where(
            Outbox.state == OutboxState.WAITING, Outbox.due_at <= now_of(session)
        )
        return list(session.scalars(waiting.distinct()))
