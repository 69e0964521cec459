"""Whether two names mean the same, across three scripts: «опен джим» and 'Open gym'."""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import groupby
from typing import TypeVar

from bot.playground.planner.fold import fold

ALIASES: tuple[frozenset[str], ...] = (
    frozenset({"open gym", "אופן ג'ים", "опен джим", "свободная тренировка"}),
    frozenset({"strength", "כוח", "כח", "силовая", "сила"}),
    frozenset({"mobility", "מוביליטי", "ניידות", "мобильность", "растяжка", "stretching"}),
    frozenset({"weightlifting", "olympic lifting", "הנפות", "הרמות", "тяжелая атлетика"}),
    frozenset({"kids", "ילדים", "дети", "детская"}),
    frozenset({"yoga", "יוגה", "йога"}),
    frozenset({"trial", "trial class", "שיעור ניסיון", "ניסיון", "пробное", "пробная"}),
    frozenset({"crossfit", "קרוספיט", "кроссфит"}),
    frozenset({"wod", "ווד", "וואד", "вод"}),
    frozenset({"spinning", "ספינינג", "спиннинг"}),
    frozenset({"pilates", "פילאטיס", "пилатес"}),
    frozenset({"endurance", "סיבולת", "выносливость"}),
)
"""What a class may be called in another language; a gym's own name is what counts."""

_CLOSE = 0.78
_PAIRS = {
    "дж": "j",
    "ג'": "j",
    "צ'": "c",
    "ז'": "j",
    "kh": "k",
    "ch": "c",
    "sh": "s",
    "th": "t",
    "ph": "p",
}
_PAIRS |= {"ts": "s", "zh": "j", "ck": "k", "qu": "k", "dj": "j"}
_SOUNDS = {
    **dict.fromkeys("bвбвבv", "b"),
    **dict.fromkeys("ווw", "b"),
    **dict.fromkeys("pfпфפף", "p"),
    **dict.fromkeys("ckqкхחכךק", "k"),
    **dict.fromkeys("gгג", "g"),
    **dict.fromkeys("jжч", "j"),
    **dict.fromkeys("dдד", "d"),
    **dict.fromkeys("tтטת", "t"),
    **dict.fromkeys("szxсзшщцזסשצץ", "s"),
    **dict.fromkeys("lлל", "l"),
    **dict.fromkeys("mмמם", "m"),
    **dict.fromkeys("nнנן", "n"),
    **dict.fromkeys("rрר", "r"),
}
_WORD = re.compile(r"[\w']+")
_BEFORE = "בלהמוש"
_SHORTEST = 3

T = TypeVar("T")


def best(wanted: str, named: Iterable[tuple[T, str]]) -> list[T]:
    """The candidates that fit best: all that fit by letters, else all that fit by sound."""
    scored = [(grade(wanted, name), each) for each, name in named]
    top = max((score for score, _ in scored), default=0)
    return [each for score, each in scored if score == top] if top else []


def grade(wanted: str, name: str) -> int:
    """4 the whole name, 3 words of it, 2 their beginnings or an alias, 1 by sound, 0 not at all."""
    asked, given = fold(wanted), fold(name)
    if not asked or not given:
        return 0
    if asked == given or _without_prefix(asked) == given:
        return 4
    if set(_words(asked)) <= set(_words(given)):
        return 3
    if any(_has_words(each, given) for each in _spellings(asked)):
        return 2
    return int(any(_sounds_in(each, given) for each in (asked, _without_prefix(asked))))


def _spellings(asked: str) -> set[str]:
    """As asked, without a Hebrew prefix, and what else that may be called."""
    own = {asked, _without_prefix(asked)}
    return own | {other for group in ALIASES if group & own for other in group}


def _without_prefix(text: str) -> str:
    """'לאופן ג׳ים' names what 'אופן ג׳ים' does."""
    return text[1:] if text[0] in _BEFORE and len(text) > _SHORTEST else text


def _has_words(asked: str, given: str) -> bool:
    words = _words(given)
    return all(any(_begins(word, each) for each in words) for word in _words(asked))


def _begins(word: str, whole: str) -> bool:
    return whole == word or (len(word) >= _SHORTEST and whole.startswith(word))


def _sounds_in(asked: str, given: str) -> bool:
    heard = [sounds(word) for word in _words(given)]
    return all(
        any(_alike(one, other) for each in heard for one in sounds(word) for other in each)
        for word in _words(asked)
    )


def _alike(one: str, other: str) -> bool:
    if not one or not other:
        return False
    return one == other or (
        min(len(one), len(other)) >= _SHORTEST
        and SequenceMatcher(None, one, other).ratio() >= _CLOSE
    )


@cache
def sounds(word: str) -> frozenset[str]:
    """The consonants of a word as one alphabet writes them: vowels and aspirates differ too much.

    The Hebrew vav is a vowel or a consonant, so that a word with one has two.
    """
    for pair, letter in _PAIRS.items():
        word = word.replace(pair, letter)
    if word.startswith(("ge", "gi", "gy")):
        word = "j" + word[1:]
    return frozenset(map(_consonants, {word, word.replace("ו", "")}))


def _consonants(word: str) -> str:
    letters = [_SOUNDS.get(each, "") for each in word]
    return "".join(letter for letter, _ in groupby(letters))


def _words(text: str) -> Sequence[str]:
    return _WORD.findall(text)
