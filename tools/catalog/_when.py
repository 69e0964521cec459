"""The gym's day and clocks: what is said by them, and what they show."""

from datetime import UTC, date, datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from app.core.errors import BadInput
from app.schedule import times
from app.studio import queries as studio
from tools.kit.declare import Context
from tools.kit.values import Day, Instant

LocalTime = Annotated[datetime, Field(description="Local time, YYYY-MM-DDTHH:MM.")]


def instant_of(context: Context, said: datetime) -> datetime:
    """The instant of a local time, or of one with its offset. Raises TimeDoesNotExist, BadInput."""
    if said.tzinfo is None:
        return times.instant(said.date(), said.time(), zone_of(context))
    try:
        return said.astimezone(UTC)
    except OverflowError:
        raise BadInput(fields=("time",)) from None


def today_of(context: Context) -> date:
    """The gym's local day."""
    return studio.today(context.session, context.actor.org_id, context.now)


def zone_of(context: Context) -> str:
    return studio.org(context.session, context.actor.org_id).timezone


def week_start_of(context: Context) -> int:
    """The day that begins the gym's week; 0 is Sunday."""
    return studio.org(context.session, context.actor.org_id).week_start


def shown_at(at: datetime | None, zone: str) -> Instant | None:
    return Instant(at=at, zone=zone) if at else None


def day_of(at: datetime, zone: str) -> Day:
    """The local day of an instant, where the hour tells nobody anything."""
    return Day(date=at.astimezone(ZoneInfo(zone)).date())
