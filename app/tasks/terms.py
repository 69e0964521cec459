"""Closed sets of tasks."""

from enum import StrEnum


class TaskStatus(StrEnum):
    OPEN = "open"
    DONE = "done"
    CANCELLED = "cancelled"


class Priority(StrEnum):
    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


class TaskSource(StrEnum):
    MANUAL = "manual"
    AUTOMATION = "automation"
    AGENT = "agent"


class TaskEventKind(StrEnum):
    CREATED = "created"
    CHANGED = "changed"
    COMPLETED = "completed"
    REOPENED = "reopened"
