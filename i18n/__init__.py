"""Words in English, Hebrew and Russian: catalogues, marks, and values by their type."""

from i18n.catalogues import MissingWordsError, load
from i18n.languages import Language, language_of_text
from i18n.marks import isolate, opened, ranges_kept
from i18n.phrases import N_, Shown, Variant, count, has, marked, phrase, words_under

__all__ = [
    "N_",
    "Language",
    "MissingWordsError",
    "Shown",
    "Variant",
    "count",
    "has",
    "isolate",
    "language_of_text",
    "load",
    "marked",
    "opened",
    "phrase",
    "ranges_kept",
    "words_under",
]
