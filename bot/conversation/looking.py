"""Looking at automations that are due: each in a transaction of its own."""

from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.automations import queries, service
from app.automations.service import RUN
from app.core.db import Database, lost, now_of
from app.core.outbox import Outbox
from bot.conversation.relay import Act

_log = structlog.get_logger()


def look_all(db: Database, org_id: UUID) -> int:
    """See for whom triggers have become so in one gym; for how many."""
    with db.transaction(org_id) as session:
        due = queries.due(session, now_of(session))
    return sum(_look(db, org_id, automation_id) for automation_id in due)


def due_orgs(db: Database) -> list[UUID]:
    with db.platform() as session:
        return queries.due_orgs(session, now_of(session))


def acts() -> dict[str, Act]:
    return {RUN: _run}


def _look(db: Database, org_id: UUID, automation_id: UUID) -> int:
    """One that can't be looked at holds up no other."""
    try:
        with db.transaction(org_id) as session:
            return service.look(session, automation_id, now=now_of(session))
    except Exception as error:
        if lost(error):
            raise
        _log.error("automation_broke", automation=str(automation_id), exc_info=error)
        return _put_off(db, org_id, automation_id)


def _put_off(db: Database, org_id: UUID, automation_id: UUID) -> int:
    with db.transaction(org_id) as session:
        service.put_off(session, automation_id, now=now_of(session))
    return 0


def _run(session: Session, row: Outbox) -> None:
    service.run(session, UUID(row.body["run_id"]), now=now_of(session))
