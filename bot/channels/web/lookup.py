"""What a page asks for when it opens: the conversations, what waits, and what was said."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ScalarSelect, select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import now_of
from bot.channels.web.agui import Fold
from bot.channels.web.views import PersonViews
from bot.conversation import reading
from bot.conversation.models import Conversation, Surface, Turn, TurnState, Words
from bot.stream.entries import Position
from bot.turn.events import Event, Heard
from tools.kit import questions, receipts
from tools.kit.models import Question, QuestionState

LATEST = 30
"""Conversations in the list of a page."""
TITLE = 60
"""Characters of the first words that stand for a title."""


def open_question(session: Session, conversation_id: UUID) -> Question | None:
    """The question that waits in this conversation; nothing was said since it was shown."""
    query = (
        select(Question)
        .join(Turn, Turn.id == Question.turn_id)
        .where(
            Turn.conversation_id == conversation_id,
            Turn.state == TurnState.ASKED,
            Question.state == QuestionState.OPEN,
            Question.expires_at > now_of(session),
        )
    )
    return session.scalar(query)


def last_question(session: Session, conversation_id: UUID) -> Question | None:
    """The newest question of a conversation, open or closed."""
    query = select(Question).where(Question.conversation_id == conversation_id)
    newest = query.order_by(Question.created_at.desc(), Question.id.desc()).limit(1)
    return session.scalars(newest).first()


def history(session: Session, row: Conversation, views: PersonViews) -> dict[str, Any]:
    """A conversation as the events that would have led to what the page shows."""
    expiries = _expiries(session, row.id)
    turns = [
        {"turn_id": str(one.turn.id), **_replayed(one, row.id, views, expiries.get)}
        for one in reading.turns(session, row.id)
    ]
    return {
        "conversation_id": str(row.id),
        "title": row.title,
        "turns": turns,
        "undone": {str(one): views.card(card) for one, card in receipts.undone(session, row.id)},
    }


def open_now(session: Session, actor: Actor, views: PersonViews) -> dict[str, Any]:
    """The latest conversation of the dashboard, every question that waits, and what time it is."""
    latest = reading.latest(session, actor)
    waiting = questions.of_person(session, actor.user_id, now=now_of(session))
    surfaces = _surfaces(session, waiting)
    return {
        "conversation_id": str(latest.id) if latest else None,
        "questions": [_waits(row, surfaces, views) for row in waiting],
        "now": now_of(session).isoformat(),
    }


def past(session: Session, actor: Actor, views: PersonViews) -> dict[str, Any]:
    """The newest conversations of the dashboard."""
    query = (
        select(Conversation, _first_words())
        .where(Conversation.user_id == actor.user_id, Conversation.surface == Surface.WEB)
        .order_by(Conversation.created_at.desc())
        .limit(LATEST)
    )
    return {
        "conversations": [
            {
                "id": str(row.id),
                "title": row.title or (words or "")[:TITLE],
                "when": views.time(row.created_at),
            }
            for row, words in session.execute(query)
        ]
    }


def _first_words() -> ScalarSelect[str]:
    """How a conversation began: its name until it has one."""
    return (
        select(Words.text)
        .join(Turn, Turn.id == Words.turn_id)
        .where(Turn.conversation_id == Conversation.id)
        .order_by(Words.position)
        .limit(1)
        .correlate(Conversation)
        .scalar_subquery()
    )


def _replayed(
    one: reading.StoredTurn,
    thread: UUID,
    views: PersonViews,
    until: Callable[[UUID], datetime | None],
) -> dict[str, Any]:
    fold = Fold(thread=thread, turn=one.turn.id, views=views, until=until)
    events: list[Event] = [event for _, event in one.events]
    if one.waiting:
        events = [Heard(text="\n".join(one.waiting))]
    sent = [dump for event in events for dump in _dumped(fold, event)]
    last = str(Position.stored(len(one.events) - 1)) if one.events else None
    return {"events": sent, "last": last}


def _dumped(fold: Fold, event: Event) -> list[dict[str, Any]]:
    return [one.model_dump(mode="json", by_alias=True) for one in fold.of(event)]


def _expiries(session: Session, conversation_id: UUID) -> dict[UUID, datetime]:
    query = select(Question.id, Question.expires_at)
    rows = session.execute(query.where(Question.conversation_id == conversation_id))
    return {row.id: row.expires_at for row in rows}


def _surfaces(session: Session, waiting: Iterable[Question]) -> dict[UUID, Surface]:
    ids = [row.conversation_id for row in waiting if row.conversation_id]
    query = select(Conversation.id, Conversation.surface).where(Conversation.id.in_(ids))
    return {row.id: row.surface for row in session.execute(query)}


def _waits(row: Question, surfaces: dict[UUID, Surface], views: PersonViews) -> dict[str, Any]:
    surface = surfaces.get(row.conversation_id) if row.conversation_id else None
    return {
        "question_id": str(row.id),
        "conversation_id": str(row.conversation_id) if row.conversation_id else None,
        "view": views.card(questions.card_of(row), row.expires_at),
        "until": row.expires_at.isoformat(),
        "asked_where": views.asked(surface.value if surface else "api"),
    }
