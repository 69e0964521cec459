"""Arguments of the tools for program templates."""

import datetime as dt
from typing import Annotated
from uuid import UUID

from pydantic import Field

from app.programs.body import Parameter
from app.programs.calendar import Spot
from app.programs.queries.templates import TemplateFilter
from app.programs.service.templates import NewTemplate, TemplateChanges
from app.programs.terms import Level, Weekday
from tools.catalog._args import Listed, Version
from tools.catalog._program_args import DayNo, OtherTitle, ProgramId, Text, Title, WeekNo
from tools.kit.declare import Args

TemplateId = Annotated[UUID, Field(description="The template, by id from program_templates.list.")]


class StartPercent(Args):
    lift: str = Field(min_length=1, max_length=60, description="Exercise, as back_squat.")
    percent: int = Field(ge=20, le=120, description="Of the maximum, where the lift starts.")


Percents = Annotated[tuple[StartPercent, ...], Field(max_length=12)]


def parameters(given: tuple[StartPercent, ...]) -> tuple[Parameter, ...]:
    return tuple(Parameter(lift=one.lift, percent=one.percent) for one in given)


class Templates(Listed):
    q: str | None = Field(default=None, min_length=1, max_length=80, description="In the title.")
    level: Level | None = None
    goal: str | None = Field(default=None, min_length=1, max_length=80, description="In the goal.")

    @property
    def wanted(self) -> TemplateFilter:
        return TemplateFilter(self.q, self.level, self.goal)


class OneTemplate(Args):
    template_id: TemplateId


class Preview(OneTemplate):
    start_date: dt.date = Field(description="First local day, YYYY-MM-DD.")
    days_of_week: tuple[Weekday, ...] = Field(
        default=(), max_length=7, description="Training days; else those of the template."
    )
    member_id: UUID | None = Field(default=None, description="For this member's own loads.")
    parameters: Percents = Field(default=(), description="Other starting percents.")

    @property
    def weekdays(self) -> frozenset[int]:
        return frozenset(one.number for one in self.days_of_week)


class SaveTemplate(Args):
    program_id: ProgramId
    title: Title
    description: Text = Field(default=None, description="Else the program's.")
    parameters: Percents | None = Field(
        default=None, description="Else every lift that the workouts ask a percentage of."
    )

    @property
    def new(self) -> NewTemplate:
        given = None if self.parameters is None else parameters(self.parameters)
        return NewTemplate(self.program_id, self.title, self.description, given)


class UpdateTemplate(OneTemplate):
    title: Title | None = None
    description: Text = Field(default=None, description="'' takes it away.")
    goal: str | None = Field(default=None, max_length=200, description="'' takes it away.")
    level: Level | None = None
    parameters: Percents | None = Field(default=None, description="All of them, anew.")
    expected_version: Version = None

    @property
    def changes(self) -> TemplateChanges:
        given = None if self.parameters is None else parameters(self.parameters)
        return TemplateChanges(self.title, self.description, self.goal, self.level, given)


class EditDay(OneTemplate):
    week: WeekNo
    day: DayNo
    workouts: tuple[UUID, ...] = Field(
        max_length=6, description="Ids of workouts, in order; none: a day of rest."
    )
    expected_version: Version = None

    @property
    def spot(self) -> Spot:
        return Spot(self.week, self.day)


class CopyTemplate(OneTemplate):
    title: OtherTitle


class UseTemplate(OneTemplate):
    title: Title | None = Field(default=None, description="Else the template's.")
    parameters: Percents = Field(
        default=(), description="Other starting percents, of the template's own lifts."
    )
