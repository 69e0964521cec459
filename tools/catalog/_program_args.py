"""Arguments of the tools for programs and their templates."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from app.programs.body import MOST_WEEKS
from app.programs.queries.programs import ProgramFilter
from app.programs.service.ending import OnAssigned
from app.programs.service.programs import NewProgram, NewWeek, Placement, ProgramChanges
from app.programs.terms import Level, ProgramStatus
from tools.catalog._args import Listed, OneLine, Version
from tools.kit.declare import Args

ProgramId = Annotated[UUID, Field(description="The program, by id from programs.list.")]
WorkoutId = Annotated[UUID, Field(description="The workout, by id from workouts.list.")]
Title = Annotated[OneLine, Field(min_length=1, max_length=120)]
OtherTitle = Annotated[
    OneLine | None,
    Field(default=None, min_length=1, max_length=120, description="Else the same and a number."),
]
Text = Annotated[str | None, Field(default=None, max_length=2_000)]
Goal = Annotated[str | None, Field(default=None, max_length=200, description="What it is for.")]
WeekNo = Annotated[int, Field(ge=1, le=MOST_WEEKS)]
DayNo = Annotated[int, Field(ge=1, le=7, description="1 is the day the gym's week begins with.")]
Percent = Annotated[int, Field(ge=-50, le=50)]


class Programs(Listed):
    q: str | None = Field(default=None, min_length=1, max_length=80, description="In the title.")
    status: ProgramStatus | None = Field(default=None, description="Else all but archived.")

    @property
    def wanted(self) -> ProgramFilter:
        return ProgramFilter(self.q, self.status)


class OneProgram(Args):
    program_id: ProgramId


class ShowProgram(OneProgram):
    week: WeekNo | None = Field(
        default=None, description="One week, with the ids of its days and placed workouts."
    )


class Outlined(Args):
    week: WeekNo
    day: DayNo
    workout_id: UUID


class CreateProgram(Args):
    title: Title
    weeks: WeekNo
    days_per_week: int = Field(ge=1, le=7, description="Training days; the others are rest.")
    goal: Goal = None
    level: Level = Level.ANY
    description: Text = None
    focuses: tuple[Annotated[str, Field(min_length=1, max_length=80)], ...] = Field(
        default=(), max_length=MOST_WEEKS, description="What each week is about, in order."
    )
    outline: tuple[Outlined, ...] = Field(
        default=(), max_length=200, description="Workouts to place at once, in order."
    )

    @property
    def new(self) -> NewProgram:
        placed = (Placement(one.week, one.day, one.workout_id) for one in self.outline)
        return NewProgram(
            title=self.title,
            weeks=self.weeks,
            days_per_week=self.days_per_week,
            goal=self.goal,
            level=self.level,
            description=self.description,
            focuses=self.focuses,
            outline=tuple(placed),
        )


class UpdateProgram(OneProgram):
    title: Title | None = None
    description: Text = Field(default=None, description="'' takes it away.")
    goal: Goal = Field(default=None, description="'' takes it away.")
    level: Level | None = None
    status: ProgramStatus | None = Field(
        default=None, description="archived: out of use; who has it keeps it."
    )
    expected_version: Version = None

    @property
    def changes(self) -> ProgramChanges:
        return ProgramChanges(self.title, self.description, self.goal, self.level, self.status)


class CopyProgram(OneProgram):
    title: OtherTitle


class AddWeek(OneProgram):
    position: WeekNo | None = Field(
        default=None, description="As which week it comes; else as the last."
    )
    copy_from_week: WeekNo | None = Field(
        default=None, description="Week number; else blank, with the last week's training days."
    )
    load_delta_pct: Percent = Field(
        default=0, description="Heavier or lighter than the copied week, in percent."
    )

    @model_validator(mode="after")
    def _of_a_copy(self) -> Self:
        if self.load_delta_pct and self.copy_from_week is None:
            raise ValueError("load_delta_pct needs copy_from_week")
        return self

    @property
    def new(self) -> NewWeek:
        return NewWeek(self.position, self.copy_from_week, self.load_delta_pct)


class OneWeek(OneProgram):
    week_id: UUID = Field(description="The week, by id from programs.get.")


class PlaceWorkout(OneProgram):
    day_id: UUID = Field(description="The day, by id from programs.get of its week.")
    workout_id: WorkoutId
    position: int | None = Field(
        default=None, ge=1, le=6, description="Among the day's workouts; else the last."
    )


class OneSlot(OneProgram):
    slot_id: UUID = Field(description="The placed workout, by id from programs.get of its week.")


class MoveSlot(OneSlot):
    to_week: WeekNo
    to_day: DayNo


class DeleteProgram(OneProgram):
    on_active_assignments: OnAssigned | None = Field(
        default=None, description="Only if the person said it; else they are asked."
    )
