"""A sentence in one spelling, so that patterns need only one."""

import re
import unicodedata
from typing import Literal

Language = Literal["en", "he", "ru"]

_SAME = str.maketrans(
    {"ё": "е", "’": "'", "`": "'", "׳": "'", "״": '"', "–": "-", "—": "-", "־": "-"}
)
_DROPPED = re.compile(r"[?!;\"«»„“”…*]|\.(?=\s|$)")
_HEBREW = re.compile(r"[א-ת]")
_CYRILLIC = re.compile(r"[а-я]")
_LATIN = re.compile(r"[a-z]")


def fold(text: str) -> str:
    """Lower case, no marks or niqqud, one kind of quote and dash, no end marks, single blanks."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_SAME)
    kept = "".join(each for each in plain if unicodedata.category(each) not in {"Mn", "Cf"})
    return " ".join(_DROPPED.sub(" ", kept).replace(",", " , ").split()).strip(" ,")


def language_of(text: str, otherwise: Language = "en") -> Language:
    """By the script of most letters; a sentence without letters is in the language of before."""
    folded = fold(text)
    counts: dict[Language, int] = {
        "he": len(_HEBREW.findall(folded)),
        "ru": len(_CYRILLIC.findall(folded)),
        "en": len(_LATIN.findall(folded)),
    }
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] else otherwise
