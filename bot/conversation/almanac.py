"""The Hebrew calendar as the model is told of it: by it dates and holidays are found (rule 49)."""

from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from app.schedule import holidays
from i18n import Language, phrase

AHEAD: Final = timedelta(days=400)


def almanac(today: date) -> tuple[str, ...]:
    """Lines from this month on for a year; the same all month, so that a prefix stays the same."""
    return _from(today.replace(day=1))


@lru_cache(maxsize=4)
def _from(first: date) -> tuple[str, ...]:
    seasons = (one for one in holidays.seasons(first, first + AHEAD) if "_eve" not in one.key)
    months = holidays.months(first, first + AHEAD)
    return (
        f"Holidays, each from the evening before: {'; '.join(map(_season, seasons))}.",
        f"Hebrew months begin: {'; '.join(f'1 {name} = {day}' for day, name in months)}.",
    )


def _season(one: holidays.Season) -> str:
    name = phrase(one.key, Language.EN)
    return f"{name} {one.first}" + (f" to {one.last}" if one.last > one.first else "")
