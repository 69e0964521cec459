"""The inbox, as coaches ask for it."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import func, select

from app.core.actor import Role
from app.inbox import service
from app.inbox.models import InboxThread
from app.inbox.terms import ThreadChannel
from app.messages.queries import had
from tests.requests.request import Request
from tests.studio import Studio

ASKS = "Hi, is the six o'clock still on?\nI may be late."


def handle(studio: Studio) -> str:
    """A number that nobody in the gym has written from, the same in every gym."""
    with studio.act() as session:
        last = session.scalar(select(func.max(InboxThread.handle)))
    return f"+{int(last or '+972550000000') + 1}"


def thread(studio: Studio, *, hours_ago: float = 1.0) -> UUID:
    """Dana has written on WhatsApp."""
    number = handle(studio)
    studio.person("Dana Levi", phone=number, language="en")
    at = studio.now - timedelta(hours=hours_ago)
    with studio.act() as session:
        return service.receive(session, studio.org_id, ThreadChannel.WHATSAPP, number, ASKS, at=at)


def one(studio: Studio) -> dict[str, Any]:
    return {"thread_id": thread(studio)}


def waiting(studio: Studio) -> dict[str, Any]:
    one(studio)
    return {"unread": True}


def discussed(studio: Studio) -> dict[str, Any]:
    """With an answer, a note and a draft."""
    found = one(studio)
    with studio.act() as session:
        said = service.Reply("Yes, see you at six.")
        service.reply(session, studio.coach, found["thread_id"], said, had=had, now=studio.now)
        service.add_note(session, studio.coach, found["thread_id"], "Often late.", now=studio.now)
        service.save_draft(session, studio.coach, found["thread_id"], "Is all well?")
    return found


def closed(studio: Studio) -> dict[str, Any]:
    found = one(studio)
    with studio.act() as session:
        service.close(session, studio.coach, found["thread_id"], now=studio.now)
    return found


REQUESTS = [
    Request("inbox.list_threads", "что там во входящих?", waiting, ("Dana Levi",), role=Role.COACH),
    Request(
        "inbox.get_thread", "מה דנה כתבה?", discussed, ("Dana Levi", "Often late"), role=Role.COACH
    ),
    Request(
        "inbox.reply",
        "tell her yes, see you at six",
        lambda studio: {**one(studio), "body": "Yes, see you at six."},
        ("Dana Levi",),
        role=Role.COACH,
    ),
    Request(
        "inbox.save_draft",
        "save an answer, I'll send it later",
        lambda studio: {**one(studio), "body": "Yes, see you."},
        ("Dana Levi", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "inbox.assign_thread",
        "תעביר את ההתכתבות למנהלת",
        lambda studio: {**one(studio), "assignee_id": studio.staff[Role.ADMIN]},
        ("Dana Levi", "admin one"),
    ),
    Request(
        "inbox.add_internal_note",
        "note for the team: Dana is often late",
        lambda studio: {**one(studio), "body": "Often late."},
        ("Dana Levi", "Often late", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "inbox.close_thread",
        "закрой переписку с Даной",
        lambda studio: {**one(studio), "outcome": "Answered"},
        ("Dana Levi",),
    ),
    Request(
        "inbox.reopen_thread", "open the thread with Dana again", closed, ("Dana Levi", "UNDO")
    ),
    Request(
        "inbox.mark_read",
        "סמן כנקרא",
        lambda studio: {**one(studio), "read": True},
        ("Dana Levi",),
    ),
]
