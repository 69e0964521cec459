"""The lines of a text: where each section or list begins, and what each line says."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.workouts.text.grammar import phrases_in
from app.workouts.text.phrases import Break, Meaning, Phrase
from app.workouts.text.tokens import Tokens

_BULLET: Final = re.compile(r"^[\s\-\u2013\u2014*\u2022\u00b7>+]+(?=\S)")
_LETTER: Final = r"[A-Ja-j\u05d0-\u05d9\u0410-\u0418]"
_LABEL: Final = re.compile(
    rf"^(?P<letter>{_LETTER})['\u05f3]?(?P<number>[1-9]?)\s*(?:[.):]|\s[-\u2013\u2014](?=\s))\s*"
)
_MARK: Final = re.compile(r"^(?P<number>[1-9]\d?)\s*[.)]\s+")
_HALF: Final = str.maketrans({"\u00bd": ".5", "\u00bc": ".25", "\u00be": ".75"})
_INVISIBLE: Final = re.compile(r"[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


@dataclass(frozen=True, slots=True)
class Clause:
    """Phrases that nothing separates; `sign` is what stands before them."""

    sign: str
    phrases: tuple[Phrase, ...]

    @property
    def meanings(self) -> list[Meaning]:
        return [phrase.meaning for phrase in self.phrases]


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    text: str
    clauses: tuple[Clause, ...]
    label: str | None = None
    """The letter of a section, as the B of B1."""
    place: str | None = None
    """The whole of it, where it has a number: B1."""
    mark: int | None = None
    """Its number in a list."""

    @property
    def meanings(self) -> list[Meaning]:
        return [meaning for clause in self.clauses for meaning in clause.meanings]

    def slice(self, first: Phrase, last: Phrase) -> str:
        return self.text[first.start : last.end].strip()


def lines_of(text: str, tokens: Tokens) -> Iterator[Line]:
    """Every line that isn't blank, with its number in the text."""
    for number, whole in enumerate(text.splitlines(), 1):
        plain = _INVISIBLE.sub("", _spelled(whole)).strip()
        if plain:
            yield _line(number, plain, tokens)


def _spelled(line: str) -> str:
    """Fractions as decimals, wide digits as narrow ones."""
    halves = re.sub(r"(?<!\d)(?=[\u00bc-\u00be])", "0", line).translate(_HALF)
    return unicodedata.normalize("NFKC", halves)


def _line(number: int, text: str, tokens: Tokens) -> Line:
    bare = _BULLET.sub("", text)
    label, mark = _LABEL.match(bare), _MARK.match(bare)
    if label and label.end() <= len(bare):
        letter = label["letter"].upper()
        rest = bare[label.end() :]
        place = letter + label["number"] if label["number"] else None
        return Line(number, rest, _clauses(rest, tokens), label=letter, place=place)
    if mark:
        rest = bare[mark.end() :]
        return Line(number, rest, _clauses(rest, tokens), mark=int(mark["number"]))
    return Line(number, bare, _clauses(bare, tokens))


def _clauses(text: str, tokens: Tokens) -> tuple[Clause, ...]:
    clauses: list[Clause] = []
    sign, phrases = "", list[Phrase]()
    for phrase in phrases_in(tokens.of(text)):
        if isinstance(phrase.meaning, Break):
            if phrases:
                clauses.append(Clause(sign, tuple(phrases)))
                phrases = []
            sign = phrase.meaning.sign
        else:
            phrases.append(phrase)
    if phrases:
        clauses.append(Clause(sign, tuple(phrases)))
    return tuple(clauses)
