"""Carrying out what the studio queued to happen outside: each row once, in its own transaction."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.db import Database, lost, now_of
from app.core.outbox import Outbox, OutboxState

Act = Callable[[Session, Outbox], None]

AGAIN: Final = timedelta(minutes=1)
TRIES: Final = 1_440
"""An act that fails for a day is dropped, and logged as an error; some wait for days before it."""

_log = structlog.get_logger()


def relay_due(db: Database, acts: Mapping[str, Act], org_id: UUID) -> int:
    """Do what is due in one org; returns how many rows were seen to. Topics without act stay."""
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
        try:
            with session.begin_nested():
                acts[row.topic](session, row)
        except Exception as error:  # one act's fault must not stop those behind it
            if lost(error):
                raise
            _log.error("act_failed", topic=row.topic, row=str(row.id), exc_info=error)
            _put_off(row, now_of(session))
        else:
            row.state = OutboxState.DONE
        return True


def _put_off(row: Outbox, now: datetime) -> None:
    if row.version > TRIES:
        row.state = OutboxState.DROPPED
    row.due_at = now + AGAIN


def due_orgs(db: Database, topics: list[str]) -> list[UUID]:
    """The orgs in which something is due that we have an act for."""
    with db.platform() as session:
        waiting = select(Outbox.org_id).where(
            Outbox.state == OutboxState.WAITING,
            Outbox.due_at <= now_of(session),
            Outbox.topic.in_(topics),
        )
        return list(session.scalars(waiting.distinct()))
