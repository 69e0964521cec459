"""Dates and hours in a sentence: each is cut out and leaves a mark, so structure remains."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from functools import partial

from bot.playground.planner.lexicon import clock_words as words

MARK = re.compile(r"@(\d+)")
_NOT_WITHIN = r"(?<![\w@.:'/-])"
_PREFIX = r"(?P<before>(?:[ובלהמש]{1,2}-?)?)"
_END = r"(?![\w:/]|'(?!s\b)|\.\d|-\d)"
_NOON = 12
_LATE = 7
"""A bare hour below this is meant in the afternoon: few gyms open before."""


@dataclass(frozen=True, slots=True)
class Day:
    date: date


@dataclass(frozen=True, slots=True)
class Clock:
    """An hour, or a span of them. `vague`: nobody said whether it is before or after noon."""

    start: time
    end: time | None = None
    vague: bool = False

    @property
    def likely(self) -> time:
        """The start as a gym would mean it."""
        early = self.vague and 0 < self.start.hour < _LATE
        return _later(self.start) if early else self.start

    @property
    def likely_end(self) -> time | None:
        if self.end is None:
            return None
        shifted = self.likely != self.start and self.end.hour < _NOON
        late = self.vague and self.end <= self.likely and self.end.hour < _NOON
        return _later(self.end) if shifted or late else self.end

    def fits(self, start: time) -> bool:
        """Whether a class that begins then may be meant."""
        return start == self.start or (
            self.vague and self.start.hour < _NOON and start == _later(self.start)
        )


@dataclass(frozen=True, slots=True)
class Part:
    """Morning until noon, noon until 17:00, evening from then on."""

    name: str

    def holds(self, start: time) -> bool:
        match self.name:
            case "morning":
                return start.hour < _NOON
            case "noon":
                return _NOON <= start.hour < 17  # noqa: PLR2004 - as the docstring says
            case _:
                return start.hour >= 17  # noqa: PLR2004 - the same


Token = Day | Clock | Part
Made = Callable[[re.Match[str]], Token | None]


@dataclass
class Marked:
    """A folded sentence with marks `@0`, and what each stands for."""

    text: str
    today: date
    tokens: list[Token] = field(default_factory=list)

    def cut(self, pattern: str, made: Made) -> None:
        """Replace each match that makes sense; a Hebrew prefix becomes a word of its own."""

        def mark(match: re.Match[str]) -> str:
            token = made(match)
            if token is None:
                return match.group()
            self.tokens.append(token)
            before = (match.groupdict().get("before") or "").rstrip("-")
            return f"{before} @{len(self.tokens) - 1}".strip()

        self.text = re.sub(rf"{_NOT_WITHIN}{pattern}{_END}", mark, self.text)


def marked(folded: str, today: date) -> Marked:
    """The sentence with its dates, hours and parts of the day cut out."""
    found = Marked(folded, today)
    _cut_dates(found)
    _cut_weekdays(found)
    _cut_hours(found)
    for name, pattern in words.PARTS.items():
        found.cut(rf"{_PREFIX}(?:{pattern})", _always(Part(name)))
    found.text = " ".join(found.text.split())
    return found


def _cut_dates(found: Marked) -> None:
    found.cut(rf"{_PREFIX}(?P<y>\d{{4}})-(?P<m>\d\d?)-(?P<d>\d\d?)", partial(_date, found))
    for number, month in enumerate(words.MONTHS, 1):
        made = partial(_date, found, month=number)
        found.cut(rf"{_PREFIX}(?P<d>\d\d?)(?:st|nd|rd|th)?(?: of)? [בל]?(?:{month})", made)
        found.cut(rf"(?:{month}) (?P<d>\d\d?)(?:st|nd|rd|th)?", made)
    found.cut(
        rf"{_PREFIX}(?P<d>\d\d?)[./](?P<m>\d\d?)(?:[./](?P<y>\d{{2,4}}))?", partial(_date, found)
    )
    for pattern, days in words.DAYS:
        found.cut(rf"{_PREFIX}(?:{pattern})", _always(Day(found.today + timedelta(days=days))))


def _cut_weekdays(found: Marked) -> None:
    """The nearest such day, today included; 'next' is the one of the next week, from Sunday."""
    sunday = found.today - timedelta(days=found.today.isoweekday() % 7)
    for weekday, pattern in enumerate(words.WEEKDAYS):
        following = Day(sunday + timedelta(days=7 + (weekday + 1) % 7))
        nearest = Day(found.today + timedelta(days=(weekday - found.today.weekday()) % 7))
        found.cut(rf"(?:{words.NEXT}) (?:{pattern})", _always(following))
        found.cut(rf"{_PREFIX}(?:{pattern}) (?:{words.NEXT_AFTER})", _always(following))
        found.cut(rf"{_PREFIX}(?:this )?(?:{pattern})", _always(nearest))


def _cut_hours(found: Marked) -> None:
    clock = r"(?P<h{0}>\d\d?)(?:[:.](?P<m{0}>\d\d))?(?:\s?(?P<n{0}>am|pm))?"
    one, two = clock.format(1), clock.format(2)
    part = "|".join(words.PARTS.values())
    day = rf"(?: (?P<part>{part}))?"
    beginning = rf"(?:(?:{words.BEGINNING})[ -]?)?"
    found.cut(rf"{_PREFIX}{beginning}{one}\s?(?:{words.BETWEEN})[ -]?{two}{day}", _span)
    found.cut(rf"{_PREFIX}(?P<h1>\d\d?)[:.](?P<m1>\d\d)(?:\s?(?P<n1>am|pm))?{day}", _clock)
    found.cut(r"(?P<h1>\d\d?)\s?(?P<n1>am|pm)", _clock)
    found.cut(rf"{_PREFIX}(?P<h1>\d\d?) (?:(?P<part>{part})|(?:{words.O_CLOCK}))", _clock)
    number = rf"(?P<h1>\d\d?){_END}(?! (?:{words.UNITS})\b)"
    found.cut(rf"(?P<before>(?:(?:{words.AT}) )|[בלהמש]{{1,2}}-?){number}", _clock)
    for pattern, hour in reversed(words.HOURS):
        before = rf"(?P<before>(?:(?:{words.AT}) )|[בלהמ]{{1,2}}-?)"
        spoken = rf"(?P<past>half past )?(?:{pattern})(?P<half> וחצי)?"
        found.cut(rf"{before}{spoken}{day}", partial(_clock, hour=hour))


def _always(token: Token) -> Made:
    return lambda _: token


def _date(found: Marked, match: re.Match[str], month: int | None = None) -> Day | None:
    groups = match.groupdict()
    year = int((groups.get("y") or str(found.today.year))[-2:])
    try:
        day = date(2000 + year, month or int(groups["m"]), int(groups["d"]))
    except ValueError:
        return None
    passed = not groups.get("y") and day < found.today - timedelta(days=180)
    return Day(day.replace(year=day.year + 1) if passed else day)


def _span(match: re.Match[str]) -> Clock | None:
    start, end = _time(match, "1"), _time(match, "2")
    if start is None or end is None:
        return None
    said = match["n1"] or match["n2"] or match["part"]
    half = match["n1"] or match["n2"] or _half(match["part"])
    exact = max(start.hour, end.hour) > _NOON or bool(said)
    early = half == "pm" and start.hour < end.hour < _NOON and not match["n1"]
    return Clock(_later(start) if early else _at(start, match["n1"]), _at(end, half), not exact)


def _clock(match: re.Match[str], hour: int | None = None) -> Clock | None:
    groups = match.groupdict()
    half_past = bool(groups.get("half") or groups.get("past"))
    start = _time(match, "1") if hour is None else time(hour, 30 * half_past)
    if start is None:
        return None
    half = groups.get("n1") or _half(groups.get("part"))
    exact = bool(half) or start.hour > _NOON or bool(groups.get("m1"))
    return Clock(_at(start, half), vague=not exact)


def _time(match: re.Match[str], number: str) -> time | None:
    groups = match.groupdict()
    hour, minute = int(groups[f"h{number}"]), int(groups.get(f"m{number}") or 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None  # noqa: PLR2004 - a clock


def _half(part: str | None) -> str | None:
    """Which half of the day a part of it lies in."""
    if not part:
        return None
    return "am" if re.fullmatch(words.PARTS["morning"], part) else "pm"


def _at(at: time, half: str | None) -> time:
    if half == "pm" and at.hour < _NOON:
        return _later(at)
    return at.replace(hour=0) if half == "am" and at.hour == _NOON else at


def _later(at: time) -> time:
    return at.replace(hour=(at.hour + _NOON) % 24)
