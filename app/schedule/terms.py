"""Closed sets of the schedule."""

from enum import StrEnum


class SessionStatus(StrEnum):
    SCHEDULED = "scheduled"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


class Scope(StrEnum):
    """Of a repeating class: this date, it and those after it, or all that are still to come."""

    THIS = "this"
    FOLLOWING = "following"
    ALL = "all"
