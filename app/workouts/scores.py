"""Scores as coaches write them, and which of two is the better one."""

import re
from dataclasses import dataclass
from typing import Final

from lark import Token

from app.workouts.errors import BadScore
from app.workouts.terms import ScoreType, WeightUnit
from app.workouts.text.amounts import METRES, Amount
from app.workouts.text.grammar import amounts_in
from app.workouts.text.tokens import Tokens
from app.workouts.weights import grams_of

_CLOCK: Final = re.compile(r"(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?:\.(\d{1,3}))?")
_MOST: Final = {
    ScoreType.TIME: 24 * 3_600_000,
    ScoreType.ROUNDS_REPS: 10_000,
    ScoreType.REPS: 100_000,
    ScoreType.LOAD: 2_000_000,
    ScoreType.DISTANCE: 500_000,
    ScoreType.CALORIES: 10_000,
}


@dataclass(frozen=True, slots=True)
class Score:
    """`value` in milliseconds, reps (beyond whole rounds), grams, metres or calories."""

    type: ScoreType
    value: int
    rounds: int | None = None
    capped: bool = False
    """The clock ran out; the value is the repetitions done by then, or below zero those left."""
    unit: WeightUnit | None = None
    reps: int | None = None
    """Of a load: how often it was lifted."""

    def beats(self, other: "Score") -> bool:
        """Whether it is better; of two kinds of score neither is."""
        return self.type is other.type and self.rank > other.rank

    @property
    def rank(self) -> tuple[int, int, int]:
        """The more, the better; a time is the better the shorter."""
        if self.type is ScoreType.TIME:
            return (0, 0, self.value) if self.capped else (1, -self.value, 0)
        return (1, self.rounds or 0, self.value)


def read_score(text: str, type_: ScoreType, unit: WeightUnit) -> Score:
    """A score of that kind; of none in particular, it must say what it counts.

    A bare weight is in `unit`. Raises BadScore.
    """
    tokens = amounts_in(Tokens().of(text))
    kind = _sniffed(text, tokens) if type_ is ScoreType.NONE else type_
    found = _READERS[kind](text.strip(), tokens, unit) if kind is not None else None
    if found is None or not _is_likely(found):
        raise BadScore(score=text, wanted=type_.value)
    return found


def _is_likely(score: Score) -> bool:
    rounds = (score.rounds or 0) <= _MOST[ScoreType.ROUNDS_REPS]
    return rounds and abs(score.value) <= _MOST[score.type]


def _sniffed(text: str, tokens: list[Token]) -> ScoreType | None:
    kinds = {token.type for token in tokens}
    if _CLOCK.fullmatch(text.strip()) or "TIME" in kinds:
        return ScoreType.TIME
    if "ROUND" in kinds or "PLUS" in kinds or _joined(tokens):
        return ScoreType.ROUNDS_REPS
    by_unit = {"WEIGHT": ScoreType.LOAD, "METRES": ScoreType.DISTANCE, "CALS": ScoreType.CALORIES}
    return next((kind for name, kind in by_unit.items() if name in kinds), _reps_only(tokens))


def _reps_only(tokens: list[Token]) -> ScoreType | None:
    amounts = _amounts(tokens)
    return ScoreType.REPS if amounts and amounts[0].unit == "REP" else None


def _amounts(tokens: list[Token]) -> list[Amount]:
    return [token.value for token in tokens if isinstance(token.value, Amount)]


def _joined(tokens: list[Token]) -> bool:
    amounts = _amounts(tokens)
    return len(amounts) == 1 and amounts[0].joint == "+"


def _time(text: str, tokens: list[Token], _: WeightUnit) -> Score | None:
    clock = _CLOCK.fullmatch(text)
    if clock is not None:
        hours, minutes, seconds = (int(part or 0) for part in clock.groups()[:3])
        part = int((clock[4] or "0").ljust(3, "0"))
        return Score(ScoreType.TIME, ((hours * 60 + minutes) * 60 + seconds) * 1_000 + part)
    amounts = _amounts(tokens)
    timed = [token for token in tokens if token.type == "TIME"]
    if len(timed) == 1 and len(amounts) == 1:
        return Score(ScoreType.TIME, timed[0].value.seconds[0] * 1_000)
    capped = any(token.type == "CAP" for token in tokens) or _reps_only(tokens) is not None
    if not capped or len(amounts) != 1 or amounts[0].unit not in {"", "REP"}:
        return None
    left = any(token.type in {"PLUS", "JOIN"} for token in tokens)  # CAP+12: 12 were left
    return Score(ScoreType.TIME, int(amounts[0].first) * (-1 if left else 1), capped=True)


def _rounds_reps(_: str, tokens: list[Token], __: WeightUnit) -> Score | None:
    values = [value for amount in _amounts(tokens) for value in amount.whole]
    whole = any(token.type == "ROUND" for token in tokens)
    if len(values) == 1 and not whole and _reps_only(tokens):
        return Score(ScoreType.ROUNDS_REPS, values[0], rounds=0)
    if len(values) not in {1, 2}:
        return None
    return Score(ScoreType.ROUNDS_REPS, values[1] if len(values) > 1 else 0, rounds=values[0])


def _load(_: str, tokens: list[Token], unit: WeightUnit) -> Score | None:
    amounts = _amounts(tokens)
    if not amounts or amounts[0].unit not in {"", "KG", "LB"} or len(amounts[0].figures) > 1:
        return None
    own = WeightUnit(amounts[0].unit.lower()) if amounts[0].unit else unit
    reps = int(amounts[1].first) if len(amounts) > 1 else None
    return Score(ScoreType.LOAD, grams_of(amounts[0].first, own), unit=own, reps=reps)


def _distance(_: str, tokens: list[Token], __: WeightUnit) -> Score | None:
    amounts = _amounts(tokens)
    if len(amounts) != 1 or amounts[0].unit not in {"", *METRES}:
        return None
    per = METRES.get(amounts[0].unit, 1.0)
    return Score(ScoreType.DISTANCE, round(amounts[0].first * per))


def _counted(type_: ScoreType, units: frozenset[str], tokens: list[Token]) -> Score | None:
    amounts = _amounts(tokens)
    fits = len(amounts) == 1 and len(amounts[0].figures) == 1 and amounts[0].unit in units
    return Score(type_, int(amounts[0].first)) if fits else None


def _reps(_: str, tokens: list[Token], __: WeightUnit) -> Score | None:
    return _counted(ScoreType.REPS, frozenset(("", "REP")), tokens)


def _calories(_: str, tokens: list[Token], __: WeightUnit) -> Score | None:
    return _counted(ScoreType.CALORIES, frozenset(("", "CAL")), tokens)


_READERS: Final = {
    ScoreType.TIME: _time,
    ScoreType.ROUNDS_REPS: _rounds_reps,
    ScoreType.LOAD: _load,
    ScoreType.DISTANCE: _distance,
    ScoreType.REPS: _reps,
    ScoreType.CALORIES: _calories,
}
