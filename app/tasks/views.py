"""Tasks as other parts see them: values, not rows."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.tasks.terms import Priority, TaskEventKind, TaskSource, TaskStatus


@dataclass(frozen=True, slots=True)
class TaskView:
    id: UUID
    version: int
    title: str
    notes: str | None
    due_at: datetime | None
    priority: Priority
    status: TaskStatus
    assignee_id: UUID | None
    assignee: str | None
    member_id: UUID | None
    member: str | None
    lead_id: UUID | None
    source: TaskSource
    completed_at: datetime | None
    outcome: str | None


@dataclass(frozen=True, slots=True)
class TaskStep:
    """One step in a task's history; `by` is None for what happened by itself."""

    id: UUID
    kind: TaskEventKind
    at: datetime
    by: str | None
    note: str | None


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """None: not asked about."""

    assignee_id: UUID | None = None
    statuses: tuple[TaskStatus, ...] = ()
    due_before: datetime | None = None
    member_id: UUID | None = None
    lead_id: UUID | None = None
