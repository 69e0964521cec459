"""Closed sets about programs, what was assigned, and the workout of the day."""

from enum import StrEnum
from typing import Final


class Level(StrEnum):
    """Whom a program is for."""

    BEGINNER = "beginner"
    INTERMEDIATE = "intermediate"
    ADVANCED = "advanced"
    ANY = "any"


class ProgramStatus(StrEnum):
    DRAFT = "draft"
    PUBLISHED = "published"
    ARCHIVED = "archived"


class Weekday(StrEnum):
    """A day of the week; which one begins it is the gym's own (`week_start`)."""

    SUN = "sun"
    MON = "mon"
    TUE = "tue"
    WED = "wed"
    THU = "thu"
    FRI = "fri"
    SAT = "sat"

    @property
    def number(self) -> int:
        """0 is Sunday, as in `week_start`."""
        return list(Weekday).index(self)


class AssignmentKind(StrEnum):
    PROGRAM = "program"
    WORKOUT = "workout"


class AssignmentStatus(StrEnum):
    """Kept are `active`, `completed` and `cancelled`; the other two follow from the dates."""

    SCHEDULED = "scheduled"
    """It begins on a day to come."""
    ACTIVE = "active"
    PAUSED = "paused"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


class DayStatus(StrEnum):
    """Kept are `upcoming` and what was marked; `due` and `missed` also follow from the date."""

    UPCOMING = "upcoming"
    DUE = "due"
    DONE = "done"
    PARTIAL = "partial"
    MISSED = "missed"
    SKIPPED = "skipped"
    EXCUSED = "excused"


class Mark(StrEnum):
    """What a day can be marked as; `upcoming` takes a mark away."""

    DONE = "done"
    PARTIAL = "partial"
    MISSED = "missed"
    SKIPPED = "skipped"
    EXCUSED = "excused"
    UPCOMING = "upcoming"


class DailyStatus(StrEnum):
    """Kept are `draft` and `published`; the other two are told by the clock and by what lacks."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    """Members see it from a time to come."""
    PUBLISHED = "published"
    EMPTY = "empty"


OVER: Final = (AssignmentStatus.COMPLETED, AssignmentStatus.CANCELLED)
