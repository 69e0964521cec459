"""The demo gym's week: what is on when, never two classes at once."""

from dataclasses import dataclass
from datetime import date, time, timedelta

_WEEK = (
    (6, "wod"),
    (7, "wod"),
    (9, "weightlifting"),
    (11, "open_gym"),
    (17, "gymnastics"),
    (18, "wod"),
    (19, "wod"),
    (20, "weightlifting"),
)
_FRIDAY = ((7, "wod"), (8, "wod"), (9, "weightlifting"), (11, "open_gym"))
_SATURDAY = ((10, "gymnastics"), (11, "open_gym"), (18, "wod"), (19, "wod"))

CAPACITY = {"open_gym": 16, "wod": 14, "weightlifting": 8, "gymnastics": 10}
FRIDAY, SATURDAY = 5, 6
"""As isoweekday counts them."""

BACK, AHEAD = 7, 14


@dataclass(frozen=True, slots=True)
class Planned:
    day: date
    start: time
    kind: str

    @property
    def capacity(self) -> int:
        return CAPACITY[self.kind]


def timetable(today: date, *, back: int = BACK, ahead: int = AHEAD) -> list[Planned]:
    """Every class from a week ago to two weeks ahead, in order."""
    days = (today + timedelta(days=offset) for offset in range(-back, ahead + 1))
    return [Planned(day, time(hour), kind) for day in days for hour, kind in _hours(day)]


def _hours(day: date) -> tuple[tuple[int, str], ...]:
    return {FRIDAY: _FRIDAY, SATURDAY: _SATURDAY}.get(day.isoweekday(), _WEEK)
