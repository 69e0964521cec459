"""Phrases: entries of the catalogues with values in their places, each kept whole by its marks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from i18n import catalogues
from i18n.catalogues import MissingWordsError
from i18n.languages import Language
from i18n.marks import isolate, isolate_ltr
from i18n.sms_english import plain_english

Variant = Literal["", "chat", "sms", "fallback", "web"]
"""Where the words go: `fallback` is the SMS after a WhatsApp message that failed."""

_WIDER: Mapping[Variant, tuple[Variant, ...]] = {
    "": (),
    "chat": ("chat",),
    "web": ("web",),
    "sms": ("sms",),
    "fallback": ("fallback", "sms"),
}
SEPARATOR = " · "
_PLACE = re.compile(r"(?P<star>\*?)\{(?P<name>\w+)(?:\.(?P<form>\w+))?\}(?P=star)(?P<stop>\.?)")


@dataclass(frozen=True, slots=True)
class Shown:
    """A value put into words. `typed` is what people wrote, `ltr` a time, a code, a link."""

    text: str
    kind: Literal["plain", "typed", "ltr"] = "plain"
    forms: Mapping[str, "Shown"] = field(default_factory=dict)
    """Other forms of it: {when.date}, {wait.acc}."""
    n: int | None = None
    """Of a number: it has every count phrase as a form, {capacity.spots}."""


Values = Mapping[str, Shown]


def N_(message: str) -> str:  # noqa: N802 - the name under which gettext's tools know it
    """Mark an English text as an entry of the catalogues; it is looked up where it is shown."""
    return message


def words_under(prefix: str, language: Language) -> dict[str, str]:
    """Every text whose key begins with `prefix`, by the rest of its key: all that a page needs."""
    return {
        key.removeprefix(prefix): entry
        for key, entry in catalogues.entries(language).items()
        if key.startswith(prefix) and isinstance(entry, str)
    }


def has(key: str, language: Language, variant: Variant = "") -> bool:
    return _template(key, language, variant) is not None


def phrase(
    key: str, language: Language, values: Values | None = None, variant: Variant = ""
) -> str:
    """The entry `key`, or its variant `key@sms`, with its values.

    A part after ' · ' whose value is missing is left out. Raises MissingWordsError for an unknown
    key and for any other missing value.
    """
    template = _template(key, language, variant)
    if template is None:
        raise MissingWordsError(key, language.value)
    bold = variant == "chat"
    lines = [_line(line, key, language, values or {}, bold=bold) for line in template.split("\n")]
    text = "\n".join(lines)
    return plain_english(text) if _is_sms(variant) and language is Language.EN else text


def count(key: str, n: int, language: Language) -> Shown:
    """A count phrase, '2 credits', with its accusative where the language has one."""
    form = catalogues.plural(f"count.{key}", n, language)
    if form is None:
        raise MissingWordsError(f"count.{key}", language.value)
    accusative = catalogues.plural(f"count.{key}@acc", n, language) or form
    return Shown(_counted(form, n), forms={"acc": Shown(_counted(accusative, n))}, n=n)


def marked(value: Shown, language: Language, *, bold: bool = False) -> str:
    """The value with the marks it needs; stars stand inside them, tight on the word."""
    text = f"*{value.text}*" if bold else value.text
    match value.kind:
        case "typed":
            return isolate(text, language)
        case "ltr":
            return isolate_ltr(text, language)
        case "plain":
            return text


def places(template: str) -> frozenset[str]:
    """The names of the placeholders in a text of the catalogues."""
    return frozenset(place["name"] for place in _PLACE.finditer(template))


def _is_sms(variant: Variant) -> bool:
    return variant in {"sms", "fallback"}


def _template(key: str, language: Language, variant: Variant) -> str | None:
    for wider in _WIDER[variant]:
        if (found := catalogues.text(f"{key}@{wider}", language)) is not None:
            return found
    return catalogues.text(key, language)


def _line(line: str, key: str, language: Language, values: Values, *, bold: bool) -> str:
    first, *others = line.split(SEPARATOR)
    kept = [first, *(part for part in others if places(part) <= values.keys())]

    def fill(place: re.Match[str]) -> str:
        value = _value(place, key, language, values)
        text = marked(value, language, bold=bold and bool(place["star"]))
        return text if text.endswith(".") else text + place["stop"]  # 'вт, 1 дек.' ends a sentence

    return _PLACE.sub(fill, SEPARATOR.join(kept))


def _value(place: re.Match[str], key: str, language: Language, values: Values) -> Shown:
    value, form = values.get(place["name"]), place["form"]
    if value is None:
        raise MissingWordsError(key, place[0])
    if not form:
        return value
    if form in value.forms:
        return value.forms[form]
    if value.n is None:
        raise MissingWordsError(key, place[0])
    return count(form, value.n, language)


def _counted(form: str, n: int) -> str:
    return form.replace("{n}", str(n))
