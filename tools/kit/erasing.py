"""Taking a person's data out of what is kept of calls and questions, and old images out of it."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Text, cast, delete, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from tools.kit.calls import Outcome
from tools.kit.cards import Confirm, Done
from tools.kit.declare import Started
from tools.kit.models import BackgroundTask, Question, QuestionState, ToolCall, TouchedRow
from tools.kit.receipts import AUDIT

Column = InstrumentedAttribute[Any]
_BLANK: Final = Outcome(card=Done(of="erased"))


def erase(session: Session, row_ids: Collection[UUID]) -> int:
    """Blank every call and question that touched or names one of these rows; return how many calls.

    Those can't be undone any more; that they were made, by whom and when, stays in the audit.
    """
    touching = select(TouchedRow.call_id).where(TouchedRow.row_id.in_(row_ids))
    named = or_(*(_names(ToolCall.args, ToolCall.outcome, row_id) for row_id in row_ids))
    waiting = or_(*(_holds(BackgroundTask.items, row_id) for row_id in row_ids))
    tasks = select(BackgroundTask.call_id).where(waiting)
    about = or_(ToolCall.id.in_(touching), named, ToolCall.id.in_(tasks))
    found = list(session.scalars(select(ToolCall.id).where(about)))
    session.execute(delete(TouchedRow).where(TouchedRow.call_id.in_(found)))
    blank = {"args": {}, "outcome": _BLANK.model_dump(mode="json"), "undo": None}
    session.execute(update(ToolCall).where(ToolCall.id.in_(found)).values(blank))
    _blank_tasks(session, found)
    _blank_questions(session, row_ids)
    return len(found)


def _blank_tasks(session: Session, call_ids: Collection[UUID]) -> None:
    """One that is under way finds nothing more to do, and breaks off."""
    started = Started(items=(), counted="actions").model_dump(mode="json", exclude={"items"})
    blank = {"items": [], "left_out": [], "sums": {}, "started": started}
    session.execute(
        update(BackgroundTask).where(BackgroundTask.call_id.in_(call_ids)).values(blank)
    )


def _blank_questions(session: Session, row_ids: Collection[UUID]) -> None:
    asked = or_(*(_names(Question.card, Question.calls, row_id) for row_id in row_ids))
    waiting = asked & (Question.state == QuestionState.OPEN)
    session.execute(update(Question).where(waiting).values(state=QuestionState.SUPERSEDED))
    card = Confirm(of="erased")
    blank = {"kind": card.kind, "card": card.model_dump(mode="json"), "calls": [], "decisions": {}}
    session.execute(update(Question).where(asked).values(blank))


def forget_images(session: Session, *, now: datetime) -> None:
    """Drop how rows were before calls that can't be undone any more, and whom tasks were about."""
    past = now - AUDIT
    old = TouchedRow.call_id.in_(select(ToolCall.id).where(ToolCall.settled_at < past))
    had_one = TouchedRow.before.is_not(None)
    session.execute(
        update(TouchedRow)
        .where(TouchedRow.created_at < past, old, had_one)
        .values(before={})
        .execution_options(synchronize_session=False)
    )
    ended = BackgroundTask.ended_at < past
    session.execute(update(BackgroundTask).where(ended).values(items=[], left_out=[]))


def _names(first: Column, second: Column, row_id: UUID) -> ColumnElement[bool]:
    return or_(_holds(first, row_id), _holds(second, row_id))


def _holds(column: Column, row_id: UUID) -> ColumnElement[bool]:
    return cast(column, Text).contains(str(row_id))
