"""What an SMS costs: GSM-7 or UCS-2, its units and segments, and cutting a text to fit."""

from collections.abc import Iterable
from typing import Final, Literal

from bot.render.text.graphemes import graphemes, utf16_units

Encoding = Literal["gsm7", "ucs2"]

# 3GPP TS 23.038: the basic table, and the extension whose characters take two units.
_BASIC: Final = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
_EXTENSION: Final = frozenset("^{}\\[~]|€\f")
_GSM7: Final = _BASIC | _EXTENSION
_SINGLE: Final[dict[Encoding, int]] = {"gsm7": 160, "ucs2": 70}
_PART: Final[dict[Encoding, int]] = {"gsm7": 153, "ucs2": 67}
_ELLIPSIS: Final[dict[Encoding, str]] = {"gsm7": "..", "ucs2": "…"}


def encoding(text: str) -> Encoding:
    """One character outside GSM-7 turns the whole message into UCS-2."""
    return "gsm7" if _GSM7.issuperset(text) else "ucs2"


def units(text: str) -> int:
    """Septets in GSM-7, UTF-16 units in UCS-2."""
    return sum(_sizes(text))


def segments(text: str) -> int:
    """How many messages the carrier sends and bills; an empty text is none."""
    kind = encoding(text)
    if units(text) <= _SINGLE[kind]:
        return 1 if text else 0
    return _parts(_sizes(text), _PART[kind])


def _parts(sizes: Iterable[int], room: int) -> int:
    """Fill parts in order; a character of two units never lies across two parts."""
    parts, used = 1, 0
    for size in sizes:
        if used + size > room:
            parts, used = parts + 1, 0
        used += size
    return parts


def _sizes(text: str) -> Iterable[int]:
    if encoding(text) == "gsm7":
        return (2 if character in _EXTENSION else 1 for character in text)
    return (utf16_units(character) for character in text)


def cut(text: str, limit: int) -> str:
    """Shorten to at most `limit` UTF-16 units, between graphemes, with an ellipsis if shortened.

    A GSM-7 text stays in GSM-7: its ellipsis is two dots.
    """
    if utf16_units(text) <= limit:
        return text
    ellipsis = _ELLIPSIS[encoding(text)]
    room = limit - len(ellipsis)
    kept = ""
    for grapheme in graphemes(text):
        if utf16_units(kept + grapheme) > room:
            break
        kept += grapheme
    return (kept.rstrip() + ellipsis)[: max(limit, 0)]
