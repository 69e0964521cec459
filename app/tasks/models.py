"""Tables of tasks: what is to be done, and what became of it."""

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.columns import text_enum
from app.core.db import OrgRow
from app.core.erasing import PSEUDONYM, Erasure, blanked, within
from app.people.models import Member, Staff
from app.tasks.terms import Priority, TaskEventKind, TaskSource, TaskStatus


class Task(OrgRow):
    __tablename__ = "task"
    __erase__: ClassVar[Erasure] = blanked(
        title=PSEUDONYM,
        notes=None,
        outcome=None,
        status=lambda row: TaskStatus.CANCELLED if row.status is TaskStatus.OPEN else row.status,
    )
    __table_args__ = (
        Index("ix_task_open", "org_id", "due_at", postgresql_where=text("status = 'open'")),
    )

    title: Mapped[str]
    notes: Mapped[str | None]
    due_at: Mapped[datetime | None]
    priority: Mapped[Priority] = mapped_column(text_enum(Priority), default=Priority.NORMAL)
    status: Mapped[TaskStatus] = mapped_column(text_enum(TaskStatus), default=TaskStatus.OPEN)
    assignee_id: Mapped[UUID | None] = mapped_column(ForeignKey(Staff.id), index=True)
    member_id: Mapped[UUID | None] = mapped_column(ForeignKey(Member.id), index=True)
    lead_id: Mapped[UUID | None] = mapped_column(index=True)
    """No foreign key: leads are a domain above. Whoever deletes a lead unties its tasks."""
    source: Mapped[TaskSource] = mapped_column(text_enum(TaskSource), default=TaskSource.MANUAL)
    completed_at: Mapped[datetime | None]
    """When it was last done; it stays while the task is open again."""
    outcome: Mapped[str | None]


class TaskEvent(OrgRow):
    """One step in a task's history."""

    __tablename__ = "task_event"
    __erase__: ClassVar[Erasure] = blanked(within("task_id"), note=None)

    task_id: Mapped[UUID] = mapped_column(ForeignKey(Task.id, ondelete="CASCADE"), index=True)
    kind: Mapped[TaskEventKind] = mapped_column(text_enum(TaskEventKind))
    at: Mapped[datetime]
    actor_id: Mapped[UUID | None]
    """Whose login did it; of nobody's, it happened by itself."""
    note: Mapped[str | None]
