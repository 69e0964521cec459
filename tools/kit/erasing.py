"""Taking a person's data out of what is kept of calls and questions, and old images out of it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Text, cast, delete, exists, func, or_, select, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import InstrumentedAttribute, Session

from tools.kit.calls import Outcome
from tools.kit.cards import Confirm, Done
from tools.kit.declare import Started
from tools.kit.models import BackgroundTask, Question, QuestionState, ToolCall, TouchedRow
from tools.kit.receipts import AUDIT

Column = InstrumentedAttribute[Any]
_ID: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_BLANK: Final = Outcome(card=Done(of="erased"))


@dataclass(frozen=True, slots=True)
class _Traces:
    """What a text is searched for: ids, and words that name a person."""

    ids: Collection[UUID]
    words: Collection[str]

    def found_in(self, *columns: Column) -> ColumnElement[bool]:
        texts = [cast(one, Text) for one in columns]
        lower = [func.lower(text) for text in texts]
        named = (func.strpos(text, one.lower()) > 0 for text in lower for one in self.words)
        return or_(*map(self._has_id, texts), *named)

    def _has_id(self, text: ColumnElement[str]) -> ColumnElement[bool]:
        """Each id in the text is looked up among ours: however many these are, it is read once."""
        kind = ARRAY(Text())
        match = func.regexp_matches(text, _ID, "g", type_=kind).column_valued("match")
        ours = match[1].in_([str(one) for one in self.ids])
        return exists(select(match).where(ours))


def erase(session: Session, row_ids: Collection[UUID], *, words: Collection[str] = ()) -> int:
    """Blank every call and question that touched or names one of these rows, or says such words.

    Those can't be undone any more; that they were made, by whom and when, stays in the audit.
    Returns how many calls they were.
    """
    traces = _Traces(row_ids, words)
    touching = select(TouchedRow.call_id).where(TouchedRow.row_id.in_(row_ids))
    tasks = select(BackgroundTask.call_id).where(traces.found_in(BackgroundTask.items))
    named = traces.found_in(ToolCall.args, ToolCall.outcome)
    about = or_(ToolCall.id.in_(touching), named, ToolCall.id.in_(tasks))
    found = list(session.scalars(select(ToolCall.id).where(about)))
    session.execute(delete(TouchedRow).where(TouchedRow.call_id.in_(found)))
    blank = {"args": {}, "outcome": _BLANK.model_dump(mode="json"), "undo": None}
    session.execute(update(ToolCall).where(ToolCall.id.in_(found)).values(blank))
    _blank_tasks(session, found)
    _blank_questions(session, traces)
    return len(found)


def _blank_tasks(session: Session, call_ids: Collection[UUID]) -> None:
    """One that is under way finds nothing more to do, and breaks off."""
    started = Started(items=(), counted="actions").model_dump(mode="json", exclude={"items"})
    blank = {"items": [], "left_out": [], "sums": {}, "started": started}
    session.execute(
        update(BackgroundTask).where(BackgroundTask.call_id.in_(call_ids)).values(blank)
    )


def _blank_questions(session: Session, traces: _Traces) -> None:
    asked = list(
        session.scalars(select(Question.id).where(traces.found_in(Question.card, Question.calls)))
    )
    waiting = (Question.id.in_(asked), Question.state == QuestionState.OPEN)
    session.execute(update(Question).where(*waiting).values(state=QuestionState.SUPERSEDED))
    card = Confirm(of="erased")
    blank = {"kind": card.kind, "card": card.model_dump(mode="json"), "calls": [], "decisions": {}}
    session.execute(update(Question).where(Question.id.in_(asked)).values(blank))


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
