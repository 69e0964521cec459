"""The forms that a sentence gives a name: what is written on to it, its cases, a possessive."""

import re
from collections.abc import Iterator
from typing import Final

from i18n.letters import fold

APART: Final = re.compile(r"[^\w׳'’-]+|_")
"""What stands between words."""
_JOINED: Final = re.compile(r"^[ולבמהשכ]{1,2}(?=[א-ת]{2,}$)")
"""What Hebrew writes on to a name: and, to, in, from, the, that, as."""
_CASE: Final = re.compile(r"(?<=[а-я]{2})(?:ой|ей|ою|ом|ем|[уюыиеая])$")
"""The endings that Russian gives one."""
_NOMINATIVE: Final = ("", "а", "я", "й")
_OWNED: Final = re.compile(r"׳s?$")


def words(text: str) -> list[str]:
    """The words of a sentence, folded, without its marks."""
    return [word for one in APART.sub(" ", text).split() if (word := fold(one).strip("׳-"))]


def forms(word: str) -> tuple[str, ...]:
    """A folded word, and what it may be a form of."""
    return tuple(dict.fromkeys(_forms(word)))


def script(word: str) -> str:
    """Of a folded word, by its first letter."""
    first = word[:1]
    if "а" <= first <= "я":
        return "cyrillic"
    return "hebrew" if "א" <= first <= "ת" else "latin"


def _forms(word: str) -> Iterator[str]:
    bare = _OWNED.sub("", word) or word
    yield bare
    if (rest := _JOINED.sub("", bare)) != bare:
        yield rest
    if (stem := _CASE.sub("", bare)) != bare:
        yield from (stem + ending for ending in _NOMINATIVE)
