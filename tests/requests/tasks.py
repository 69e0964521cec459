"""Tasks, as coaches ask for them."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from app.core.actor import Role
from app.tasks import service
from app.tasks.terms import Priority
from tests.requests.request import Request
from tests.studio import Studio


def task(studio: Studio, title: str = "Call Dana", **more: Any) -> UUID:  # noqa: ANN401 - as NewTask
    new = service.NewTask(
        title,
        due_at=studio.now + timedelta(days=1),
        assignee_id=studio.staff[Role.COACH],
        **more,
    )
    with studio.act() as session:
        return service.create(session, studio.coach, new, now=studio.now)


def one(studio: Studio) -> dict[str, Any]:
    return {"task_id": task(studio, member_id=studio.member())}


def done(studio: Studio) -> dict[str, Any]:
    found = one(studio)
    with studio.act() as session:
        service.complete(session, studio.coach, found["task_id"], now=studio.now)
    return found


def several(studio: Studio) -> dict[str, Any]:
    titles = ("Call Dana", "Order chalk")
    return {"task_ids": [str(task(studio, title)) for title in titles]}


def urgent(studio: Studio) -> dict[str, Any]:
    task(studio, "Fix the rower", priority=Priority.HIGH)
    return {"due_before": f"{studio.day(2)}T00:00"}


def new(studio: Studio) -> dict[str, Any]:
    return {
        "title": "Call about the trial",
        "due_at": f"{studio.day(1)}T09:30",
        "member_id": studio.member(),
        "assignee_id": studio.staff[Role.COACH],
    }


REQUESTS = [
    Request("tasks.list", "что мне сделать до среды?", urgent, ("Fix the rower",), role=Role.COACH),
    Request("tasks.get", "show me the task about Dana", one, ("Call Dana", "Dana Levi")),
    Request("tasks.create", "תזכיר לי להתקשר לדנה מחר ב-9:30", new, ("trial",)),
    Request(
        "tasks.update",
        "make it urgent",
        lambda studio: {**one(studio), "priority": "high"},
        ("Call Dana", "UNDO"),
        role=Role.COACH,
    ),
    Request("tasks.complete", "done with calling Dana", one, ("Call Dana", "UNDO")),
    Request("tasks.reopen", "верни задачу про Дану в работу", done, ("Call Dana",)),
    Request(
        "tasks.bulk_complete",
        "both are done",
        several,
        ("Call Dana", "Order chalk", "UNDO"),
        role=Role.COACH,
    ),
    Request("tasks.delete", "תמחק את המשימה של דנה", one, ("Call Dana",)),
]
