"""From a line to the terminals of the grammar: words by the lexicon, numbers, signs."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import takewhile
from typing import Final

from lark import Token

from app.workouts.library.shelf import NO_EXERCISE, Known, library, phrases, unsure
from app.workouts.text.benchmarks import benchmarks
from app.workouts.text.lexicon import (
    GERESH,
    GERSHAYIM,
    MAQAF,
    Lexicon,
    Raw,
    Sense,
    folded,
    phrases_of,
    raw_of,
)

SEPARATORS: Final = frozenset(
    (
        "COMMA",
        "GAP",
        "COLON",
        "STOP",
        "SEMI",
        "OPEN",
        "CLOSE",
        "OR",
        "PLUS",
        "AND",
        "SLASH",
        "DASH",
        "JOIN",
        "LIST",
    )
)
_DASHES: Final = frozenset(f"-\u2010\u2011\u2012\u2013\u2014\u2212{MAQAF}")
_SIGNS: Final = {
    ";": "SEMI", "|": "SEMI", ":": "COLON", "(": "OPEN", "[": "OPEN", "{": "OPEN",
    ")": "CLOSE", "]": "CLOSE", "}": "CLOSE", "%": "PERCENT", "@": "AT", "#": "LB", "=": "EQ",
    "&": "AND", "*": "X", "\u00d7": "X", "\u2715": "X", "\u2022": "GAP", "\u00b7": "GAP",
    "\u2192": "GAP", ">": "GAP", "\u2026": "DOTS", "!": "STOP", "?": "STOP", ".": "STOP",
}  # fmt: skip
_PRIMES: Final = frozenset(f"'\u2032\u2019{GERESH}")
_DOUBLE_PRIMES: Final = frozenset(f'"\u2033\u201d{GERSHAYIM}')
_JOINTS: Final = {"/": ("SLASH", "OR"), "+": ("JOIN", "PLUS"), ",": ("LIST", "COMMA")}
"""What a sign is between figures without blanks, and what it is elsewhere."""
_TIMES: Final = frozenset(("x", chr(0x0445)))
"""The sign for times, as it is typed on a Latin and on a Russian keyboard."""
_EVERY: Final = "e"
"""As in E2MOM."""
_HALVES: Final = frozenset(("5", "25", "50", "75"))
_CHAIN: Final = 3
_CHAINED: Final = {"GAP": "DASH", "COMMA": "LIST"}
_TEMPO_MARKS: Final = frozenset(("AT", "TEMPOWORD"))
_TEMPO_DIGITS: Final = 4
_LONGEST_NUMBER: Final = 6
_LONGEST_PHRASE: Final = 12
"""Words and signs; the longest of the lexicon has fewer."""
_CYRILLIC_X: Final = {0x0425: "X"}


class Tokens:
    """Reads lines; knows the library and, beside it, a gym's own exercises."""

    def __init__(self, own: Sequence[Known] = ()) -> None:
        self._lexicons = [Lexicon(_named(own)), _words()] if own else [_words()]

    def of(self, line: str) -> list[Token]:
        """The terminals of a line; each knows where in it it stands."""
        pieces = raw_of(line)
        found: list[Token] = []
        at = 0
        while at < len(pieces):
            length, token = self._next(pieces, at, found)
            at += length
            if token is not None:
                found.append(token)
        return _chained(found)

    def _next(
        self, pieces: Sequence[Raw], at: int, before: Sequence[Token]
    ) -> tuple[int, Token | None]:
        piece = pieces[at]
        length, sense = self._longest(pieces[at : at + _LONGEST_PHRASE])
        if piece.kind == "number" and length < 2:  # noqa: PLR2004 - as in 1st, 4time
            return _number(pieces, at, before)
        if sense is not None:
            value = float(sense.value) if sense.terminal == "NUM" else sense
            return length, _token(sense.terminal, value, piece, pieces[at + length - 1])
        return _word(pieces, at) if piece.kind == "word" else _sign(pieces, at)

    def _longest(self, pieces: Sequence[Raw]) -> tuple[int, Sense | None]:
        found = [one for lexicon in self._lexicons if (one := lexicon.longest(pieces))]
        return max(found, key=lambda one: one[0], default=(0, None))


@cache
def _words() -> Lexicon:
    exercises = (one for one in library().values() if one.slug not in NO_EXERCISE)
    doubtful = ((one.alias, Sense("EX", one.saved, one.alias)) for one in unsure())
    return Lexicon([*phrases_of("words.csv"), *_benchmarks(), *doubtful, *_named(exercises)])


def _benchmarks() -> Iterator[tuple[str, Sense]]:
    for one in benchmarks().values():
        for form in (one.name, *one.aliases):
            yield form, Sense("BENCHMARK", one.key, form)


def _named(exercises: Iterable[Known]) -> Iterator[tuple[str, Sense]]:
    for one in exercises:
        for form in phrases(one):
            yield form, Sense("EX", one.slug, form)


def _token(terminal: str, value: object, first: Raw, last: Raw) -> Token:
    token = Token(terminal, "", start_pos=first.start, end_pos=last.end)
    token.value = value
    return token


def _word(pieces: Sequence[Raw], at: int) -> tuple[int, Token]:
    piece = pieces[at]
    word = folded(piece.text)
    if word in _TIMES:
        return 1, _token("X", "x", piece, piece)
    following = pieces[at + 1] if at + 1 < len(pieces) else None
    if following and following.kind == "number" and following.tight:
        if word == _EVERY:
            return 1, _token("EVERY", piece.text, piece, piece)
        if len(word) == 1 and len(following.text) == 1:
            return 2, _token("LABEL", piece.text + following.text, piece, following)
    return 1, _token("WORD", piece.text, piece, piece)


