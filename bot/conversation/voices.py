"""Voice notes: Ogg with Opus and nothing else, not longer than somebody would listen to."""

import struct
from collections.abc import Callable, Iterator
from typing import Final

from bot.conversation.attachments import UnfetchedError

MOST_BYTES: Final = 3_000_000
LONGEST_S: Final = 180
_MARK: Final = b"OggS"
_HEAD: Final = b"OpusHead"
_PAGE: Final = struct.Struct("<4sBBqIIIB")
_RATE: Final = 48_000
"""Opus counts time in these, whatever it was recorded with."""

Transcribe = Callable[[bytes], str]
"""transcribe(note): what was said in it. Raises UnfetchedError; waits for seconds."""


def checked(note: bytes) -> bytes:
    """The note, if it is one. Raises UnfetchedError."""
    seconds = seconds_of(note)
    if seconds > LONGEST_S:
        raise UnfetchedError("voice_long")
    return note


def seconds_of(note: bytes) -> float:
    """By its last page. Raises UnfetchedError where it isn't Opus in Ogg from end to end."""
    pages = list(_pages(note))
    first = note[_PAGE.size + note[_PAGE.size - 1] :] if pages else b""
    if not first.startswith(_HEAD) or len(first) < len(_HEAD) + 4:
        raise UnfetchedError("unheard")
    skipped: int = struct.unpack_from("<H", first, len(_HEAD) + 2)[0]
    return max(0, max(pages) - skipped) / _RATE


def _pages(note: bytes) -> Iterator[int]:
    """The position that each page ends at."""
    at = 0
    while at < len(note):
        if len(note) < at + _PAGE.size:
            raise UnfetchedError("unheard")
        mark, _, _, ends, _, _, _, pieces = _PAGE.unpack_from(note, at)
        body = at + _PAGE.size + pieces
        at = body + sum(note[at + _PAGE.size : body])
        if mark != _MARK or at > len(note):
            raise UnfetchedError("unheard")
        yield ends
