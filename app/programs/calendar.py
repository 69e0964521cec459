"""When the workouts of a program are due: laying them out on dates, and putting them off."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

DAY: Final = timedelta(days=1)
WEEK: Final = timedelta(days=7)
NO_DAYS: Final[frozenset[int]] = frozenset()


class Spot(NamedTuple):
    """A day of a program; day 1 is the one that the gym's week begins with."""

    week_no: int
    day_no: int


def weekday(day: date) -> int:
    """0 is Sunday, as in the org's `week_start`."""
    return day.isoweekday() % 7


def day_number(day: date, week_start: int) -> int:
    """1 to 7, from the day that the gym's week begins with."""
    return (weekday(day) - week_start) % 7 + 1


def first_of_week(day: date, week_start: int) -> date:
    """The first day of the gym's week that a day is in."""
    return day - timedelta(days=day_number(day, week_start) - 1)


def lay_out(
    spots: Iterable[Spot],
    start: date,
    *,
    week_start: int,
    weekdays: frozenset[int] = NO_DAYS,
    begins: tuple[int, date] | None = None,
) -> dict[Spot, date]:
    """A date for each day of a program, in its order, none before the start.

    On the next of the `weekdays`, where some are named; else on the day's own weekday. A week of
    the program doesn't begin before its time: `begins` says of one of them when that is (else week
    1 begins at the start), the others follow seven days after one another.
    """
    number, day_one = begins or (1, start)
    placed: dict[Spot, date] = {}
    free = start
    for spot in sorted(set(spots)):
        earliest = max(free, day_one + WEEK * (spot.week_no - number))
        own = (week_start + spot.day_no - 1) % 7
        placed[spot] = next_on(earliest, weekdays or frozenset({own}))
        free = placed[spot] + DAY
    return placed


def put_off(
    dates: Iterable[date], not_before: date, weekdays: frozenset[int] = NO_DAYS
) -> dict[date, date]:
    """New dates for what is left, all of it as much later as the first one has to be.

    Where that is on none of the `weekdays` it is the next one of them; without any, each keeps its
    own weekday. Where nothing is before `not_before`, nothing moves.
    """
    left = sorted(set(dates))
    if not left or left[0] >= not_before:
        return {day: day for day in left}
    free = next_on(not_before, weekdays or frozenset({weekday(left[0])}))
    delay = free - left[0]
    moved: dict[date, date] = {}
    for day in left:
        moved[day] = next_on(max(day + delay, free), weekdays or frozenset({weekday(day)}))
        free = moved[day] + DAY
    return moved


def next_on(day: date, weekdays: frozenset[int]) -> date:
    """The first day from this one on that is one of the weekdays; there is one at least."""
    return next(
        one for one in (day + DAY * ahead for ahead in range(7)) if weekday(one) in weekdays
    )


def rotated(weekdays: Iterable[int], days: int) -> list[int]:
    """The weekdays so many days on."""
    return sorted((one + days) % 7 for one in weekdays)
