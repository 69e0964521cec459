"""What is known of an occasion, in the words of whoever is told."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from i18n import Language, marked
from i18n.formats import day, moment


def told(facts: Mapping[str, Any], language: str, today: date) -> dict[str, str]:
    """For the places of a text: names in the language, dates as people read them."""
    return {name: _told(name, one, Language.of(language), today) for name, one in facts.items()}


def _told(name: str, one: Any, language: Language, today: date) -> str:  # noqa: ANN401 - any JSON
    match name, one:
        case "when", str():
            at = datetime.fromisoformat(one)
            return marked(moment(at.date(), at.time(), None, language, today=today), language)
        case "until", str():
            return marked(day(date.fromisoformat(one), language, today=today), language)
        case _, dict():
            return str(one.get(language.value) or next(iter(one.values()), ""))
        case _:
            return str(one)
