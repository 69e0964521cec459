"""Arguments of the tools for assignments."""

import datetime as dt
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from app.messages.views import Audience
from app.programs.queries.assignments import AssignmentFilter
from app.programs.queries.athletes import Sort
from app.programs.service.assigning import AssignRequest
from app.programs.service.ending import DayMark
from app.programs.service.moving import AssignmentChanges
from app.programs.terms import AssignmentStatus, Mark, Weekday
from tools.catalog._args import Listed, MemberId, Version, check_days
from tools.kit.declare import Args

AssignmentId = Annotated[UUID, Field(description="The assignment, by id from assignments.list.")]
StartDate = Annotated[dt.date, Field(description="First local day, YYYY-MM-DD; not in the past.")]
Weekdays = Annotated[
    tuple[Weekday, ...],
    Field(max_length=7, description="Training days; else each workout keeps its weekday."),
]
Words = Annotated[str | None, Field(default=None, max_length=1_000)]


def numbers(weekdays: tuple[Weekday, ...]) -> tuple[int, ...]:
    return tuple(sorted({one.number for one in weekdays}))


class Assignments(Listed):
    member_id: UUID | None = Field(default=None, description="Only this member's.")
    program_id: UUID | None = Field(default=None, description="Only of this program.")
    coach_id: UUID | None = Field(default=None, description="Only this coach's.")
    status: AssignmentStatus | None = Field(default=None, description="Else all that aren't over.")

    @property
    def wanted(self) -> AssignmentFilter:
        return AssignmentFilter(self.member_id, self.program_id, self.coach_id, self.status)


class OneAssignment(Args):
    assignment_id: AssignmentId


class ShowAssignment(OneAssignment):
    from_date: dt.date | None = Field(
        default=None, description="First day of its calendar; else two weeks ago."
    )


class Overview(Args):
    coach_id: UUID | None = Field(default=None, description="Else the caller.")
    window_days: int = Field(default=28, ge=7, le=180, description="Days back from today.")
    sort: Sort = Sort.ATTENTION


class Compliance(OneAssignment):
    from_date: dt.date | None = Field(default=None, description="First local day; else the start.")
    to_date: dt.date | None = Field(default=None, description="Last local day, included.")

    @property
    def span(self) -> tuple[dt.date | None, dt.date | None]:
        check_days(self.from_date, self.to_date, most=800)
        return self.from_date, self.to_date


class Given(Args):
    """A program or a workout, and when it begins."""

    program_id: UUID | None = Field(default=None, description="From programs.list.")
    workout_id: UUID | None = Field(default=None, description="Or a single workout.")
    start_date: StartDate
    days_of_week: Weekdays = ()
    coach_id: UUID | None = Field(default=None, description="Who looks after it; else the caller.")
    notes: Words = Field(default=None, description="For the member to read.")

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.program_id is None and self.workout_id is None:
            raise ValueError("program_id or workout_id")
        return self

    @property
    def wish(self) -> AssignRequest:
        return AssignRequest(
            start=self.start_date,
            program_id=self.program_id,
            workout_id=self.workout_id,
            weekdays=numbers(self.days_of_week),
            coach_id=self.coach_id,
            notes=self.notes,
        )


class CreateAssignment(Given):
    member_id: MemberId


class CreateMany(Given):
    member_ids: tuple[UUID, ...] = Field(
        default=(), min_length=1, max_length=500, description="Who gets it."
    )
    segment_id: UUID | None = Field(
        default=None, description="Or a saved group, from read.list_segments."
    )

    @model_validator(mode="after")
    def _somebody(self) -> Self:
        if not self.member_ids and self.segment_id is None:
            raise ValueError("member_ids or segment_id")
        return self

    @property
    def audience(self) -> Audience:
        return Audience(segment_id=self.segment_id, member_ids=self.member_ids)


class UpdateAssignment(OneAssignment):
    start_date: dt.date | None = Field(
        default=None, description="Another first day, while none is over or marked."
    )
    shift_days: int | None = Field(
        default=None, ge=-60, le=180, description="All that is left so many days later."
    )
    days_of_week: Weekdays | None = Field(
        default=None, min_length=1, description="New training days for what is left."
    )
    coach_id: UUID | None = Field(default=None, description="From read.list_staff.")
    notes: Words = Field(default=None, description="'' takes them away.")
    resync: bool = Field(
        default=False, description="Take the program as it is now for the days ahead."
    )
    expected_version: Version = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.start_date is not None and self.shift_days is not None:
            raise ValueError("start_date or shift_days, not both")
        return self

    @property
    def changes(self) -> AssignmentChanges:
        return AssignmentChanges(
            start=self.start_date,
            shift_days=self.shift_days,
            weekdays=None if self.days_of_week is None else numbers(self.days_of_week),
            coach_id=self.coach_id,
            notes=self.notes,
            resync=self.resync,
        )


class Pausing(OneAssignment):
    until: dt.date | None = Field(
        default=None, description="Last paused day; else until it is resumed."
    )
    reason: str | None = Field(default=None, max_length=300)


class Resuming(OneAssignment):
    resume_on: dt.date | None = Field(default=None, description="Else today.")


class Completing(OneAssignment):
    completed_on: dt.date | None = Field(default=None, description="Else today; not ahead.")
    summary: Words = None


class Marking(OneAssignment):
    assignment_day_id: UUID = Field(description="The day, by id from assignments.get.")
    status: Mark = Field(description="excused doesn't count; upcoming takes a mark away.")
    note: str | None = Field(default=None, max_length=500, description="'' takes it away.")
    expected_version: Version = None

    @property
    def mark(self) -> DayMark:
        return DayMark(self.status, self.note)


class Cancelling(OneAssignment):
    reason: str | None = Field(default=None, max_length=300)
