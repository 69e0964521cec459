"""Text as PostgreSQL can hold it: without NUL and halves of surrogate pairs."""

import re
import unicodedata
from typing import Any, Final

DEEPEST: Final = 100
"""Levels of a JSON value; what nests deeper can't be written or compared."""

_BREAKS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_VISIBLE: Final = frozenset("LNPS")
"""Letters, numbers, punctuation, symbols: all else is blank, or a mark on one of them."""


def is_visible(text: str) -> bool:
    """Whether there is anything to see: blanks, joiners and marks alone show nothing."""
    return any(unicodedata.category(one)[0] in _VISIBLE for one in text)


def one_line(text: str) -> str:
    """A name as it can stand in a sentence: what breaks lines, or rings bells, becomes a blank."""
    return _BREAKS.sub(" ", text).strip()


def storable(text: str) -> str:
    """The text without the characters that no column takes; any other stays as it is."""
    return text.replace("\x00", "").encode("utf-8", "ignore").decode()


def storable_json(value: Any, room: int = DEEPEST) -> Any:  # noqa: ANN401 - any JSON, there and back
    """The same for every text in a JSON value, keys too. Raises ValueError where it is too deep."""
    if room == 0:
        raise ValueError("too deep")
    match value:
        case str():
            return storable(value)
        case list():
            return [storable_json(one, room - 1) for one in value]
        case dict():
            return {storable(key): storable_json(one, room - 1) for key, one in value.items()}
        case _:
            return value
