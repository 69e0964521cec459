"""The only place that reads the wall clock."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass(frozen=True, slots=True)
class Clock:
    """Wall time, moved by a constant so that a demo may live on another day."""

    offset: timedelta = timedelta()

    def now(self) -> datetime:
        """The instant, in UTC."""
        return datetime.now(UTC) + self.offset
