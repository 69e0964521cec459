"""Words of workout texts in three languages: which terminal of the grammar each phrase is."""

import csv
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final

import snowballstemmer

LANGUAGES: Final = ("en", "he", "ru")
TIGHT: Final = "~"
"""Before a form that counts only right behind a number, as the s of 30s."""

_NIQQUD: Final = re.compile(r"[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]")
GERESH, GERSHAYIM, MAQAF = chr(0x05F3), chr(0x05F4), chr(0x05BE)
_QUOTES: Final = str.maketrans("", "", f"'\"\u2019\u2032{GERESH}{GERSHAYIM}&")
_FINALS: Final = {0x05DA: 0x05DB, 0x05DD: 0x05DE, 0x05DF: 0x05E0, 0x05E3: 0x05E4, 0x05E5: 0x05E6}
"""Hebrew letters as they are written at the end of a word, and elsewhere."""
_YO: Final = {0x0451: 0x0435}
_HEBREW: Final = re.compile(r"[\u05d0-\u05ea]")
_CYRILLIC: Final = re.compile(r"[\u0430-\u044f]")
_HEBREW_ENDING: Final = re.compile(r"(?<=..)(?:\u05d9\u05de|\u05d5\u05ea|\u05d4|\u05ea)$")
_HEBREW_PREFIX: Final = re.compile(r"^[\u05d5\u05d4\u05d1\u05dc\u05de\u05e9\u05db](?=..)")
_JOINED: Final = "+"
_SHORT: Final = 3
_PLURAL: Final = re.compile(r"[a-z][a-rt-z]s")

_WORD: Final = (
    r"[\u05d0-\u05ea\u0591-\u05c7]+(?:[\"'\u05f3\u05f4\u2019][\u05d0-\u05ea]+)*['\u05f3\u2019]?"
    r"|[^\W\d_\u05d0-\u05ea]+(?:['\u2019&][^\W\d_\u05d0-\u05ea]+)*"
)
RAW: Final = re.compile(rf"(?P<word>{_WORD})|(?P<number>\d+)|(?P<sign>[^\s\w]|_)")


@dataclass(frozen=True, slots=True)
class Raw:
    """A piece of text before it has a meaning: a word, a number or a sign."""

    kind: str
    text: str
    start: int
    end: int
    tight: bool
    """It follows the one before without a blank."""


@dataclass(frozen=True, slots=True)
class Sense:
    """What a phrase is in the grammar; `value` tells the phrases of one terminal apart."""

    terminal: str
    value: str = ""
    form: str = ""


@dataclass(slots=True)
class _Node:
    after: dict[str, "_Node"] = field(default_factory=dict)
    sense: Sense | None = None
    tight: Sense | None = None


class Lexicon:
    """Phrases found by their words in any usual form: plural, case, article, joined preposition."""

    def __init__(self, phrases: Iterable[tuple[str, Sense]]) -> None:
        self._root = _Node()
        stemmed: list[tuple[list[str], Sense]] = []
        for form, sense in phrases:
            pieces = raw_of(form.removeprefix(TIGHT))
            tight = form.startswith(TIGHT)
            self._add([_key(pieces, at) for at in range(len(pieces))], sense, tight=tight)
            stemmed.append(([_key(pieces, at, stem) for at in range(len(pieces))], sense))
        for path, sense in stemmed:
            self._add(path, sense, tight=False, weak=True)

    def longest(self, pieces: Sequence[Raw]) -> tuple[int, Sense] | None:
        """The longest phrase that begins here, and over how many pieces it goes."""
        found = list(self._matches(self._root, pieces, 0, 0))
        if not found:
            return None
        length, _, sense = max(found, key=lambda one: (one[0], -one[1]))
        return length, sense

    def _matches(
        self, node: _Node, pieces: Sequence[Raw], at: int, cost: int
    ) -> Iterator[tuple[int, int, Sense]]:
        sense = self._sense(node, pieces, at)
        if sense is not None:
            yield at, cost, sense
        if at == len(pieces):
            return
        for extra, key in enumerate(forms(pieces[at].text)):
            for mark in (_JOINED, "") if at and pieces[at].tight else ("",):
                following = node.after.get(mark + key)
                if following is not None:
                    yield from self._matches(following, pieces, at + 1, cost + extra)

    def _sense(self, node: _Node, pieces: Sequence[Raw], at: int) -> Sense | None:
        behind_number = at == 1 and pieces[0].tight
        return (node.tight if behind_number else None) or node.sense

    def _add(self, path: list[str], sense: Sense, *, tight: bool, weak: bool = False) -> None:
        node = self._root
        for key in path:
            node = node.after.setdefault(key, _Node())
        if tight:
            node.tight = sense
        elif node.sense is None:
            node.sense = sense
        elif not weak and node.sense.terminal != sense.terminal:
            raise ValueError(f"{sense.form!r} is both {node.sense} and {sense}")


def _key(pieces: Sequence[Raw], at: int, form: Callable[[str], str] = str) -> str:
    """A word as it is looked up; digits beside letters belong together only without a blank."""
    one = pieces[at]
    mixed = at > 0 and one.tight and "number" in {one.kind, pieces[at - 1].kind}
    return (_JOINED if mixed else "") + form(folded(one.text))


def raw_of(text: str) -> list[Raw]:
    """Words, numbers and signs; hyphens inside words join them, as in toes-to-bar."""
    pieces: list[Raw] = []
    end = -1
    for match in RAW.finditer(text):
        kind = match.lastgroup or "sign"
        pieces.append(Raw(kind, match[0], match.start(), match.end(), match.start() == end))
        end = match.end()
    return [piece for at, piece in enumerate(pieces) if not _joins(pieces, at)]


def _joins(pieces: Sequence[Raw], at: int) -> bool:
    """A hyphen with a letter on one side at least, and no blank on either."""
    if pieces[at].text not in {"-", "\u2010", "\u2011", MAQAF} or not 0 < at < len(pieces) - 1:
        return False
    before, after = pieces[at - 1], pieces[at + 1]
    kinds = {before.kind, after.kind}
    return pieces[at].tight and after.tight and "word" in kinds and "sign" not in kinds


@cache
def forms(word: str) -> tuple[str, ...]:
    """What a word may be looked up as, the surest first."""
    exact = folded(word)
    found = [exact, stem(exact)]
    if _HEBREW_PREFIX.match(exact):
        bare = _HEBREW_PREFIX.sub("", exact)
        found += [bare, stem(bare)]
    return tuple(dict.fromkeys(found))


def folded(word: str) -> str:
    """Lower case, without points, quotes, final letters and the two dots of the Russian e."""
    plain = unicodedata.normalize("NFKC", word).lower()
    return _NIQQUD.sub("", plain).translate(_QUOTES).translate(_FINALS).translate(_YO) or plain


@cache
def stem(word: str) -> str:
    """The part of a word that its cases and numbers share."""
    if len(word) <= _SHORT:
        return word[:-1] if _PLURAL.fullmatch(word) else word
    if _HEBREW.search(word):
        return _HEBREW_ENDING.sub("", word)
    return str(_stemmer("russian" if _CYRILLIC.search(word) else "english").stemWord(word))


@cache
def _stemmer(language: str) -> Any:  # noqa: ANN401 - it ships no types
    return snowballstemmer.stemmer(language)


def phrases_of(table: str) -> Iterator[tuple[str, Sense]]:
    """The phrases of a table of words beside this module."""
    with files("app.workouts.text").joinpath(table).open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            for form in ";".join(row[language] for language in LANGUAGES).split(";"):
                if form:
                    yield form, Sense(row["terminal"], row["value"], form)
