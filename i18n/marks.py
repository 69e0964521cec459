"""Direction marks: what keeps names, times and codes whole inside text of either direction."""

import re
import unicodedata
from collections.abc import Iterable

from i18n.languages import Language

RLM, LRI, FSI, PDI = "\u200f", "\u2066", "\u2068", "\u2069"
VISIBLE = {"⟨RLM⟩": RLM, "⟨LRI⟩": LRI, "⟨FSI⟩": FSI, "⟨PDI⟩": PDI}
"""Marks as the catalogues write them, so that they can be reviewed."""

_LRM = "\u200e"
_RANGE = re.compile(r"(?<=\d)–(?=\d)")
_DIRECTION = frozenset(
    "\u061c\u200e\u200f"  # ALM, LRM, RLM
    "\u202a\u202b\u202c\u202d\u202e"  # embeddings, overrides and their end
    "\u2066\u2067\u2068\u2069"  # isolates and their end
)
_RIGHT_TO_LEFT = frozenset({"R", "AL"})


def hidden(text: str) -> str:
    """Visible marks made real."""
    for name, mark in VISIBLE.items():
        text = text.replace(name, mark)
    return text


def shown(text: str) -> str:
    """Real marks made visible, as the catalogues and the golden files write them."""
    for name, mark in VISIBLE.items():
        text = text.replace(mark, name)
    return text


def bare(text: str) -> str:
    """The text without any mark."""
    return "".join(character for character in text if character not in _DIRECTION)


def neutral(text: str) -> str:
    """What somebody typed, on one line and without power over the text around it.

    Direction overrides, isolates and control characters go; a line break becomes a space, so
    that a name can't pass for an option. A name of nothing else becomes a question mark.
    """
    kept = "".join(_harmless(character) for character in bare(text))
    return " ".join(kept.split()) or "?"


def _harmless(character: str) -> str:
    match unicodedata.category(character):
        case "Zl" | "Zp":
            return " "
        case "Cc":
            return " " if character.isspace() else ""
        case "Cs":  # half of a pair, which no channel can encode
            return ""
        case _:
            return character


def runs_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text)


def isolate(text: str, language: Language) -> str:
    """Around what people typed: always in Hebrew, elsewhere only where it would flip the rest."""
    if language is Language.HE or runs_right_to_left(text):
        return f"{FSI}{text}{PDI}"
    return text


def isolate_ltr(text: str, language: Language) -> str:
    """Around times, ranges, phones, codes, links and fixed Latin words."""
    return f"{LRI}{text}{PDI}" if language is Language.HE else text


def opened(text: str, language: Language) -> str:
    """Text for a phone, with a mark before every Hebrew line.

    Phones take a line's direction from its first letter, which may be a Latin name's.
    """
    if language is not Language.HE:
        return text
    return "\n".join(f"{RLM}{line.removeprefix(RLM)}" for line in text.split("\n"))


def ranges_kept(text: str, language: Language) -> str:
    """Prose whose ranges, as 7:00–8:00, don't turn round between Hebrew words.

    What we word ourselves is isolated; nobody isolates what a model writes.
    """
    return _RANGE.sub(f"{_LRM}–{_LRM}", text) if language is Language.HE else text


def balanced(text: str) -> bool:
    """Whether every isolate is closed on its own line, and none is closed twice."""
    return all(_closed(line) for line in text.split("\n"))


def _closed(characters: Iterable[str]) -> bool:
    depth = 0
    for character in characters:
        depth += (character in {LRI, FSI}) - (character == PDI)
        if depth < 0:
            return False
    return depth == 0
