"""Results in words: phrases filled, days and classes named as the language does."""

import re
from collections.abc import Iterable, Sequence
from datetime import date

from babel.dates import format_date

from bot.playground.planner import dictionary
from bot.playground.planner.fold import Language
from bot.playground.planner.phrases import OTHERWISE, PHRASES
from bot.playground.planner.results import NAME_KEYS, Moment, Result, Row

MOST = 8
"""Lines of a list; a phone shows no more at once."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LOCALES: dict[Language, tuple[str, str]] = {
    "en": ("en_GB", "EEE d MMM"),
    "he": ("he", "EEE d.M"),
    "ru": ("ru", "EEE, d MMM"),
}


def say(language: Language, key: str, **values: str | int) -> str:
    """A phrase with its values; who is speaking is filled in on the way."""
    if key in {"unknown", "hello"}:
        values = {"who_i_am": say(language, "who_i_am")}
    elif key == "who_i_am":
        values = {"examples": PHRASES["examples"][language]}
    return PHRASES[key][language].format(**values)


def trouble(language: Language, result: Result) -> str:
    """Why a call isn't so, in the product's own words where it has them."""
    known = dictionary.trouble(language, result.reason, result.one.fields)
    return known or OTHERWISE[language].format(code=result.reason)


def day(language: Language, at: date) -> str:
    locale, pattern = _LOCALES[language]
    return format_date(at, pattern, locale=locale)


def moment(language: Language, at: Moment | None) -> str:
    between = ", " if language == "ru" else " "
    return "" if at is None else f"{day(language, at.date)}{between}{hours(at)}"


def hours(at: Moment) -> str:
    return f"{at.start:%H:%M}" if at.end is None else f"{at.start:%H:%M}–{at.end:%H:%M}"


def title(language: Language, *told: Row) -> str:
    """A class with its time, out of the first of these that knows each."""
    name = next((row.class_name for row in told if row.class_name), "")
    at = next((row.moment for row in told if row.moment), None)
    return ", ".join(part for part in (name, moment(language, at)) if part)


def session_line(row: Row) -> str:
    """'13:00–14:00 Open gym 7/12'."""
    at = row.moment
    booked, capacity = row.get("booked"), row.get("capacity")
    places = f"{booked or 0}/{capacity}" if capacity else ""
    over = "×" if row.is_over else ""
    return " ".join(
        part for part in (hours(at) if at else "", row.class_name, places, over) if part
    )


def listed(language: Language, lines: Iterable[str], total: int = 0) -> str:
    """The first lines, and how many more there are."""
    every = list(lines)
    more = max(total, len(every)) - MOST
    tail = [say(language, "more", count=more)] if more > 0 else []
    return "\n".join([*every[:MOST], *tail])


def facts(language: Language, row: Row, hidden: Sequence[str] = ()) -> str:
    """The cells of a row, names first; ids and what was said already are left out."""
    keys = [key for key in row.fields if not key.endswith("id") and key not in {"version", *hidden}]
    keys.sort(key=lambda key: (key not in NAME_KEYS, key))
    shown = (cell(language, key, row.fields[key]) for key in keys)
    return ", ".join(text for text in shown if text)


def cell(language: Language, key: str, value: object) -> str:
    """One cell: names as they are, days and states in words, numbers with their label."""
    match value:
        case None | False | "" | dict():
            return ""
        case True:
            return dictionary.label(language, key)
        case int():
            return f"{dictionary.label(language, key)}: {value}"
        case list():
            return ", ".join(map(str, value))
        case _:
            return _worded(language, key, str(value))


def _worded(language: Language, key: str, text: str) -> str:
    if key in NAME_KEYS:
        return text
    at = Row("", {key: text}).moment
    if at is not None:
        return moment(language, at)
    if _DAY.fullmatch(text):
        return f"{dictionary.label(language, key)}: {day(language, date.fromisoformat(text))}"
    return dictionary.state(language, text)
