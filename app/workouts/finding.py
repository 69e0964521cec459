"""Finding an exercise by any of its names, in any language and form, or by something like it."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from app.workouts.library.shelf import NO_EXERCISE, Known, phrases
from app.workouts.text.lexicon import folded, raw_of, stem

_LIKE: Final = 0.8
"""How alike two spellings are that may mean the same."""
_KEPT: Final = 4_096
"""Of so many names the words are kept: the library has half of that."""
_EXACT, _WORDS, _BEGINS = 3.0, 2.0, 1.5


@dataclass(frozen=True, slots=True)
class Found:
    exercise: Known
    exact: bool
    grade: float


def find(query: str, exercises: Iterable[Known]) -> list[Found]:
    """The likeliest first; nothing for a query without letters or digits."""
    asked = _words(query)
    if not asked:
        return []
    graded = ((one, _grade(asked, one)) for one in exercises if one.slug not in NO_EXERCISE)
    found = [Found(one, grade >= _EXACT, grade) for one, grade in graded if grade > 0]
    return sorted(found, key=lambda one: (-one.grade, one.exercise.name("en"), one.exercise.slug))


def _grade(asked: tuple[str, ...], one: Known) -> float:
    return max(_likeness(asked, _words(phrase)) for phrase in (one.slug, *phrases(one)))


def _likeness(asked: tuple[str, ...], words: tuple[str, ...]) -> float:
    if asked == words or "".join(asked) == "".join(words):
        return _EXACT
    if set(asked) <= set(words):
        return _WORDS + len(asked) / len(words)
    *whole, last = asked
    if set(whole) <= set(words) and any(word.startswith(last) for word in words):
        return _BEGINS
    return _alike(" ".join(asked), " ".join(words))


def _alike(one: str, other: str) -> float:
    """0 for what isn't enough so: of two lengths too different nothing has to be compared."""
    if 2 * min(len(one), len(other)) < _LIKE * (len(one) + len(other)):
        return 0.0
    ratio = SequenceMatcher(None, one, other).ratio()
    return ratio if ratio >= _LIKE else 0.0


@lru_cache(maxsize=_KEPT)
def _words(text: str) -> tuple[str, ...]:
    pieces = raw_of(text.replace("_", " "))
    return tuple(stem(folded(piece.text)) for piece in pieces if piece.kind != "sign")