def _number(pieces: Sequence[Raw], at: int, before: Sequence[Token]) -> tuple[int, Token]:
    """A number with whatever belongs to its writing: 22.5, 2:30, 1:1, 1+, 30X1."""
    one, sign, two = pieces[at], _tight(pieces, at + 1), _tight(pieces, at + 2)
    if len(one.text) > _LONGEST_NUMBER:
        return 1, _token("WORD", one.text, one, one)
    if tempo := _tempo(pieces, at, before):
        return tempo
    if sign and two and two.kind == "number" and len(two.text) <= _LONGEST_NUMBER:
        if sign.text == ":":
            return 3, _clock(one, two)
        value = _decimal(one.text, sign.text, two.text, _tight(pieces, at + 3))
        if value is not None:
            return 3, _token("NUM", value, one, two)
    elif sign and sign.text == "+" and two is None:
        return 2, _token("OPENSET", float(one.text), one, sign)
    return 1, _token("NUM", float(one.text), one, one)


def _clock(one: Raw, two: Raw) -> Token:
    """2:30 is a time, 1:1 a ratio."""
    if len(two.text) == 2 and int(two.text) < 60:  # noqa: PLR2004 - minutes and seconds
        return _token("CLOCK", float(60 * int(one.text) + int(two.text)), one, two)
    return _token("RATIO", f"{int(one.text)}:{int(two.text)}", one, two)


def _decimal(whole: str, sign: str, part: str, after: Raw | None) -> float | None:
    """22.5 and 42,5 and 1,000; 5,3,1 is a list."""
    if sign == ".":
        return float(f"{whole}.{part}")
    if sign == "," and (after is None or after.text != ","):
        if len(part) == 3 and len(whole) <= 3:  # noqa: PLR2004 - thousands
            return float(whole + part)
        if part in _HALVES and len(whole) > 1:
            return float(f"{whole}.{part}")
    return None


def _tempo(pieces: Sequence[Raw], at: int, before: Sequence[Token]) -> tuple[int, Token] | None:
    """Four digits, or three and an X: down, pause, up, pause. 30x1 is sets unless it is marked."""
    marked = bool(before) and before[-1].type in _TEMPO_MARKS
    for length in (7, 3, 1):
        part, after = pieces[at : at + length], _tight(pieces, at + length)
        joined = len(part) == length and all(piece.tight for piece in part[1:])
        if not joined or (after and after.kind != "sign"):
            continue
        if length == 3 and part[1].kind != "word":  # noqa: PLR2004 - 30X1; 80-85 is a range
            continue
        text = "".join(piece.text for piece in part if piece.text not in _DASHES).upper()
        text = text.translate(_CYRILLIC_X)
        if len(text) == _TEMPO_DIGITS and _is_tempo(text, marked=marked):
            return length, _token("TEMPO", text, part[0], part[-1])
    return None


def _is_tempo(text: str, *, marked: bool) -> bool:
    digits = text.replace("X", "")
    if not digits.isdigit() or len(digits) < _TEMPO_DIGITS - 1:
        return False
    return marked or (text[2] == "X" and text[0] in "2345" and text[-1] in "0123")


def _sign(pieces: Sequence[Raw], at: int) -> tuple[int, Token | None]:
    piece = pieces[at]
    dots = pieces[at : at + 3]
    if [one.text for one in dots] == ["."] * 3:
        return 3, _token("DOTS", "...", piece, dots[-1])
    terminal = _terminal(pieces, at)
    return 1, _token(terminal, piece.text, piece, piece) if terminal else None


def _terminal(pieces: Sequence[Raw], at: int) -> str | None:
    """None for a sign that says nothing, as a smiley."""
    text = pieces[at].text
    tight = pieces[at].tight and _tight(pieces, at + 1) is not None
    if text in _DASHES:
        return "DASH" if tight else "GAP"
    if text in _JOINTS:
        joins = tight or (text == "/" and _tight(pieces, at + 1) is not None)
        return _JOINTS[text][0 if joins else 1]
    behind_number = pieces[at].tight and at > 0 and pieces[at - 1].kind == "number"
    if behind_number and text in _PRIMES:
        return "PRIME"
    if behind_number and text in _DOUBLE_PRIMES:
        return "DPRIME"
    return _SIGNS.get(text)


def _tight(pieces: Sequence[Raw], at: int) -> Raw | None:
    return pieces[at] if at < len(pieces) and pieces[at].tight else None


def _chained(tokens: list[Token]) -> list[Token]:
    """21 - 15 - 9 and 21, 15, 9 are one series, though written with blanks."""
    for at, token in enumerate(tokens):
        if token.type in _CHAINED and _chain(tokens, at) >= _CHAIN:
            _join(tokens, at, token.type)
    return tokens


def _chain(tokens: Sequence[Token], at: int) -> int:
    """How many numbers hang together by this separator, from the one before it on."""
    kinds = [token.type for token in tokens[max(at - 1, 0) :]]
    if at == 0 or kinds[0] != "NUM":
        return 0
    links = zip(kinds[1::2], kinds[2::2], strict=False)
    return 1 + len(list(takewhile(lambda link: link == (kinds[1], "NUM"), links)))


def _join(tokens: list[Token], at: int, separator: str) -> None:
    while at + 1 < len(tokens) and tokens[at].type == separator and tokens[at + 1].type == "NUM":
        joint = Token(_CHAINED[separator], "", start_pos=tokens[at].start_pos)
        joint.end_pos = tokens[at].end_pos
        tokens[at] = joint
        at += 2
