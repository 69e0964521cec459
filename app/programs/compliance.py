"""How much of what was due has been done: the one formula, of a member or pooled (analytics)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from app.programs.terms import DayStatus

LEAST_DUE: Final = 3
"""Of fewer days nothing is told."""
WEIGHTS: Final = {DayStatus.DONE: 1.0, DayStatus.PARTIAL: 0.5}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days of a pause; open-ended without a last one."""

    first: date
    last: date | None

    def holds(self, day: date) -> bool:
        return self.first <= day and (self.last is None or day <= self.last)


@dataclass(frozen=True, slots=True)
class DueDay:
    """A workout that is due on a day. Rest days have none, so they never count (rule 40)."""

    due: date
    status: DayStatus
    paused: bool = False

    def on(self, today: date) -> DayStatus:
        """What it is today: what isn't marked is upcoming, due or missed by its date."""
        return standing(self.status, self.due, today)

    def counts(self, today: date) -> bool:
        return self.due <= today and not self.paused and self.status is not DayStatus.EXCUSED


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of days. What is paused is told apart and is in no other count but `planned`."""

    planned: int = 0
    due: int = 0
    paused: int = 0
    weight: float = 0.0
    by_status: Counter[DayStatus] = field(default_factory=Counter)

    @property
    def percent(self) -> float | None:
        """Of the days due, what was done; None where too few are."""
        return None if self.due < LEAST_DUE else 100 * self.weight / self.due

    def __add__(self, other: "Tally") -> "Tally":
        """Pooled: days are added up, so that a member with more of them weighs more."""
        return Tally(
            planned=self.planned + other.planned,
            due=self.due + other.due,
            paused=self.paused + other.paused,
            weight=self.weight + other.weight,
            by_status=self.by_status + other.by_status,
        )


def tally(days: Iterable[DueDay], today: date) -> Tally:
    all_days = list(days)
    counted = [one for one in all_days if one.counts(today)]
    return Tally(
        planned=len(all_days),
        due=len(counted),
        paused=sum(one.paused for one in all_days),
        weight=sum(WEIGHTS.get(one.status, 0.0) for one in counted),
        by_status=Counter(one.on(today) for one in all_days if not one.paused),
    )


def standing(status: DayStatus, due: date, today: date) -> DayStatus:
    if status is not DayStatus.UPCOMING or due > today:
        return status
    return DayStatus.DUE if due == today else DayStatus.MISSED


def is_paused(day: date, pauses: Sequence[Stretch]) -> bool:
    return any(one.holds(day) for one in pauses)
