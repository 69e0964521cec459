"""Where the marks of a phone text begin and end: what a cut must not fall into."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_MARKS: Final = "*_~"
_ISOLATES: Final = "\u2066\u2067\u2068"
_END_ISOLATE: Final = "\u2069"
_FENCE: Final = "```"
_CODE: Final = "`"
_ADDRESSES: Final = ("https://", "http://")
_DEEPEST: Final = 4
"""Isolates within isolates that are kept whole; deeper ones aren't a person's doing."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch from its opening mark to past its closing one; an address has no marks."""

    start: int
    end: int
    opening: str
    closing: str

    def holds(self, offset: int) -> bool:
        """Whether a cut at the offset falls inside, its marks included."""
        return self.start < offset < self.end

    def has_words_around(self, offset: int) -> bool:
        """Whether a cut there leaves something between the marks on both sides."""
        return self.start + len(self.opening) < offset < self.end - len(self.closing)


def spans(text: str) -> list[Span]:
    """Find the pairs by WhatsApp's rules: within a line, tight on words, code before all else."""
    return sorted(_Scan(text).run(), key=lambda span: (span.start, -span.end))


def isolates_are_whole(text: str) -> bool:
    """Whether every isolate that begins in the text ends in it, and the other way round."""
    depth = 0
    for character in text:
        depth += (character in _ISOLATES) - (character == _END_ISOLATE)
        if depth < 0:
            return False
    return depth == 0


class _Scan:
    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[tuple[int, str]] = []
        """Marks that wait for their partner, outermost first."""

    def run(self) -> Iterator[Span]:
        at = 0
        while at < len(self._text):
            if self._text[at] == "\n":
                self._open.clear()
            whole = self._whole(at)
            if whole is not None:
                yield whole
                at = whole.end
                continue
            pair = self._pair(at)
            if pair is not None:
                yield pair
            at += 1

    def _whole(self, at: int) -> Span | None:
        """Find what is read without looking inside: a fence, inline code, an address."""
        for mark, limit in ((_FENCE, len(self._text)), (_CODE, self._line_end(at))):
            if self._text.startswith(mark, at):
                end = self._text.find(mark, at + len(mark), limit)
                if end > at + len(mark):
                    return Span(at, end + len(mark), mark, mark)
        if self._text.startswith(_ADDRESSES, at):
            return Span(at, self._word_end(at), "", "")
        return None

    def _line_end(self, at: int) -> int:
        end = self._text.find("\n", at)
        return len(self._text) if end < 0 else end

    def _word_end(self, at: int) -> int:
        while at < len(self._text) and not self._text[at].isspace():
            at += 1
        return at

    def _pair(self, at: int) -> Span | None:
        mark = self._text[at]
        if mark == _END_ISOLATE:
            return self._close_isolate(at)
        if mark in _MARKS and self._closes(at):
            return self._close(at, mark)
        if self._opens(at, mark):
            self._open.append((at, mark))
        return None

    def _opens(self, at: int, mark: str) -> bool:
        waiting = [one for _, one in self._open]
        if mark in _ISOLATES:
            return sum(one in _ISOLATES for one in waiting) < _DEEPEST
        before, after = self._around(at)
        is_new = mark in _MARKS and mark not in waiting
        return is_new and not before.isalnum() and bool(after.strip())

    def _closes(self, at: int) -> bool:
        before, after = self._around(at)
        is_open = any(mark == self._text[at] for _, mark in self._open)
        return is_open and bool(before.strip()) and not after.isalnum()

    def _around(self, at: int) -> tuple[str, str]:
        return self._text[at - 1 : at] if at else "", self._text[at + 1 : at + 2]

    def _close(self, at: int, mark: str) -> Span | None:
        index = next(i for i, (_, one) in enumerate(self._open) if one == mark)
        start, _ = self._open[index]
        if start + 1 == at:
            return None
        del self._open[index:]
        return Span(start, at + 1, mark, mark)

    def _close_isolate(self, at: int) -> Span | None:
        index = next(
            (i for i in reversed(range(len(self._open))) if self._open[i][1] in _ISOLATES), None
        )
        if index is None:
            return None
        start, mark = self._open[index]
        del self._open[index:]
        return Span(start, at + 1, mark, _END_ISOLATE)
