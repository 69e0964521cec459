"""What each call of the model used and cost, kept as it was seen."""

from dataclasses import asdict
from uuid import UUID

import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.core.db import Database, now_of
from bot.conversation.models import Turn, UsageRow
from bot.model.prices import cost
from bot.model.usage import Usage

_log = structlog.get_logger()


def keep(db: Database, turn: Turn, usage: Usage) -> None:
    """Store one call's usage; a database that is away is logged: the turn meets it soon enough."""
    try:
        with db.transaction(turn.org_id) as session:
            session.add(_row(turn.org_id, turn, usage, cost(usage, now_of(session).date())))
    except SQLAlchemyError as error:
        _log.error("usage_not_kept", turn=str(turn.id), error=type(error).__name__)


def _row(org_id: UUID, turn: Turn, usage: Usage, micros: int) -> UsageRow:
    return UsageRow(
        org_id=org_id,
        conversation_id=turn.conversation_id,
        turn_id=turn.id,
        model=usage.model,
        input_tokens=usage.input,
        output_tokens=usage.output,
        cache_write_5m=usage.cache_write_5m,
        cache_write_1h=usage.cache_write_1h,
        cache_read=usage.cache_read,
        cost_micros=micros,
        detail=asdict(usage),
    )
