"""Arguments of the tools for tasks."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from app.tasks.terms import Priority, TaskStatus
from tools.catalog._args import Listed, OneLine, Version
from tools.catalog._when import LocalTime
from tools.kit.declare import Args

TaskId = Annotated[UUID, Field(description="The task, by id from tasks.list.")]
Title = Annotated[
    OneLine, Field(min_length=2, max_length=200, description="What is to be done, in a few words.")
]
Notes = Annotated[str | None, Field(max_length=2_000, description="Details, in full.")]
Assignee = Annotated[
    UUID | None, Field(description="Whose it is, from read.list_staff; else the caller's own.")
]


class Tasks(Listed):
    mine: bool = Field(default=False, description="Only the caller's own.")
    assignee_id: UUID | None = Field(default=None, description="Only of this one of the team.")
    status: tuple[TaskStatus, ...] = Field(
        default=(TaskStatus.OPEN,), max_length=3, description="Only these; [] for all."
    )
    due_before: LocalTime | None = None
    member_id: UUID | None = Field(default=None, description="Only about this member.")
    lead_id: UUID | None = Field(default=None, description="Only about this lead.")


class OneTask(Args):
    task_id: TaskId


class NewTask(Args):
    title: Title
    due_at: LocalTime | None = None
    assignee_id: Assignee = None
    member_id: UUID | None = Field(default=None, description="The member it is about.")
    lead_id: UUID | None = Field(default=None, description="The lead it is about.")
    priority: Priority = Priority.NORMAL
    notes: Notes = None


class TaskChanges(OneTask):
    title: Title | None = None
    due_at: LocalTime | None = None
    assignee_id: UUID | None = Field(default=None, description="From read.list_staff.")
    priority: Priority | None = None
    notes: str | None = Field(default=None, max_length=2_000, description="'' takes them away.")
    expected_version: Version = None


class Completing(OneTask):
    outcome: str | None = Field(default=None, max_length=500, description="What came of it.")


class CompletingMany(Args):
    task_ids: tuple[TaskId, ...] = Field(min_length=1, max_length=50, description="Each once.")
