"""Words the product has already: labels, states, errors, out of its catalogues, as plain text."""

import re
from collections.abc import Mapping
from typing import Any

from bot.playground.planner.fold import Language
from i18n import catalogues
from i18n.languages import Language as Catalogue
from i18n.marks import bare

_STATES = ("booking", "session", "membership", "member", "role", "class_type")
_PLACE = re.compile(r"\{(\w+)[^}]*\}")


def label(language: Language, key: str) -> str:
    """The name of a cell."""
    return _text(language, f"label.{key}") or key.replace("_", " ")


def state(language: Language, word: str) -> str:
    """A state as a word of the language; what isn't one comes back as it is."""
    found = (_text(language, f"{group}.{word}") for group in _STATES)
    return next((text for text in found if text), word)


def trouble(language: Language, code: str, fields: Mapping[str, Any]) -> str | None:
    """Why something isn't so; None where there are no words for it, or not all their values."""
    text = _text(language, f"not_run.{code}") or _text(language, f"error.{code}")
    if text is None or any(name not in fields for name in _PLACE.findall(text)):
        return None
    return _PLACE.sub(lambda match: str(fields[match[1]]), text)


def _text(language: Language, key: str) -> str | None:
    text = catalogues.text(key, Catalogue.of(language))
    return None if text is None else bare(text)
