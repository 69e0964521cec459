"""What the parts of the demo gym are built with."""

from dataclasses import dataclass
from datetime import date, datetime, time
from random import Random
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from app.core.actor import Actor

ZONE = ZoneInfo("Asia/Jerusalem")


@dataclass(frozen=True, slots=True)
class Site:
    session: Session
    actor: Actor
    rng: Random
    now: datetime

    @property
    def today(self) -> date:
        return self.now.astimezone(ZONE).date()

    def at(self, day: date, hour: int) -> datetime:
        """An hour of the gym's local day."""
        return datetime.combine(day, time(hour), tzinfo=ZONE)
