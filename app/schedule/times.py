"""Local class times: a date, a start and an end in a zone, and their instants (rule 47)."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from app.core.errors import BadInput
from app.schedule.errors import BadDuration, TimeDoesNotExist

SHORTEST, LONGEST = timedelta(minutes=5), timedelta(hours=8)
_FIRST, _LAST = date.min + timedelta(days=2), date.max - timedelta(days=2)
"""Beyond these a zone's offset or a class's end leads out of the calendar."""


@dataclass(frozen=True, slots=True)
class Slot:
    """`doubled`: the night's clocks show the start twice; the first of the two is meant."""

    date: date
    start: time
    end: time
    """At or before the start: on the next day."""
    zone: str
    starts_at: datetime
    ends_at: datetime
    doubled: bool = False

    @property
    def minutes(self) -> int:
        return int((self.ends_at - self.starts_at) / timedelta(minutes=1))


def slot_until(day: date, start: time, end: time, zone: str) -> Slot:
    """A slot between two local times. Raises TimeDoesNotExist, BadDuration."""
    starts_at = instant(day, start, zone)
    ends_at = instant(day if end > start else day + timedelta(days=1), end, zone)
    return _slot(day, start, zone, starts_at=starts_at, ends_at=ends_at)


def slot_lasting(day: date, start: time, minutes: int, zone: str) -> Slot:
    """A slot of so many elapsed minutes. Raises TimeDoesNotExist, BadDuration."""
    starts_at = instant(day, start, zone)
    return _slot(
        day, start, zone, starts_at=starts_at, ends_at=starts_at + timedelta(minutes=minutes)
    )


def instant(day: date, local: time, zone: str) -> datetime:
    """The instant of a local time, the first where there are two.

    Raises TimeDoesNotExist, and BadInput for a day at the calendar's edge.
    """
    if not _FIRST <= day <= _LAST:
        raise BadInput(fields=("date",))
    at = datetime.combine(day, local, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    if at.astimezone(ZoneInfo(zone)).replace(tzinfo=None) != datetime.combine(day, local):
        raise TimeDoesNotExist(date=day, time=local)
    return at


def _slot(day: date, start: time, zone: str, *, starts_at: datetime, ends_at: datetime) -> Slot:
    if not SHORTEST <= ends_at - starts_at <= LONGEST:
        raise BadDuration(minutes=int((ends_at - starts_at) / timedelta(minutes=1)))
    end = ends_at.astimezone(ZoneInfo(zone)).time()
    return Slot(day, start, end, zone, starts_at, ends_at, is_doubled(day, start, zone))


def is_doubled(day: date, start: time, zone: str) -> bool:
    local = datetime.combine(day, start, tzinfo=ZoneInfo(zone))
    return local.utcoffset() != local.replace(fold=1).utcoffset()
