"""The languages Spotter speaks: their Babel locale, direction, and how one is told from a text."""

import unicodedata
from enum import StrEnum
from functools import cache
from typing import Literal, Self

from babel import Locale

_LOCALES = {"en": "en_GB", "he": "he", "ru": "ru"}
_SCRIPTS = {"LATIN": "en", "HEBREW": "he", "CYRILLIC": "ru"}


class Language(StrEnum):
    EN = "en"
    HE = "he"
    RU = "ru"

    @classmethod
    def of(cls, code: str | None) -> Self:
        """The language of a stored or sent code, as 'he-IL' or the old 'iw'; English if unknown."""
        short = (code or "").replace("_", "-").partition("-")[0].lower()
        short = "he" if short == "iw" else short
        return cls(short) if short in _LOCALES else cls("en")

    @property
    def locale(self) -> Locale:
        return _locale(self.value)

    @property
    def direction(self) -> Literal["ltr", "rtl"]:
        return "rtl" if self is Language.HE else "ltr"


@cache
def _locale(code: str) -> Locale:
    return Locale.parse(_LOCALES[code])


def language_of_text(text: str) -> Language | None:
    """The language most letters of a message are written in; None if it has no such letters.

    Hebrew or Cyrillic beside more Latin still counts half as much again: class names and workout
    notation stay Latin in every language.
    """
    counts = dict.fromkeys(_LOCALES, 0.0)
    for character in text:
        if character.isalpha():
            script = unicodedata.name(character, "").partition(" ")[0]
            if language := _SCRIPTS.get(script):
                counts[language] += 1.0 if language == "en" else 1.5
    best = max(counts, key=lambda code: counts[code])
    return Language(best) if counts[best] else None
