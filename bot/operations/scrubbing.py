"""What leaves for logs and their collectors without what would name a person."""

import re
from collections.abc import Container, Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any, Final
from uuid import UUID

_LONGEST: Final = 500
"""Characters of a line; a traceback stays whole."""
_READ: Final = 50_000
"""Characters that are looked at: of what is longer nothing more is told."""
WORDS: Final = frozenset(
    {
        *("text", "body", "words", "says", "prompt", "input", "query", "subject", "caption"),
        *("name", "names", "first_name", "last_name", "full_name"),
        *("email", "phone", "note", "notes"),
    }
)
"""Fields that hold what people wrote: left out whole."""
_LEFT_OUT: Final = "[left out]"
_RAISED: Final = "exc_info"
"""What was raised is told as its traceback, and that is gone through in its turn."""

_GAP: Final = (
    r"[ \t\u00a0\u2007\u2009\u202f()./\-\u2010-\u2015\u2212\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_UUID: Final = r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"
_TIME: Final = r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:[+-]\d\d:?\d\d)?)?"
_PHONE: Final = "|".join(
    (
        rf"(?:\+|%2[Bb]){_GAP}{{0,2}}\d(?:{_GAP}{{0,3}}\d){{6,14}}",
        rf"(?<![\w.\-])\(?0(?!\.)(?:{_GAP}{{0,2}}\d){{8,14}}(?![\w-])",
        r"(?<![\w.\-])[1-9]\d{9,14}(?![\w-]|\.\d)",
        rf"(?<![\w.\-:])[1-9]\d{{0,2}}(?:{_GAP}{{1,3}}\d{{2,4}}){{3,4}}(?![\w-])",
        r"(?<![\w.\-:])[1-9]\d{1,2}[ \-]\d{3}[ \-]?\d{4}(?![\w-])",
    )
)
_LETTER: Final = r"(?:(?![\x00-\u024f])[^\W\d_]|[\u0300-\u036f\u0591-\u05c7])"
_FOREIGN: Final = "|".join(
    (
        rf"{_LETTER}+(?:[\s'\"\-\u05be\u05f3\u05f4]+{_LETTER}+)*",
        r"(?:%[89A-Fa-f][0-9A-Fa-f]){2,}(?:(?:%20|\+)?(?:%[89A-Fa-f][0-9A-Fa-f]){2,})*",
        r"(?:\\u[0-9a-fA-F]{4} ?){2,}",
        r"(?:\\x[c-fC-F][0-9a-fA-F](?:\\x[89abAB][0-9a-fA-F]){1,3} ?)+",
    )
)
_MASKS: Final = (
    (re.compile(r"(?<![\w.+%-])[\w.+%-]+(?:@|%40)[\w-]+\.[\w.-]+"), "[e-mail]"),
    (re.compile(r"//[^/\s:@]*:[^/\s]+@"), "//[login]@"),
    (re.compile(r"\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?"), "[key]"),
    (re.compile(r"\b(?:Bearer|Basic) [^\s'\",]+"), "[key]"),
    (re.compile(r"\b(?:sk-|pa-|SK|AC|phc_|arbox-)[\w-]{8,}"), "[key]"),
    (re.compile(r"(?<=[\w/])\?[\w.\[\]-]+=[^\s'\"<>]*"), f"?{_LEFT_OUT}"),
    (re.compile(r"\binput_value=.*?(?=, input_type=|\Z)", re.DOTALL), f"input_value={_LEFT_OUT}"),
    (re.compile(r"\[parameters: .*?\](?=\n|\Z)", re.DOTALL), f"[parameters: {_LEFT_OUT}]"),
    (
        re.compile(
            r"\b(DETAIL|CONTEXT): .*?"
            r"(?=\n(?:HINT|CONTEXT|\[SQL|\(Background|\S+:|  File )|\n\n|\Z)",
            re.DOTALL,
        ),
        rf"\1: {_LEFT_OUT}",
    ),
)
_PLAIN: Final = re.compile(rf"[a-z_.]{{0,80}}|{_UUID}|{_TIME}Z?")
"""Most of what a line holds: names of ours, ids, times."""
_OTHERS: Final = re.compile(_FOREIGN)
_NUMBER: Final = re.compile(rf"(?P<ours>{_UUID}|{_TIME})|{_PHONE}")
"""Ids and times look like phones in places."""
_QUOTED: Final = re.compile(r"(?<!\w)(['\"])(?![a-z0-9_./<>:\[\]-]*\1|/)[^'\"\n]+\1(?!\w)")
"""What a message quotes, be it a name, as long as it isn't spelled as programs spell theirs."""


def scrubbed(value: Any, words: Container[str] = WORDS) -> Any:  # noqa: ANN401 - any JSON-like value
    """The same value, with phones, e-mails, keys and people's words taken out."""
    match value:
        case None | bool() | int() | float() | Decimal() | UUID() | date() | time() | timedelta():
            return value
        case Enum():
            return scrubbed(value.value, words)
        case str():
            return _masked(value)
        case bytes():
            return _masked(value.decode("utf-8", "replace"))
        case Mapping():
            return {_key(name): _field(name, one, words) for name, one in value.items()}
        case list() | tuple() | set() | frozenset():
            return [scrubbed(one, words) for one in value]
        case BaseException():
            return _masked(f"{type(value).__name__}: {value}")
        case _:
            return _masked(repr(value))


def _key(name: object) -> object:
    return _masked(name) if isinstance(name, str) else name


def _field(name: object, value: Any, words: Container[str]) -> Any:  # noqa: ANN401 - as above
    if name == _RAISED:
        return value
    return _LEFT_OUT if name in words else scrubbed(value, words)


def _masked(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    text = text[:_READ]
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    if not text.isascii() or "%" in text or "\\" in text:
        text = _OTHERS.sub("[words]", text)
    text = _NUMBER.sub(lambda found: found["ours"] or "[phone]", text)
    text = "\n".join(map(_unquoted, text.split("\n")))
    return text if len(text) <= _LONGEST or "\n" in text else f"{text[:_LONGEST]}..."


def _unquoted(line: str) -> str:
    """A line without what it quotes; those of a traceback that show our code are left."""
    return line if line.startswith("  ") else _QUOTED.sub(rf"\1{_LEFT_OUT}\1", line)
