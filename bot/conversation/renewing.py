"""Keeping the vectors of what is looked for up to date: word from the outbox, work in a job."""

import time
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.core.db import Database, after_commit, now_of
from app.core.embedding import EmbedderAway, meanings_of
from app.core.outbox import Outbox
from app.core.sought import MEANINGS_CHANGED
from app.search import service
from bot.conversation.queue import RENEW_ORG, Enqueue
from bot.conversation.relay import Act

AGAIN: Final = timedelta(minutes=2)
"""Longer than a job works: one that died is followed by another."""
LONGEST_S: Final = 60.0
"""A heavy worker has other gyms to see to."""

_log = structlog.get_logger()


def acts(enqueue: Enqueue) -> dict[str, Act]:
    return {MEANINGS_CHANGED: partial(_start, enqueue)}


def _start(enqueue: Enqueue, session: Session, row: Outbox) -> None:
    """Have it done elsewhere, and look again later: word is only dropped once nothing is left."""
    if "since" not in row.body:
        service.gather(session, row)
    model = meanings_of(session).model
    if model is None:
        return
    since = row.body.get("since", "")
    if service.outdated(session, model, since=_time(since), limit=1):
        after_commit(session, partial(enqueue, RENEW_ORG, str(row.org_id), since))
        _look_again(session, row)


def _look_again(session: Session, row: Outbox) -> None:
    due_at = now_of(session) + AGAIN
    session.add(
        Outbox(org_id=row.org_id, topic=MEANINGS_CHANGED, body=dict(row.body), due_at=due_at)
    )


def renew_some(db: Database, org_id: UUID, since: str, *, longest_s: float) -> bool:
    """Whether all is up to date now; a model that is away is asked again when word is due again."""
    until = time.monotonic() + longest_s
    in_time = True

    def go_on() -> bool:
        nonlocal in_time
        in_time = time.monotonic() < until
        return in_time

    try:
        done = service.renew(db, org_id, since=_time(since), go_on=go_on)
    except EmbedderAway as error:
        _log.warning("embedder_away", org=str(org_id), error=str(error))
        return True
    if done:
        _log.info("meanings_renewed", org=str(org_id), things=done)
    return in_time


def _time(since: str) -> datetime | None:
    return datetime.fromisoformat(since) if since else None
