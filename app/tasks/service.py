"""Making tasks, changing them, and saying what came of them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.errors import NotAllowed, NotFound, StaleVersion
from app.people import queries as people
from app.people import service as members
from app.tasks.errors import DueInPast, DueTooFar, StaffLeft, TaskNotDone, TaskNotOpen
from app.tasks.models import Task, TaskEvent
from app.tasks.terms import Priority, TaskEventKind, TaskSource, TaskStatus

FURTHEST = timedelta(days=731)


@dataclass(frozen=True, slots=True)
class NewTask:
    """`lead_id` is taken on trust: who gives it has looked the lead up."""

    title: str
    due_at: datetime | None = None
    assignee_id: UUID | None = None
    """A staff id; None: nobody's yet."""
    member_id: UUID | None = None
    lead_id: UUID | None = None
    priority: Priority = Priority.NORMAL
    notes: str | None = None
    source: TaskSource = TaskSource.MANUAL


@dataclass(frozen=True, slots=True)
class TaskChanges:
    """None: as it was. Empty notes take them away."""

    title: str | None = None
    due_at: datetime | None = None
    assignee_id: UUID | None = None
    priority: Priority | None = None
    notes: str | None = None


def create(session: Session, actor: Actor, new: NewTask, *, now: datetime) -> UUID:
    """Raises DueInPast, DueTooFar, StaffLeft, NotFound and MemberErased."""
    if new.due_at is not None:
        _check_due(new.due_at, now)
    if new.assignee_id is not None:
        _check_assignee(session, new.assignee_id)
    if new.member_id is not None:
        members.locked(session, new.member_id)
    made = Task(
        org_id=actor.org_id,
        title=new.title,
        notes=new.notes or None,
        due_at=new.due_at,
        priority=new.priority,
        assignee_id=new.assignee_id,
        member_id=new.member_id,
        lead_id=new.lead_id,
        source=new.source,
    )
    session.add(made)
    session.flush()
    _note(session, actor, made, TaskEventKind.CREATED, now=now)
    return made.id


def change(
    session: Session,
    actor: Actor,
    task_id: UUID,
    changes: TaskChanges,
    *,
    now: datetime,
    expected_version: int | None = None,
) -> None:
    """Raises NotAllowed, TaskNotOpen, StaleVersion, and what `create` raises."""
    row = _open(session, task_id)
    _check_may_change(session, actor, row)
    if expected_version not in {None, row.version}:
        raise StaleVersion
    if changes.due_at is not None and changes.due_at != row.due_at:
        _check_due(changes.due_at, now)
        row.due_at = changes.due_at
    if changes.assignee_id is not None:
        _check_assignee(session, changes.assignee_id)
        row.assignee_id = changes.assignee_id
    row.title = changes.title or row.title
    row.priority = changes.priority or row.priority
    if changes.notes is not None:
        row.notes = changes.notes or None
    if session.is_modified(row):
        _note(session, actor, row, TaskEventKind.CHANGED, now=now)


def complete(
    session: Session, actor: Actor, task_id: UUID, *, now: datetime, outcome: str | None = None
) -> None:
    """Raises TaskNotOpen. An undo of its opening brings back when and how it had been done."""
    row = _open(session, task_id)
    row.status = TaskStatus.DONE
    if actor.undoing and row.completed_at is not None:
        _forget(session, row, TaskEventKind.REOPENED)
        return
    row.completed_at, row.outcome = now, outcome or None
    _note(session, actor, row, TaskEventKind.COMPLETED, now=now, note=outcome)


def complete_all(session: Session, actor: Actor, ids: Collection[UUID], *, now: datetime) -> None:
    """All of them or none. Raises TaskNotOpen for the first that is done already."""
    for task_id in ids:
        complete(session, actor, task_id, now=now)


def reopen(session: Session, actor: Actor, task_id: UUID, *, now: datetime) -> None:
    """Raises TaskNotDone. An undo of its completion leaves no trace of it."""
    row = _lock(session, task_id)
    if row.status is TaskStatus.OPEN:
        raise TaskNotDone(title=row.title)
    row.status = TaskStatus.OPEN
    if actor.undoing:
        row.completed_at, row.outcome = None, None
        _forget(session, row, TaskEventKind.COMPLETED)
        return
    _note(session, actor, row, TaskEventKind.REOPENED, now=now)


def check_open(session: Session, ids: Collection[UUID]) -> None:
    """Lock these tasks. Raises NotFound, TaskNotOpen."""
    for task_id in ids:
        _open(session, task_id)


def check_delete(session: Session, actor: Actor, task_id: UUID) -> None:
    """Raises NotFound, NotAllowed."""
    _check_may_change(session, actor, _lock(session, task_id))


def delete(session: Session, actor: Actor, task_id: UUID) -> None:
    """Raises NotFound, NotAllowed."""
    check_delete(session, actor, task_id)
    row = _lock(session, task_id)
    for event in session.scalars(select(TaskEvent).where(TaskEvent.task_id == row.id)):
        session.delete(event)
    session.flush()
    session.delete(row)
    session.flush()


def untie_lead(session: Session, lead_id: UUID) -> None:
    """A lead goes for good: its tasks stay, about nobody."""
    for row in session.scalars(select(Task).where(Task.lead_id == lead_id)):
        row.lead_id = None
    session.flush()


def tie_member(session: Session, lead_id: UUID, member_id: UUID) -> None:
    """A lead became a member: its tasks are about both."""
    for row in session.scalars(select(Task).where(Task.lead_id == lead_id)):
        row.member_id = row.member_id or member_id
    session.flush()


def _lock(session: Session, task_id: UUID) -> Task:
    row = session.get(Task, task_id, with_for_update=True)
    if row is None:
        raise NotFound(what="task")
    return row


def _open(session: Session, task_id: UUID) -> Task:
    row = _lock(session, task_id)
    if row.status is not TaskStatus.OPEN:
        raise TaskNotOpen(title=row.title)
    return row


def _check_may_change(session: Session, actor: Actor, row: Task) -> None:
    """Below admin one changes what is one's own, nobody's, or given by oneself to another."""
    if actor.undoing or row.assignee_id is None or actor.role.at_least(Role.ADMIN):
        return
    if people.staff(session, row.assignee_id).user_id == actor.user_id:
        return
    made = select(TaskEvent.actor_id).where(
        TaskEvent.task_id == row.id, TaskEvent.kind == TaskEventKind.CREATED
    )
    if session.scalar(made) != actor.user_id:
        raise NotAllowed


def _check_due(due_at: datetime, now: datetime) -> None:
    if due_at < now:
        raise DueInPast(at=due_at)
    if due_at > now + FURTHEST:
        raise DueTooFar(at=due_at)


def _check_assignee(session: Session, staff_id: UUID) -> None:
    found = people.staff(session, staff_id)
    if not found.active:
        raise StaffLeft(name=found.name)


def _note(
    session: Session,
    actor: Actor,
    row: Task,
    kind: TaskEventKind,
    *,
    now: datetime,
    note: str | None = None,
) -> None:
    by = actor.user_id
    made = TaskEvent(org_id=row.org_id, task_id=row.id, kind=kind, at=now, actor_id=by, note=note)
    session.add(made)
    session.flush()


def _forget(session: Session, row: Task, kind: TaskEventKind) -> None:
    """Take the last step of a kind out of the history: an undo took it back."""
    query = select(TaskEvent).where(TaskEvent.task_id == row.id, TaskEvent.kind == kind)
    last = session.scalar(query.order_by(TaskEvent.at.desc(), TaskEvent.id.desc()).limit(1))
    if last is not None:
        session.delete(last)
    session.flush()
