"""A gym's booking policy: when booking opens, until when cancelling is free, who is let in."""

from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field


class _Rule(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class HoursBefore(_Rule):
    """Free until so many hours before the start: elapsed time, whatever the clocks do."""

    kind: Literal["hours_before"] = "hours_before"
    hours: float = Field(ge=0, le=336)
    starts_before: time | None = None
    """Only for classes that start earlier than this; null: for all."""


class PreviousDayAt(_Rule):
    """Free until that local time of the day before."""

    kind: Literal["previous_day_at"] = "previous_day_at"
    at: time
    starts_before: time | None = None


Cutoff = Annotated[HoursBefore | PreviousDayAt, Field(discriminator="kind")]


class Strikes(_Rule):
    """So many no-shows within so many days close booking ahead for a while (rule 18)."""

    no_shows: int = Field(ge=1, le=20)
    within_days: int = Field(ge=1, le=365)
    block_days: int = Field(ge=1, le=365)


class BookingPolicy(_Rule):
    """The platform's defaults; an org and a class type store what differs (rules 7, 13 to 18)."""

    opens_hours_before: int | None = Field(default=None, ge=1, le=2_160)
    """Null: open as soon as the class is on the schedule."""
    opens_hours_by_weekday: dict[int, int] = {}
    """Overrides by the weekday of the class, 0 is Sunday."""
    cancel_cutoffs: tuple[Cutoff, ...] = (HoursBefore(hours=3),)
    """The first that speaks of the class's start counts; none: free until the start."""
    grace_min: int = Field(default=10, ge=0, le=120)
    """A booking made after the cutoff may be cancelled free for so long."""
    max_bookings_per_day: int | None = Field(default=None, ge=1, le=10)
    max_future_bookings: int | None = Field(default=None, ge=1, le=100)
    blocks_debtors: bool = False
    needs_health_form: bool = False
    waitlist_mode: Literal["auto", "offer", "staff"] = "auto"
    """What a freed place does: the next in line is booked, all who wait are told, or nothing."""
    waitlist_close_min: int = Field(default=120, ge=0, le=1_440)
    """Nobody is promoted by itself later than this before the start."""
    waitlist_after_close: Literal["offer", "staff"] = "offer"
    """What a freed place does from then on."""
    min_check_min: int = Field(default=180, ge=15, le=10_080)
    """So long before the start a class with too few bookings is reported (rule 10)."""
    no_show_after_min: int = Field(default=60, ge=0, le=1_440)
    """So long after the end who is booked and not checked in was absent (rule 17)."""
    strikes: Strikes | None = None


def merged(*layers: dict[str, Any]) -> BookingPolicy:
    """The policy of the platform, then what each layer says otherwise: org, class type."""
    return BookingPolicy.model_validate({key: layer[key] for layer in layers for key in layer})


def opens_at(policy: BookingPolicy, starts_at: datetime, zone: str) -> datetime | None:
    """When booking opens; None: it is open from the beginning."""
    sunday_first = starts_at.astimezone(ZoneInfo(zone)).isoweekday() % 7
    hours = policy.opens_hours_by_weekday.get(sunday_first, policy.opens_hours_before)
    return None if hours is None else starts_at.astimezone(UTC) - timedelta(hours=hours)


def free_until(policy: BookingPolicy, starts_at: datetime, zone: str) -> datetime:
    """The last instant at which cancelling costs nothing."""
    starts_at, local = starts_at.astimezone(UTC), starts_at.astimezone(ZoneInfo(zone))
    for cutoff in policy.cancel_cutoffs:
        if cutoff.starts_before is None or local.time() < cutoff.starts_before:
            return _instant(cutoff, starts_at, local)
    return starts_at


QueueMove = Literal["auto", "offer", "staff"]


def queue_move(policy: BookingPolicy, starts_at: datetime, *, now: datetime) -> QueueMove:
    """What a place that is free now does for the queue (rule 7)."""
    if policy.waitlist_mode != "auto":
        return policy.waitlist_mode
    closes = starts_at - timedelta(minutes=policy.waitlist_close_min)
    return "auto" if now <= closes else policy.waitlist_after_close


def _instant(cutoff: HoursBefore | PreviousDayAt, starts_at: datetime, local: datetime) -> datetime:
    match cutoff:
        case HoursBefore():
            return starts_at - timedelta(hours=cutoff.hours)
        case PreviousDayAt():
            day = local.date() - timedelta(days=1)
            return datetime.combine(day, cutoff.at, tzinfo=local.tzinfo).astimezone(
                starts_at.tzinfo
            )
