"""Programs, assignments and the workout of the day as other parts see them: values, not rows."""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from app.programs.body import Body, Parameter
from app.programs.compliance import Tally
from app.programs.terms import (
    AssignmentKind,
    AssignmentStatus,
    DailyStatus,
    DayStatus,
    Level,
    ProgramStatus,
)


@dataclass(frozen=True, slots=True)
class ProgramView:
    id: UUID
    version: int
    title: str
    description: str | None
    goal: str | None
    level: Level
    status: ProgramStatus
    weeks: int
    people: int
    """Who train by it now, or are going to."""
    owner: str | None


@dataclass(frozen=True, slots=True)
class SlotView:
    """A workout placed on a day of a program."""

    id: UUID
    workout_id: UUID
    title: str
    week_no: int
    day_no: int
    position: int
    loads: dict[str, int]


@dataclass(frozen=True, slots=True)
class DayView:
    id: UUID
    week_no: int
    day_no: int
    is_rest: bool
    slots: tuple[SlotView, ...]


@dataclass(frozen=True, slots=True)
class WeekView:
    id: UUID
    number: int
    focus: str | None
    days: tuple[DayView, ...]

    @property
    def slots(self) -> tuple[SlotView, ...]:
        return tuple(slot for day in self.days for slot in day.slots)


@dataclass(frozen=True, slots=True)
class TemplateView:
    id: UUID
    version: int
    title: str
    description: str | None
    goal: str | None
    level: Level
    parameters: tuple[Parameter, ...]
    body: Body
    owner: str | None


@dataclass(frozen=True, slots=True)
class AssignmentView:
    id: UUID
    version: int
    member_id: UUID
    member: str
    kind: AssignmentKind
    program_id: UUID | None
    workout_id: UUID | None
    title: str
    coach_id: UUID | None
    coach: str | None
    start: date
    """The day that its first workout is due, or was; `end` is that of the last."""
    end: date
    days_of_week: tuple[int, ...]
    """0 is Sunday; empty: each workout keeps the weekday that it has."""
    status: AssignmentStatus
    paused_until: date | None
    """The last day of a pause that goes on; None where nobody said, or where there is none."""
    notes: str | None
    reason: str | None
    summary: str | None
    changed_since: bool
    """The program was changed since it was copied."""


@dataclass(frozen=True, slots=True)
class AssignedDay:
    """A workout as it is due; `status` is what it is today."""

    id: UUID
    version: int
    assignment_id: UUID
    due: date
    week_no: int
    day_no: int
    workout_id: UUID | None
    title: str
    loads: dict[str, int]
    status: DayStatus
    paused: bool
    done_at: datetime | None
    note: str | None


@dataclass(frozen=True, slots=True)
class Athlete:
    """Somebody a coach is responsible for, over some days back."""

    member_id: UUID
    member: str
    titles: tuple[str, ...]
    tally: Tally
    last_done: date | None
    status: AssignmentStatus
    ends: date
    concerns: tuple[str, ...]
    """Why they need attention, as words of the studio: `silent`, `behind`, `ending`."""


@dataclass(frozen=True, slots=True)
class DailyView:
    """The workout of the day of a class type; without one where `status` is empty."""

    class_type_id: UUID
    class_type: str
    day: date
    status: DailyStatus
    version: int | None = None
    workout_id: UUID | None = None
    workout: str | None = None
    publish_at: datetime | None = None
    member_notes: str | None = None
    coach_notes: str | None = None


@dataclass(frozen=True, slots=True)
class SessionWorkoutView:
    """A workout of a class: its own, or (`own` is false) the one of its day."""

    workout_id: UUID
    title: str
    own: bool
    visible: bool
    """Whether members see it."""
    visible_from: datetime | None
    member_notes: str | None = None
    coach_notes: str | None = None
