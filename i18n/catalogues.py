"""The catalogues: .po files in a folder a language, read whole into memory, looked up by key."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from babel.messages.pofile import read_po

from i18n.languages import Language
from i18n.marks import hidden

FORMS: Final[Mapping[Language, tuple[str, ...]]] = {
    Language.EN: ("one", "other"),
    Language.HE: ("one", "two", "other"),
    Language.RU: ("one", "few", "many"),
}
"""The plural forms in the order of msgstr[n]; Russian fractions are strings of their own."""

Entries = Mapping[str, str | tuple[str, ...]]


class MissingWordsError(LookupError):
    """A key without an entry, or a placeholder without a value."""


@cache
def entries(language: Language) -> Entries:
    """Every entry: a text, or its plural forms.

    A part of the studio has a file of its own. Raises ValueError for a file that isn't whole, and
    for a key that two of them have.
    """
    found: dict[str, str | tuple[str, ...]] = {}
    for path in files(language):
        own = _in_file(path, language)
        if twice := found.keys() & own.keys():
            raise ValueError(f"{path}: {sorted(twice)} have words in another file already")
        found |= own
    return found


def files(language: Language) -> list[Path]:
    return sorted((Path(__file__).parent / language.value / "LC_MESSAGES").glob("*.po"))


def _in_file(path: Path, language: Language) -> Entries:
    with path.open("rb") as file:
        catalogue = read_po(file, locale=language.locale, abort_invalid=True)
    return {
        _key(message.id): _real(message.string)
        for message in catalogue
        if message.id and message.string
    }


def load() -> None:
    """Read all catalogues now, so that a broken one stops the start and not a reply."""
    for language in Language:
        entries(language)


def text(key: str, language: Language) -> str | None:
    entry = entries(language).get(key)
    return entry if isinstance(entry, str) else None


def plural(key: str, n: int, language: Language) -> str | None:
    """The form of `key` for n things, or None if there is no such phrase."""
    entry = entries(language).get(key)
    if not isinstance(entry, tuple):
        return None
    return entry[FORMS[language].index(language.locale.plural_form(n))]


def _key(id_: str | list[str] | tuple[str, ...]) -> str:
    return id_ if isinstance(id_, str) else id_[0]


def _real(text: str | list[str] | tuple[str, ...]) -> str | tuple[str, ...]:
    return hidden(text) if isinstance(text, str) else tuple(hidden(form) for form in text)
