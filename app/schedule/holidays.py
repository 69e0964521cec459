"""The Hebrew calendar: dates in it, and the holidays by which an Israeli gym plans (rule 49)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Final

from pyluach.dates import GregorianDate, HebrewDate

_FESTIVALS: Final = {
    "Rosh Hashana": "rosh_hashana",
    "Yom Kippur": "yom_kippur",
    "Succos": "sukkot",
    "Shmini Atzeres": "simchat_torah",
    "Chanuka": "hanukkah",
    "Purim": "purim",
    "Pesach": "pesach",
    "Shavuos": "shavuot",
    "9 of Av": "tisha_bav",
}
"""What the calendar's own names stand for; what it knows beside these closes no gym."""
_BEGIN_AT_DUSK: Final = frozenset(_FESTIVALS.values()) - {"purim"}
"""Their first evening is on the day before: no class is held then, or a candle is lit."""
_NISAN, _IYAR = 1, 2
_SUNDAY, _MONDAY, _FRIDAY, _SATURDAY = 1, 2, 6, 7
_FIRST, _LAST = date(1900, 1, 1), date(2_200, 1, 1)
"""Between these the rules of the civil holidays mean anything."""


@dataclass(frozen=True, slots=True)
class Holiday:
    """One day of it; `eve` is the day on whose evening it begins."""

    date: date
    name: str
    """A word of the studio: `holiday.<name>`."""
    day_off: bool = False
    """By law: shops and gyms are closed."""
    eve: bool = False

    @property
    def key(self) -> str:
        return f"holiday.{self.name}_eve" if self.eve else f"holiday.{self.name}"


@dataclass(frozen=True, slots=True)
class Season:
    """The days of one holiday that follow each other."""

    key: str
    first: date
    last: date


def on(day: date) -> Holiday | None:
    """The holiday of a day, or the one that begins on its evening."""
    if not _FIRST <= day <= _LAST:
        return None
    found = _feast(day) or _civil(day)
    if found is not None:
        return found
    tomorrow = _feast(day + timedelta(days=1))
    if tomorrow is None or tomorrow.name not in _BEGIN_AT_DUSK:
        return None
    return Holiday(day, tomorrow.name, eve=True)


def between(first: date, last: date) -> Iterator[Holiday]:
    """Day by day, both ends included."""
    for ahead in range((last - first).days + 1):
        found = on(first + timedelta(days=ahead))
        if found is not None:
            yield found


def seasons(first: date, last: date) -> tuple[Season, ...]:
    """The holidays of some days, each with its first and last day among them."""
    found = ((key, [*days]) for key, days in groupby(between(first, last), lambda one: one.key))
    return tuple(Season(key, days[0].date, days[-1].date) for key, days in found)


def months(first: date, last: date) -> Iterator[tuple[date, str]]:
    """The Hebrew months that begin on some days, and how they are called in English."""
    for ahead in range((last - first).days + 1):
        day = first + timedelta(days=ahead)
        heb = GregorianDate.from_pydate(day).to_heb()
        if heb.day == 1:
            yield day, _month_name(heb)


def hebrew(day: date) -> tuple[int, int, int]:
    """Year, month (1 is Nisan) and day of the Hebrew calendar, by daylight."""
    found = GregorianDate.from_pydate(day).to_heb()
    return found.year, found.month, found.day


def gregorian(year: int, month: int, day: int) -> date:
    """The day whose daylight is that Hebrew date. Raises ValueError where there is none."""
    found: date = HebrewDate(year, month, day).to_pydate()
    return found


def _month_name(heb: HebrewDate) -> str:
    """With its number in a leap year's two Adars, by the names that people write today."""
    name: str = heb.month_name()
    return {"Nissan": "Nisan", "Teves": "Tevet", "Cheshvan": "Heshvan"}.get(name, name)


def _feast(day: date) -> Holiday | None:
    heb = GregorianDate.from_pydate(day).to_heb()
    name = _FESTIVALS.get(heb.festival(israel=True) or heb.fast_day() or "")
    if name is None:
        return None
    off = heb.festival(israel=True, include_working_days=False) is not None
    return Holiday(day, name, day_off=off)


def _civil(day: date) -> Holiday | None:
    """The days of the state, which keep clear of the Sabbath."""
    heb = GregorianDate.from_pydate(day).to_heb()
    independence = _independence_day(heb.year)
    if day == independence:
        return Holiday(day, "independence_day", day_off=True)
    if day == independence - timedelta(days=1):
        return Holiday(day, "memorial_day")
    return Holiday(day, "holocaust_day") if day == _holocaust_day(heb.year) else None


def _independence_day(year: int) -> date:
    """5 Iyar; a Thursday for a Friday or Saturday, a Tuesday for a Monday."""
    fifth = HebrewDate(year, _IYAR, 5)
    moved = {_FRIDAY: -1, _SATURDAY: -2, _MONDAY: 1}.get(fifth.weekday(), 0)
    on_day: date = fifth.to_pydate()
    return on_day + timedelta(days=moved)


def _holocaust_day(year: int) -> date:
    """27 Nisan; a Thursday for a Friday, a Monday for a Sunday."""
    usual = HebrewDate(year, _NISAN, 27)
    moved = {_FRIDAY: -1, _SUNDAY: 1}.get(usual.weekday(), 0)
    on_day: date = usual.to_pydate()
    return on_day + timedelta(days=moved)
