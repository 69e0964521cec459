"""Who of the demo gym is in which class: a plan that breaks none of the gym's rules."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random
from uuid import UUID

from app.bookings.service import KnownBooking
from app.bookings.terms import BookingStatus
from bot.playground.demo.people import Trainee
from bot.playground.demo.timetable import Planned

FILL = {"open_gym": 0.45, "wod": 0.8, "weightlifting": 0.7, "gymnastics": 0.55}
WAITING = 3
WEEKLY = 2
_CAME = {
    BookingStatus.ATTENDED: 90,
    BookingStatus.NO_SHOW: 5,
    BookingStatus.LATE_CANCELLED: 5,
}
"""What became of a hundred bookings of a class that is over."""


@dataclass
class Filling:
    """Keeps each member to one class a day, two a week on that plan, and the credits they have."""

    rng: Random
    trainees: tuple[Trainee, ...]
    now: datetime
    taken: dict[date, set[UUID]] = field(default_factory=lambda: defaultdict(set))
    weeks: Counter[tuple[UUID, date]] = field(default_factory=Counter)
    used: Counter[UUID] = field(default_factory=Counter)

    def fill(
        self, planned: Planned, session_id: UUID, *, over: bool, full: bool = False
    ) -> Iterator[KnownBooking]:
        """The bookings of one class; a full one has people waiting."""
        free = self._free(planned.day)
        wanted = planned.capacity if full else self._wanted(planned)
        for number, one in enumerate(free[: wanted + (WAITING if full else 0)]):
            waits = number >= wanted
            status = BookingStatus.WAITLISTED if waits else self._status(over=over)
            if not waits:
                self._count(one, planned.day)
            at = self.now - timedelta(days=8, minutes=len(free) - number)
            credits_used = int(one.plan == "card" and not waits)
            yield KnownBooking(session_id, one.id, one.membership_id, status, at, credits_used)

    def keep_free(self, day: date, members: set[UUID]) -> None:
        """These are in no class of a day that isn't filled yet."""
        self.taken[day] |= members

    def _wanted(self, planned: Planned) -> int:
        usual = FILL[planned.kind] * planned.capacity
        return max(4, min(round(usual + self.rng.uniform(-2, 2)), planned.capacity - 1))

    def _status(self, *, over: bool) -> BookingStatus:
        if not over:
            return BookingStatus.BOOKED
        return self.rng.choices(list(_CAME), list(_CAME.values()))[0]

    def _free(self, day: date) -> list[Trainee]:
        able = [one for one in self.trainees if self._may(one, day)]
        self.rng.shuffle(able)
        return able

    def _may(self, one: Trainee, day: date) -> bool:
        match one.plan:
            case "card":
                allowed = self.used[one.id] < one.credits
            case "twice":
                allowed = self.weeks[one.id, _week(day)] < WEEKLY
            case _:
                allowed = True
        return allowed and one.id not in self.taken[day]

    def _count(self, one: Trainee, day: date) -> None:
        self.taken[day].add(one.id)
        self.weeks[one.id, _week(day)] += 1
        self.used[one.id] += 1


def _week(day: date) -> date:
    """Its Sunday."""
    return day - timedelta(days=day.isoweekday() % 7)
