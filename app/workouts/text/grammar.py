"""Parsing a line by the two grammars: figures into amounts, amounts and words into phrases."""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from lark import Lark, Token, Tree, UnexpectedInput
from lark.common import LexerConf
from lark.lexer import Lexer

from app.workouts.text.amounts import Amount, terminal_of
from app.workouts.text.doses import Doses
from app.workouts.text.manners import Manners
from app.workouts.text.phrases import Break, Glue, Meaning, Phrase, Strange
from app.workouts.text.sums import Sums
from app.workouts.text.tokens import SEPARATORS

_GLUE: Final = frozenset(
    ("FILLER", "OF", "WITH", "FOR", "TO", "IN", "AT", "X", "EQ", "PER", "ALL", "ON")
)
_LONGEST: Final = 40
"""Tokens of one phrase; a series is the longest there is."""

Munch = tuple[int, Tree[Token]]


class _Given(Lexer):
    """Passes on the tokens that it is given."""

    def __init__(self, conf: LexerConf) -> None: ...

    def lex(self, data: Sequence[Token]) -> Iterator[Token]:  # type: ignore[override]  # lark hands on what parse() was given
        yield from data


@cache
def _parser(name: str, start: str) -> Lark:
    text = files("app.workouts.text").joinpath(f"{name}.lark").read_text(encoding="utf-8")
    return Lark(text, start=start, parser="lalr", lexer=_Given, maybe_placeholders=False)


class _Meanings(Manners, Doses):
    """Of whatever a phrase says."""


def phrases_in(tokens: Sequence[Token]) -> list[Phrase]:
    """What the tokens of a line say, without a gap: what no phrase takes is strange."""
    return list(_phrases(amounts_in(tokens)))


def amounts_in(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with all figures joined to amounts, which are the tokens' values."""
    return list(_amounts(tokens))


def _amounts(tokens: Sequence[Token]) -> Iterator[Token]:
    at = 0
    while at < len(tokens):
        length, tree = _longest(_parser("quantity", "quantity"), tokens[at : at + _LONGEST])
        if tree is None:
            yield tokens[at]
            at += 1
            continue
        amount: Amount = Sums().transform(tree)
        yield _amount_token(amount, tokens[at], tokens[at + length - 1])
        at += length


def _amount_token(amount: Amount, first: Token, last: Token) -> Token:
    token = Token(terminal_of(amount), "", start_pos=first.start_pos, end_pos=last.end_pos)
    token.value = amount
    return token


def _phrases(tokens: Sequence[Token]) -> Iterator[Phrase]:
    at = 0
    while at < len(tokens):
        length, tree = _longest(_parser("phrase", "start"), tokens[at : at + _LONGEST])
        if tree is None:
            length, meaning = 1, _alone(tokens[at])
        else:
            meaning = _Meanings().transform(tree)
        first, last = tokens[at], tokens[at + length - 1]
        yield Phrase(meaning, first.start_pos or 0, last.end_pos or 0)
        at += length


def _alone(token: Token) -> Meaning:
    if token.type in SEPARATORS:
        return Break(token.type)
    return Glue() if token.type in _GLUE else Strange("")


def _longest(parser: Lark, tokens: Sequence[Token]) -> tuple[int, Tree[Token] | None]:
    """The longest beginning of the tokens that is a sentence, and its tree."""
    for end in reversed(list(_ends(parser, tokens))):
        try:
            return end, parser.parse(tokens[:end])
        except UnexpectedInput:
            continue
    return 0, None


def _ends(parser: Lark, tokens: Sequence[Token]) -> Iterator[int]:
    """Where a sentence may end."""
    walk = parser.parse_interactive()
    for end, token in enumerate(tokens, 1):
        try:
            walk.feed_token(token)
        except UnexpectedInput:
            return
        if "$END" in walk.choices():  # type: ignore[no-untyped-call]  # lark types it not
            yield end
