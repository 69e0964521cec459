"""What a turn did, as numbers and names of tools: told to the log once it is over."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.core.db import after_commit, now_of
from bot.conversation.models import Conversation, Turn, UsageRow
from bot.model.usage import Usage
from bot.turn.events import Asked, Ended, Event, Ran, Said
from tools.kit.cards import Failed, NotRun
from tools.kit.registry import discover

COMPLETED = "agent.turn.completed"
EXECUTED = "agent.tool.executed"
CAP_HIT = "agent.daily_cap.hit"

CACHE_MISSED = "agent.cache.missed"
_OWN_FAULT = frozenset({"model_changed", "system_changed", "tools_changed"})
"""A prefix that should have been the same; messages change where old results are made short."""

_log = structlog.get_logger()


def tell(
    session: Session, conversation: Conversation, turn: Turn, events: Sequence[Event], end: Ended
) -> None:
    """Once it is committed: the turn, and each tool that was called in it."""
    who = {"org": str(turn.org_id), "user": str(conversation.user_id), "turn": str(turn.id)}
    whole = {**who, **_whole(session, conversation, turn, events, end)}
    tools = [{**who, **one} for one in _tools(events)]

    def log() -> None:
        for one in tools:
            _log.info(EXECUTED, **one)
        _log.info(COMPLETED, **whole)

    after_commit(session, log)


def watch_cache(usage: Usage, org: str) -> None:
    """What the cache should have held: an alarm where the prefix is not what it had been."""
    reason = usage.cache_miss_reason
    if reason in _OWN_FAULT:
        _log.error(CACHE_MISSED, org=org, model=usage.model, reason=reason)
    elif reason is not None:
        _log.info(CACHE_MISSED, org=org, model=usage.model, reason=reason)


def _whole(
    session: Session, conversation: Conversation, turn: Turn, events: Sequence[Event], end: Ended
) -> dict[str, Any]:
    sums = select(
        func.count(UsageRow.id),
        func.coalesce(func.sum(UsageRow.cost_micros), 0),
        func.coalesce(func.sum(UsageRow.cache_read), 0),
        func.coalesce(func.sum(UsageRow.output_tokens), 0),
    ).where(UsageRow.turn_id == turn.id)
    calls, micros, read, output = session.execute(sums).one()
    return {
        "surface": conversation.surface.value,
        "reason": end.reason,
        "lane": turn.lane,
        "handed_over": turn.handed_over,
        "seconds": _seconds(turn.created_at, now_of(session)),
        "tools": sum(isinstance(event, Ran) for event in events),
        "questions": sum(isinstance(event, Asked) for event in events),
        "model_calls": calls,
        "cost_micros": int(micros),
        "cache_read_tokens": int(read),
        "output_tokens": int(output),
    }


def _tools(events: Sequence[Event]) -> Iterator[dict[str, Any]]:
    said = (event for event in events if isinstance(event, Said))
    calls = {call.id: (call.name, one.ours) for one in said for call in one.calls}
    for event in events:
        if isinstance(event, Ran) and event.call_id in calls:
            name, ours = calls[event.call_id]
            why = _why(event)
            yield {"tool": _known(name), "ok": event.ok, "ours": ours, "code": why}


def _known(name: str) -> str:
    """A tool's own name; one that is none is the model's invention, and may be anybody's words."""
    tool = discover("tools.catalog").get(name)
    return "unknown" if tool is None else tool.name


def _why(ran: Ran) -> str | None:
    match ran.card:
        case Failed(code=code):
            return code
        case NotRun(reason=reason):
            return reason
        case _:
            return None


def _seconds(since: datetime, until: datetime) -> float:
    return round((until - since).total_seconds(), 3)
