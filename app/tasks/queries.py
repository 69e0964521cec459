"""Reading tasks and their history."""

from collections.abc import Collection, Iterator
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, case, select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.people.models import Member, Staff
from app.studio.paging import Cut, Page, page
from app.tasks.models import Task, TaskEvent
from app.tasks.terms import Priority, TaskStatus
from app.tasks.views import TaskFilter, TaskStep, TaskView

_URGENCY = case({Priority.HIGH: 0, Priority.NORMAL: 1}, value=Task.priority, else_=2)


def tasks(session: Session, wanted: TaskFilter, *, cut: Cut) -> Page[TaskView]:
    """Open ones first, by when they are due; of one time the urgent first."""
    query = _tasks().where(*_terms(wanted))
    open_first = case((Task.status == TaskStatus.OPEN, 0), else_=1)
    query = query.order_by(open_first, Task.due_at.asc().nulls_last(), _URGENCY, Task.id)
    return page(session, query, cut, _view)


def task(session: Session, task_id: UUID) -> TaskView:
    row = session.execute(_tasks().where(Task.id == task_id)).one_or_none()
    if row is None:
        raise NotFound(what="task")
    return _view(row)


def some(session: Session, ids: Collection[UUID]) -> tuple[TaskView, ...]:
    """These tasks, in the order given. Raises NotFound where one isn't there."""
    found = {one.id: one for one in map(_view, session.execute(_tasks().where(Task.id.in_(ids))))}
    if found.keys() < set(ids):
        raise NotFound(what="task")
    return tuple(found[task_id] for task_id in ids)


def history(session: Session, task_id: UUID) -> tuple[TaskStep, ...]:
    """What was done with a task, from the beginning."""
    query = (
        select(TaskEvent, Staff.name)
        .outerjoin(Staff, Staff.user_id == TaskEvent.actor_id)
        .where(TaskEvent.task_id == task_id)
        .order_by(TaskEvent.at, TaskEvent.id)
    )
    return tuple(
        TaskStep(row.id, row.kind, row.at, by, row.note) for row, by in session.execute(query)
    )


def open_about_lead(session: Session, lead_id: UUID) -> tuple[TaskView, ...]:
    """What is still to be done about a lead, the next first."""
    wanted = TaskFilter(lead_id=lead_id, statuses=(TaskStatus.OPEN,))
    return tasks(session, wanted, cut=Cut(limit=100)).rows


def _tasks() -> Select[Task, str, Member]:
    return (
        select(Task, Staff.name, Member)
        .outerjoin(Staff, Staff.id == Task.assignee_id)
        .outerjoin(Member, Member.id == Task.member_id)
    )


def _terms(wanted: TaskFilter) -> Iterator[ColumnElement[bool]]:
    if wanted.assignee_id is not None:
        yield Task.assignee_id == wanted.assignee_id
    if wanted.statuses:
        yield Task.status.in_(wanted.statuses)
    if wanted.due_before is not None:
        yield Task.due_at < wanted.due_before
    if wanted.member_id is not None:
        yield Task.member_id == wanted.member_id
    if wanted.lead_id is not None:
        yield Task.lead_id == wanted.lead_id


def _view(row: Row[Task, str | None, Member | None]) -> TaskView:
    found, assignee, member = row
    return TaskView(
        id=found.id,
        version=found.version,
        title=found.title,
        notes=found.notes,
        due_at=found.due_at,
        priority=found.priority,
        status=found.status,
        assignee_id=found.assignee_id,
        assignee=assignee,
        member_id=found.member_id,
        member=member.name if member else None,
        lead_id=found.lead_id,
        source=found.source,
        completed_at=found.completed_at,
        outcome=found.outcome,
    )
