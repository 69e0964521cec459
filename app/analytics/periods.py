"""Months and spans of local days. Pure."""

from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True, order=True)
class MonthOf:
    """A calendar month."""

    year: int
    month: int

    @classmethod
    def of(cls, day: date) -> "MonthOf":
        return cls(day.year, day.month)

    @property
    def first(self) -> date:
        return date(self.year, self.month, 1)

    @property
    def last(self) -> date:
        return self.plus(1).first - timedelta(days=1)

    @property
    def days(self) -> "Days":
        return Days(self.first, self.last)

    def plus(self, months: int) -> "MonthOf":
        """So many months later; earlier, if fewer than none."""
        years, month = divmod(self.year * 12 + self.month - 1 + months, 12)
        return MonthOf(years, month + 1)

    def until(self, other: "MonthOf") -> int:
        """How many months lie between."""
        return (other.year - self.year) * 12 + other.month - self.month


@dataclass(frozen=True, slots=True)
class Days:
    """Local days from and to, the last included."""

    first: date
    last: date

    @property
    def count(self) -> int:
        return (self.last - self.first).days + 1
