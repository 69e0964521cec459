"""Arguments of the tools for classes."""

import datetime as dt
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from app.bookings import service
from app.bookings.views import SessionFilter
from app.schedule import service as schedule
from app.schedule.service import Changes, NewSession
from app.schedule.terms import Scope, SessionStatus
from tools.catalog._args import (
    ClockTime,
    FromDate,
    Listed,
    OneLine,
    Override,
    SessionId,
    ToDate,
    Version,
    check_days,
)
from tools.kit.declare import Args

_CLOCK = "Local start, HH:MM."


class OneSession(Args):
    class_session_id: SessionId


class Roster(Listed):
    class_session_id: SessionId
    include_waitlist: bool = Field(default=True, description="Also who waits, in their order.")


class NewClass(Args):
    class_type_id: UUID = Field(description="What kind of class, from class_types.list.")
    date: dt.date = Field(description="Local day, YYYY-MM-DD, at most a year ahead.")
    start_time: ClockTime = Field(description=_CLOCK)
    end_time: ClockTime | None = Field(default=None, description="Local end; or give duration_min.")
    duration_min: int | None = Field(
        default=None, ge=5, le=480, description="Else the type's length."
    )
    coach_id: UUID | None = Field(default=None, description="From read.list_staff.")
    capacity: int | None = Field(default=None, ge=1, le=500, description="Else the type's.")
    location_id: UUID | None = Field(default=None, description="Only in a gym of several places.")
    notes: str | None = Field(default=None, max_length=1_000)
    override_reason: Override = None

    @property
    def new(self) -> NewSession:
        return NewSession(
            class_type_id=self.class_type_id,
            date=self.date,
            start=self.start_time,
            end=self.end_time,
            minutes=self.duration_min,
            coach_id=self.coach_id,
            capacity=self.capacity,
            location_id=self.location_id,
            notes=self.notes,
            override_reason=self.override_reason,
        )

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if self.end_time is not None and self.duration_min is not None:
            raise ValueError("end_time or duration_min, not both")
        return self


class SessionChanges(OneSession):
    coach_id: UUID | None = Field(default=None, description="From read.list_staff.")
    capacity: int | None = Field(
        default=None, ge=1, le=500, description="Places; never below those booked."
    )
    location_id: UUID | None = Field(default=None, description="Another place of the gym.")
    title: OneLine | None = Field(default=None, max_length=80, description="'' takes it away.")
    notes: str | None = Field(default=None, max_length=1_000, description="'' takes them away.")
    expected_version: Version = None
    override_reason: Override = None

    @property
    def changes(self) -> Changes:
        return Changes(
            coach_id=self.coach_id,
            capacity=self.capacity,
            location_id=self.location_id,
            title=self.title,
            notes=self.notes,
            override_reason=self.override_reason,
        )


OfSeries = Annotated[
    Scope,
    Field(description="Of a repeating class: this date, it and all following, or all to come."),
]


class Deleting(OneSession):
    scope: OfSeries = Scope.THIS


class NewSeries(Args):
    class_type_id: UUID
    weekdays: tuple[Annotated[int, Field(ge=0, le=6)], ...] = Field(
        min_length=1, max_length=7, description="0 is Sunday."
    )
    start_time: ClockTime
    duration_min: int = Field(ge=5, le=480)
    from_date: dt.date
    until_date: dt.date = Field(description="Included; within a year.")
    coach_id: UUID | None = None
    capacity: int | None = Field(default=None, ge=1, le=500)
    location_id: UUID | None = None
    skip_dates: tuple[dt.date, ...] = Field(default=(), max_length=60)
    skip_holidays: bool = Field(default=False, description="Leave out Israel's days off.")
    override_reason: Annotated[
        str | None, Field(min_length=2, max_length=200, description="If the coach is busy.")
    ] = None

    @property
    def new(self) -> schedule.NewSeries:
        return schedule.NewSeries(
            class_type_id=self.class_type_id,
            weekdays=tuple(sorted(set(self.weekdays))),
            start=self.start_time,
            minutes=self.duration_min,
            first=self.from_date,
            last=self.until_date,
            coach_id=self.coach_id,
            capacity=self.capacity,
            location_id=self.location_id,
            skip_dates=self.skip_dates,
            skip_holidays=self.skip_holidays,
            override_reason=self.override_reason,
        )


class NewTime(OneSession):
    date: dt.date = Field(description="New local day, YYYY-MM-DD.")
    start_time: ClockTime = Field(description=_CLOCK)
    duration_min: int | None = Field(
        default=None, ge=5, le=480, description="Without it, as long as before."
    )
    scope: OfSeries = Scope.THIS
    override_reason: Override = None

    @property
    def to(self) -> service.NewTime:
        return service.NewTime(self.date, self.start_time, self.duration_min, self.override_reason)


class Cancelling(OneSession):
    reason: str | None = Field(default=None, max_length=300, description="For members to read.")
    notify: bool = Field(default=True, description="Message everyone booked or waiting.")


class Reinstating(OneSession):
    restore_bookings: bool = Field(default=True, description="With the bookings it had.")


class Sessions(Listed):
    from_date: FromDate = None
    to_date: ToDate = None
    class_type_id: UUID | None = Field(default=None, description="Only this kind of class.")
    coach_id: UUID | None = Field(default=None, description="Only this coach's.")
    location_id: UUID | None = Field(default=None, description="Only at this place.")
    status: tuple[SessionStatus, ...] = Field(
        default=(), max_length=4, description="Only these; empty: all."
    )

    def wanted(self, today: dt.date) -> SessionFilter:
        """The days asked for: from today, or that one day. Raises BadInput."""
        first = self.from_date or today
        last = self.to_date or first
        check_days(first, last)
        return SessionFilter(
            since=first,
            until=last,
            class_type_id=self.class_type_id,
            coach_id=self.coach_id,
            location_id=self.location_id,
            statuses=self.status,
        )
