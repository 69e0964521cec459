"""Tasks of the background for the person's pages: how far one is, what runs, and stopping it."""

from typing import Any
from uuid import UUID

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.web.identity import current_actor
from bot.channels.web.chat import Chat
from bot.channels.web.views import PersonViews
from tools.kit import background
from tools.kit.models import BackgroundTask


def task_value(session: Session, task: BackgroundTask, views: PersonViews) -> dict[str, Any]:
    """As `task_progress` carries it: `view` is the task's card, once it ended that of its call."""
    card = background.card_of(session, task)
    return {
        "task_id": str(task.id),
        "call_id": str(task.call_id),
        "conversation_id": str(task.conversation_id) if task.conversation_id else None,
        "tool": task.tool,
        "label": views.label(task.tool),
        "state": task.state.value,
        "done": task.done,
        "failed": task.failed,
        "total": task.total,
        "card": card.model_dump(mode="json"),
        "view": views.card(card),
    }


def task_routes(pages: Blueprint, chat: Chat) -> None:
    @pages.get("/background-tasks")
    def running() -> ResponseReturnValue:
        actor = current_actor()
        with chat.db.transaction(actor.org_id) as session:
            views = chat.views(session, actor)
            ids = background.live(session, actor)
            tasks = [background.one(session, actor, task_id) for task_id in ids]
            return jsonify(tasks=[task_value(session, task, views) for task in tasks])

    @pages.get("/background-tasks/<uuid:task_id>")
    def task(task_id: UUID) -> ResponseReturnValue:
        actor = current_actor()
        with chat.db.transaction(actor.org_id) as session:
            found = background.one(session, actor, task_id)
            return jsonify(task_value(session, found, chat.views(session, actor)))

    @pages.post("/background-tasks/<uuid:task_id>/cancel")
    def cancel(task_id: UUID) -> ResponseReturnValue:
        actor = current_actor()
        with chat.db.transaction(actor.org_id) as session:
            zone = chat.zone_of(session, actor.org_id)
            stopped = background.cancel(session, actor, task_id, zone=zone)
            value = task_value(session, stopped, chat.views(session, actor))
            chat.tell(session, actor, "task_progress", value)
        return jsonify(value)
