"""Arguments of the tools for the workout of the day."""

import datetime as dt
from typing import Annotated
from uuid import UUID

from pydantic import Field

from app.programs.service.daily import DailyChanges, Key, NewDaily
from tools.catalog._args import Version
from tools.catalog._program_args import WorkoutId
from tools.kit.declare import Args

ClassTypeId = Annotated[UUID, Field(description="What kind of class, from class_types.list.")]
LocalDay = Annotated[dt.date, Field(description="Local day, YYYY-MM-DD.")]
PublishAt = Annotated[
    dt.datetime | None,
    Field(default=None, description="Local time at which members see it, YYYY-MM-DDTHH:MM."),
]
Notes = Annotated[str | None, Field(default=None, max_length=1_000)]


class OneDay(Args):
    date: LocalDay
    class_type_id: UUID | None = Field(default=None, description="Only this kind of class.")


class OneWeekOfDays(Args):
    week_start: dt.date | None = Field(
        default=None, description="Any day of the week; else this week."
    )
    class_type_id: UUID | None = Field(default=None, description="Only this kind of class.")


class OneDaily(Args):
    date: LocalDay
    class_type_id: ClassTypeId

    @property
    def key(self) -> Key:
        return Key(self.date, self.class_type_id)


class SetDaily(OneDaily):
    workout_id: WorkoutId
    publish_at: PublishAt
    member_notes: Notes = Field(default=None, description="For members to read.")
    coach_notes: Notes = Field(default=None, description="For the team alone.")
    expected_version: Version = None

    def new(self, publish_at: dt.datetime | None) -> NewDaily:
        return NewDaily(self.key, self.workout_id, publish_at, self.member_notes, self.coach_notes)


class UpdateDaily(OneDaily):
    publish_at: PublishAt
    member_notes: Notes = Field(default=None, description="'' takes them away.")
    coach_notes: Notes = Field(default=None, description="'' takes them away.")
    expected_version: Version = None

    def changes(self, publish_at: dt.datetime | None) -> DailyChanges:
        return DailyChanges(publish_at, self.member_notes, self.coach_notes)


class CopyWeek(Args):
    from_week_start: dt.date = Field(description="Any day of the week to copy.")
    to_week_start: dt.date = Field(description="Any day of the week to fill.")
    class_type_ids: tuple[UUID, ...] = Field(
        default=(), min_length=1, max_length=20, description="Only these kinds; left out: all."
    )
    overwrite: bool = Field(default=False, description="Also days that have a workout already.")

    @property
    def weeks(self) -> tuple[dt.date, dt.date]:
        return self.from_week_start, self.to_week_start
