"""What a reader takes for one character: where a text may be cut, and how long it is."""

import unicodedata
from collections.abc import Iterator

_ZWJ = "\u200d"
_EXTENDING = frozenset({"Mn", "Me", "Mc"})
_CONJOINING_JAMO = range(0x1160, 0x1200)
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_FLAG_TAGS = range(0xE0020, 0xE0080)
_REGIONAL_INDICATORS = range(0x1F1E6, 0x1F200)


def utf16_units(text: str) -> int:
    """Length as WhatsApp, SMS and JavaScript count it: an emoji is two or more."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def graphemes(text: str) -> Iterator[str]:
    """Cut into grapheme clusters, by the rules of Unicode's annex 29 that our languages meet.

    Marks, joiners, variation selectors, skin tones, keycaps, flags and Hangul stay whole. Scripts
    whose clusters join spacing letters (Indic conjuncts) may be cut between them.
    """
    cluster = ""
    for character in text:
        if cluster and not _joins(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def _joins(cluster: str, character: str) -> bool:
    if cluster == "\r" and character == "\n":
        return True
    if _is_control(cluster[-1]) or _is_control(character):
        return False
    if cluster[-1] == _ZWJ or _extends(character):
        return True
    return _completes_a_flag(cluster, character)


def _is_control(character: str) -> bool:
    return character in "\r\n\t" or unicodedata.category(character) in {"Cc", "Zl", "Zp"}


def _extends(character: str) -> bool:
    code = ord(character)
    return (
        character == _ZWJ
        or unicodedata.category(character) in _EXTENDING
        or code in _SKIN_TONES
        or code in _FLAG_TAGS
        or code in _CONJOINING_JAMO
    )


def _completes_a_flag(cluster: str, character: str) -> bool:
    """Two regional indicators make a flag; a third begins the next one."""
    codes = [ord(one) for one in cluster + character]
    return len(cluster) == 1 and all(code in _REGIONAL_INDICATORS for code in codes)
