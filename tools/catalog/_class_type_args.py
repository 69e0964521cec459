"""Arguments of the tools for class types."""

from datetime import time
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from app.schedule.service import ClassTypeChanges, NewClassType
from tools.catalog._args import ClockTime, OneLine, Version
from tools.kit.declare import Args

ClassTypeId = Annotated[UUID, Field(description="The class type, from class_types.list.")]
Weekday = Literal["0", "1", "2", "3", "4", "5", "6"]
Hours = Annotated[int, Field(ge=1, le=2_160)]
Rule = Literal[
    "opens_hours_before",
    "opens_hours_by_weekday",
    "cancel_cutoffs",
    "grace_min",
    "max_bookings_per_day",
    "max_future_bookings",
    "blocks_debtors",
    "needs_health_form",
    "waitlist_mode",
    "waitlist_close_min",
    "waitlist_after_close",
    "min_check_min",
    "no_show_after_min",
    "strikes",
]


class Cutoff(Args):
    """Until when cancelling is free; the first that speaks of a class's start counts."""

    kind: Literal["hours_before", "previous_day_at"]
    hours: float | None = Field(default=None, ge=0, le=336, description="Of hours_before.")
    at: ClockTime | None = Field(default=None, description="Of previous_day_at, HH:MM.")
    starts_before: ClockTime | None = Field(
        default=None, description="Only for classes that start earlier than this."
    )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.hours is None) == (self.kind == "hours_before"):
            raise ValueError("hours_before takes hours, previous_day_at takes at")
        if (self.at is None) == (self.kind == "previous_day_at"):
            raise ValueError("hours_before takes hours, previous_day_at takes at")
        return self

    @property
    def rule(self) -> dict[str, Any]:
        told = {"kind": self.kind, "hours": self.hours, "at": _clock(self.at)}
        both = {**told, "starts_before": _clock(self.starts_before)}
        return {name: value for name, value in both.items() if value is not None}


class Strikes(Args):
    no_shows: int = Field(ge=1, le=20)
    within_days: int = Field(ge=1, le=365)
    block_days: int = Field(ge=1, le=365, description="Booking ahead is closed for so long.")


class Policy(Args):
    """What differs from the gym's own rules; null sets a limit aside."""

    opens_hours_before: int | None = Field(default=None, ge=1, le=2_160)
    opens_hours_by_weekday: dict[Weekday, Hours] = Field(
        default={}, description="Hours by the weekday of the class, 0 is Sunday."
    )
    cancel_cutoffs: tuple[Cutoff, ...] = Field(
        default=(), max_length=4, description="Empty: free until the start."
    )
    grace_min: int = Field(
        default=10, ge=0, le=120, description="A late booking may be cancelled free for so long."
    )
    max_bookings_per_day: int | None = Field(default=None, ge=1, le=10)
    max_future_bookings: int | None = Field(default=None, ge=1, le=100)
    blocks_debtors: bool = False
    needs_health_form: bool = False
    waitlist_mode: Literal["auto", "offer", "staff"] = Field(
        default="auto",
        description="A freed place: book the next, offer it to all who wait, or staff decide.",
    )
    waitlist_close_min: int = Field(
        default=120, ge=0, le=1_440, description="auto ends so long before the start."
    )
    waitlist_after_close: Literal["offer", "staff"] = "offer"
    min_check_min: int = Field(
        default=180,
        ge=15,
        le=10_080,
        description="So long before the start too few bookings become a task.",
    )
    no_show_after_min: int = Field(default=60, ge=0, le=1_440)
    strikes: Strikes | None = Field(default=None, description="No-shows that close booking ahead.")

    @property
    def rules(self) -> dict[str, Any]:
        """Those that were given, as they are stored."""
        given = self.model_dump(mode="json", exclude_unset=True)
        if "cancel_cutoffs" in given:
            given["cancel_cutoffs"] = [one.rule for one in self.cancel_cutoffs]
        return given


class OneClassType(Args):
    class_type_id: ClassTypeId


class _Defaults(Args):
    name_he: OneLine | None = Field(
        default=None, max_length=60, description="In Hebrew, if it has."
    )
    name_ru: OneLine | None = Field(
        default=None, max_length=60, description="In Russian, if it has."
    )
    color: str | None = Field(
        default=None, pattern="^(#[0-9a-fA-F]{6})?$", description="#rrggbb; '' takes it away."
    )
    min_participants: int | None = Field(
        default=None, ge=0, le=500, description="Fewer bookings are reported; 0: no minimum."
    )
    location_id: UUID | None = Field(default=None, description="Only in a gym of several places.")
    booking_policy: Policy | None = None

    @property
    def rules(self) -> dict[str, Any] | None:
        return None if self.booking_policy is None else self.booking_policy.rules


class NewType(_Defaults):
    name: OneLine = Field(min_length=1, max_length=60, description="As the gym calls it.")
    duration_min: int = Field(ge=5, le=480)
    capacity: int = Field(ge=1, le=500, description="Places.")
    credit_cost: int = Field(default=1, ge=0, le=20)

    @property
    def new(self) -> NewClassType:
        return NewClassType(
            self.name,
            self.capacity,
            name_he=self.name_he or None,
            name_ru=self.name_ru or None,
            duration_min=self.duration_min,
            credit_cost=self.credit_cost,
            booking_policy=self.rules,
            color=self.color or None,
            min_participants=self.min_participants,
            location_id=self.location_id,
        )


class TypeChanges(_Defaults):
    class_type_id: ClassTypeId
    expected_version: Version = None
    name: OneLine | None = Field(default=None, min_length=1, max_length=60)
    duration_min: int | None = Field(default=None, ge=5, le=480)
    capacity: int | None = Field(default=None, ge=1, le=500)
    credit_cost: int | None = Field(default=None, ge=0, le=20)
    as_gym: tuple[Rule, ...] = Field(
        default=(), max_length=14, description="Rules to drop: the gym's own count again."
    )

    @property
    def changes(self) -> ClassTypeChanges:
        return ClassTypeChanges(
            name_en=self.name,
            name_he=self.name_he,
            name_ru=self.name_ru,
            color=self.color,
            duration_min=self.duration_min,
            capacity=self.capacity,
            min_participants=self.min_participants,
            credit_cost=self.credit_cost,
            location_id=self.location_id,
            rules=self.rules,
            as_gym=self.as_gym,
        )

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set - {"class_type_id", "expected_version"}:
            raise ValueError("say what is to change")
        return self


def _clock(at: time | None) -> str | None:
    return None if at is None else f"{at:%H:%M}"
