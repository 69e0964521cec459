"""One long text as several messages, cut where a reader would pause."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate
from typing import Final

from bot.render.text.graphemes import graphemes, utf16_units
from bot.render.text.marks import Span, spans

LIMIT: Final = 1600
"""Twilio's limit for a body on every channel, in UTF-16 units."""
_LEAST: Final = 64
_SPACE: Final = " \n"
_SENTENCE_ENDS: Final = ".!?…"
_FENCE: Final = "```"
_RLM: Final = "\u200f"


class _Pause(IntEnum):
    """How good a place for a cut is; the smaller the better."""

    PARAGRAPH = 0
    LINE = 1
    SAME_ITEM = 2
    SENTENCE = 3
    WORD = 4
    GRAPHEME = 5
    ANYWHERE = 6


_INSIDE_MARKS: Final = 10


@dataclass(frozen=True, slots=True)
class _Cut:
    """A place to cut, and the marks that are open there, outermost first."""

    offset: int
    pause: _Pause
    open: tuple[Span, ...]

    @property
    def cost(self) -> int:
        return self.pause + (_INSIDE_MARKS if self.open else 0)

    @property
    def closing(self) -> str:
        return "".join(_own_line(span, "\n", "") + span.closing for span in reversed(self.open))

    @property
    def opening(self) -> str:
        return "".join(span.opening + _own_line(span, "", "\n") for span in self.open)


def _own_line(span: Span, before: str, after: str) -> str:
    return before + after if span.opening == _FENCE else ""


def split(text: str, limit: int = LIMIT) -> tuple[str, ...]:
    """Cut a converted text into parts of at most `limit` UTF-16 units, in order.

    Marks that had to be cut are closed and opened again; white space at a cut is dropped, and
    nothing else. Raises ValueError for a limit too small to hold marks and a word.
    """
    if limit < _LEAST:
        raise ValueError(limit)
    parts = []
    rest = text.strip(_SPACE)
    while utf16_units(rest) > limit:
        part, rest = _first_part(rest, limit)
        parts.append(part)
    return tuple(part for part in (*parts, rest) if part)


def _first_part(text: str, limit: int) -> tuple[str, str]:
    lengths = [0, *accumulate(map(utf16_units, text))]
    fits = [cut for cut in _cuts(text, limit) if _fits(cut, lengths, limit)]
    if not fits:
        fits = [cut for cut in _tight_cuts(text, limit) if _fits(cut, lengths, limit)]
    best = min(fits, key=lambda cut: (cut.cost, -cut.offset))
    part = text[: best.offset].rstrip(_SPACE) + best.closing
    rest = best.opening + _without_pause(text[best.offset :], best)
    return part, _direction(text, best) + rest


def _direction(text: str, cut: _Cut) -> str:
    """A right-to-left line goes on as one: phones take the direction from the first letter."""
    line = text.rfind("\n", 0, cut.offset) + 1
    in_the_line = cut.pause >= _Pause.SENTENCE
    return _RLM if in_the_line and text.startswith(_RLM, line) else ""


def _without_pause(rest: str, cut: _Cut) -> str:
    """Drop the white space of the cut; a line of code keeps its indentation."""
    in_code = any(span.opening == _FENCE for span in cut.open)
    return rest.removeprefix("\n") if in_code else rest.lstrip(_SPACE)


def _fits(cut: _Cut, lengths: list[int], limit: int) -> bool:
    return lengths[cut.offset] + len(cut.closing) <= limit


def _cuts(text: str, limit: int) -> Iterator[_Cut]:
    """Every white space in reach, with what it parts."""
    found = spans(text)
    for offset in range(1, min(limit + 1, len(text))):
        if text[offset] in _SPACE and text[offset - 1] not in _SPACE:
            yield from _cut_at(offset, _pause(text, offset), found)


def _cut_at(offset: int, pause: _Pause, found: list[Span]) -> Iterator[_Cut]:
    around = tuple(span for span in found if span.holds(offset))
    if all(span.has_words_around(offset) for span in around):
        yield _Cut(offset, pause, tuple(span for span in around if span.opening))


def _pause(text: str, offset: int) -> _Pause:
    end = offset
    while end < len(text) and text[end] in _SPACE:
        end += 1
    lines = text.count("\n", offset, end)
    if lines > 1:
        return _Pause.PARAGRAPH
    if lines == 1:
        return _Pause.SAME_ITEM if text[end - 1] == " " else _Pause.LINE
    return _Pause.SENTENCE if text[offset - 1] in _SENTENCE_ENDS else _Pause.WORD


def _tight_cuts(text: str, limit: int) -> Iterator[_Cut]:
    """Between graphemes, and inside one only if it alone is longer than a message."""
    found = spans(text)
    offset = 0
    for grapheme in graphemes(text[: limit + 1]):
        if utf16_units(grapheme) > _LEAST:
            for inside in range(1, len(grapheme)):
                yield from _cut_at(offset + inside, _Pause.ANYWHERE, found)
        offset += len(grapheme)
        if offset < len(text):
            yield from _cut_at(offset, _Pause.GRAPHEME, found)
