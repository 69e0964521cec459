"""What a program holds, as a value: weeks, their days and the workouts placed there."""

from collections.abc import Callable, Collection, Iterator
from typing import Final, NamedTuple
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from app.programs.calendar import Spot

EVERY_LIFT: Final = "*"
MOST_WEEKS: Final = 52
MOST_A_DAY: Final = 6
_SPREAD: Final = {1: {1}, 2: {1, 4}, 3: {1, 3, 5}, 4: {1, 2, 4, 5}}
"""Which days of a week are trained on, where only their number was said."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Parameter(_Part):
    """What a template lets one choose: the percentage of a lift's maximum that it starts at."""

    lift: str
    percent: int


class Slot(_Part):
    workout_id: UUID
    title: str
    loads: dict[str, int] = {}

    def heavier(self, percent: int, lift: str = EVERY_LIFT) -> "Slot":
        """With so much more on it; what comes to nothing is left out."""
        changed = {**self.loads, lift: self.loads.get(lift, 0) + percent}
        return self.model_copy(update={"loads": {key: one for key, one in changed.items() if one}})


class BodyDay(_Part):
    day_no: int
    is_rest: bool
    slots: tuple[Slot, ...] = ()


class BodyWeek(_Part):
    focus: str | None = None
    days: tuple[BodyDay, ...]

    def heavier(self, percent: int) -> "BodyWeek":
        days = tuple(
            day.model_copy(update={"slots": tuple(slot.heavier(percent) for slot in day.slots)})
            for day in self.days
        )
        return self.model_copy(update={"days": days})

    @property
    def emptied(self) -> "BodyWeek":
        """The same days to train on, without workouts."""
        days = tuple(day.model_copy(update={"slots": ()}) for day in self.days)
        return BodyWeek(days=days)


class Placed(NamedTuple):
    """A workout where it stands; `position` is from 1."""

    spot: Spot
    position: int
    slot: Slot


class Body(_Part):
    weeks: tuple[BodyWeek, ...]

    def placed(self) -> Iterator[Placed]:
        """Every workout, in order."""
        for week_no, week in enumerate(self.weeks, 1):
            for day in week.days:
                for position, slot in enumerate(day.slots, 1):
                    yield Placed(Spot(week_no, day.day_no), position, slot)

    def with_day(self, spot: Spot, slots: tuple[Slot, ...]) -> "Body":
        """With other workouts on one day; without any it is a day of rest."""
        week = self.weeks[spot.week_no - 1]
        changed = BodyDay(day_no=spot.day_no, is_rest=not slots, slots=slots)
        days = tuple(changed if day.day_no == spot.day_no else day for day in week.days)
        weeks = list(self.weeks)
        weeks[spot.week_no - 1] = week.model_copy(update={"days": days})
        return Body(weeks=tuple(weeks))

    def keeping(self, known: Collection[UUID]) -> "Body":
        """Only with the workouts that are there."""
        return self._mapped(lambda slot: slot if slot.workout_id in known else None)

    def heavier(self, lift: str, percent: int, on: Collection[UUID]) -> "Body":
        """With so much more of a lift in the workouts that have it."""
        return self._mapped(
            lambda slot: slot.heavier(percent, lift) if slot.workout_id in on else slot
        )

    def _mapped(self, change: Callable[[Slot], Slot | None]) -> "Body":
        def of_day(day: BodyDay) -> BodyDay:
            slots = tuple(one for one in map(change, day.slots) if one is not None)
            return day.model_copy(update={"slots": slots})

        weeks = tuple(
            week.model_copy(update={"days": tuple(map(of_day, week.days))}) for week in self.weeks
        )
        return Body(weeks=weeks)


def blank_week(days_per_week: int, focus: str | None = None) -> BodyWeek:
    """Seven days, so many of them to train on: spread out up to four, else the first ones."""
    trained = _SPREAD.get(days_per_week) or set(range(1, days_per_week + 1))
    days = tuple(BodyDay(day_no=day, is_rest=day not in trained) for day in range(1, 8))
    return BodyWeek(focus=focus, days=days)
