"""What leaves for logs and their collectors without what would name a person."""

import re
from collections.abc import Container, Mapping
from typing import Any, Final

_LONGEST: Final = 500
"""Characters of a line; a traceback stays whole."""
WORDS: Final = frozenset({"text", "body", "name", "names", "words", "prompt", "input", "says"})
"""Fields that hold what people wrote: left out whole."""
_LEFT_OUT: Final = "[left out]"
_MASKS: Final = (
    (re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+"), "[e-mail]"),
    (re.compile(r"(?<![\w-])(?:\+\d|0\d)[\d\-() .]{6,14}\d(?![\w-])"), "[phone]"),
    (re.compile(r"\b(?:sk-|SK|AC|phc_|arbox-|Bearer )[\w-]{8,}"), "[key]"),
    (re.compile(r"//[^/\s:@]+:[^/\s@]+@"), "//[login]@"),
)


def scrubbed(value: Any, words: Container[str] = WORDS) -> Any:  # noqa: ANN401 - any JSON-like value
    """The same value, with phones, e-mails, keys and people's words taken out."""
    match value:
        case str():
            return _masked(value)
        case Mapping():
            return {
                name: _LEFT_OUT if name in words else scrubbed(one, words)
                for name, one in value.items()
            }
        case list() | tuple():
            return [scrubbed(one, words) for one in value]
        case _:
            return value


def _masked(text: str) -> str:
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return text if len(text) <= _LONGEST or "\n" in text else f"{text[:_LONGEST]}..."
