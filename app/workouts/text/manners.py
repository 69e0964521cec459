"""From the tree of a phrase to its meaning: how something is done."""

from collections.abc import Iterable, Iterator
from typing import Final

from lark import Token, Transformer

from app.workouts.text.amounts import Amount
from app.workouts.text.lexicon import Sense
from app.workouts.text.phrases import (
    Amrap,
    Cap,
    Carry,
    Every,
    Find,
    Ladder,
    LadderStep,
    Meaning,
    Minuted,
    Mode,
    Named,
    Off,
    On,
    PerStation,
    Place,
    Plain,
    Rest,
    Rounds,
    ScoreBy,
    Sets,
    Slot,
    Stations,
    Tabata,
    Times,
    Together,
    Total,
    Vest,
    Week,
)

_MINUTE: Final = 60
_SHORT: Final = 15
"""A bare number of this size or more is seconds, where minutes would be a day's work."""
_PLACES: Final[dict[str, Place]] = {"BETWEEN": "between", "AFTER": "after"}
_HARDEST: Final = 10
"""The effort at which no repetition is left in reserve."""

Where = tuple[Place, str | None]
Parts = list[Token | Where]


class Manners(Transformer[Token, Meaning]):
    """Each method is the rule of its name."""

    def amrap(self, parts: Parts) -> Amrap:
        return Amrap(_minutes(parts))

    def amraps(self, parts: Parts) -> Amrap:
        first, *rest = _amounts(parts)
        return Amrap(_in_minutes(rest[0]) if rest else None, _int(first))

    def emom(self, parts: Parts) -> Every:
        return Every(_MINUTE, total=_minutes(parts), minute=True)

    def emom_rounds(self, parts: Parts) -> Every:
        return Every(_MINUTE, rounds=_int(_amounts(parts)[0]), minute=True)

    def every(self, parts: Parts) -> Every:
        return Every(_minutes(parts) or _MINUTE)

    def every_rounds(self, parts: Parts) -> Every:
        *interval, number = _amounts(parts)
        return Every(_in_minutes(interval[0]) if interval else _MINUTE, rounds=_int(number))

    def rounds_every(self, parts: Parts) -> Every:
        number, *interval = _amounts(parts)
        return Every(_in_minutes(interval[0]) if interval else _MINUTE, rounds=_int(number))

    def every_for(self, parts: Parts) -> Every:
        *interval, total = _amounts(parts)
        every = _in_minutes(interval[0]) if interval else _MINUTE
        return Every(every, total=_in_minutes(total))

    def for_every(self, parts: Parts) -> Every:
        total, *interval = _amounts(parts)
        every = _in_minutes(interval[0]) if interval else _MINUTE
        return Every(every, total=_in_minutes(total))

    def total(self, parts: Parts) -> Total:
        return Total(_in_minutes(_amounts(parts)[0]))

    def rounds(self, parts: Parts) -> Rounds:
        amount = _amounts(parts)[0]
        return Rounds(_last(amount), ranged=_ranged(amount))

    def rft(self, parts: Parts) -> Rounds:
        amounts = _amounts(parts)
        return Rounds(_int(amounts[0]) if amounts else None, for_time=True)

    def rfq(self, parts: Parts) -> Rounds:
        amounts = _amounts(parts)
        return Rounds(_int(amounts[0]) if amounts else None, for_quality=True)

    def tabata(self, parts: Parts) -> Tabata:
        amounts = _amounts(parts)
        return Tabata(_int(amounts[0]) if amounts else None)

    def on(self, parts: Parts) -> On:
        *times, work = _amounts(parts)
        return On(_work(work), _int(times[0]) if times else None)

    def off(self, parts: Parts) -> Off:
        return Off(_work(_amounts(parts)[0]))

    def per_station(self, parts: Parts) -> PerStation:
        return PerStation(_in_seconds(_amounts(parts)[0]))

    def stations(self, parts: Parts) -> Stations:
        amounts = _amounts(parts)
        return Stations(_int(amounts[0]) if amounts else None)

    def rest(self, parts: Parts) -> Rest | PerStation:
        words = {part.type for part in parts if isinstance(part, Token)}
        amounts = _amounts(parts)
        place, what = next(_wheres(parts), (None, None))
        seconds = _in_seconds(amounts[0]) if amounts else None
        if seconds and "REST" not in words and place == "each" and what in {"STATION", "MOVEMENT"}:
            return PerStation(seconds)
        if seconds is None and "MINUTE" in words:
            seconds = _MINUTE
        ratio = next((part.value for part in _tokens(parts) if part.type == "RATIO"), None)
        if "EQUALWORK" in words or ratio == "1:1":
            return Rest(rule="equal_to_work", place=place, what=what)
        rule = "as_needed" if "ASNEEDED" in words else None
        return Rest(seconds, "as_needed" if rule else None, place, what, ratio)

    def where(self, parts: list[Token | str]) -> Where:
        words = [part.type for part in parts if isinstance(part, Token)]
        place: Place = next((_PLACES[word] for word in words if word in _PLACES), "each")
        what = next((part for part in parts if not isinstance(part, Token)), None)
        return place, what

    def what(self, parts: list[Token]) -> str:
        return str(parts[0].type)

    def cap(self, parts: Parts) -> Cap:
        return Cap(_minutes(parts) or _MINUTE)

    def ladder(self, parts: Parts) -> Ladder:
        words = {part.type for part in _tokens(parts)}
        amounts = _amounts(parts)
        down = True if "DOWN" in words else False if "UP" in words else None
        return Ladder(down, amounts[0] if amounts else None, pyramid="PYRAMID" in words)

    def ladder_step(self, parts: Parts) -> LadderStep:
        return LadderStep(_int(_amounts(parts)[0]))

    def step(self, parts: Parts) -> Minuted:
        reps, minute = _amounts(parts)
        return Minuted(_int(reps), _int(minute))

    def find(self, parts: Parts) -> Find:
        words = {part.type: part for part in _tokens(parts)}
        amounts = _amounts(parts)
        if "MAXIMUM" in words:
            return Find(f"{_last(amounts[0])}rm", _last(amounts[0]))
        if "HEAVYREPS" in words:
            return Find("heavy", int(_value(words["HEAVYREPS"])))
        if "HEAVY" in words:
            return Find("heavy", _int(amounts[0]) if amounts else None)
        return Find("1rm", 1)

    def slot(self, parts: Parts) -> Slot:
        words = {part.type: part for part in _tokens(parts)}
        if "ODD" in words or "EVEN" in words:
            return Slot((1 if "ODD" in words else 2,), of=2)
        if "ORDINAL" in words:
            return Slot((int(_value(words["ORDINAL"])),))
        amounts = _amounts(parts)
        if len(amounts) == 1 and _ranged(amounts[0]):
            first, last = amounts[0].whole[:2]
            return Slot(tuple(range(first, min(last, first + _MINUTE) + 1)) or (first,))
        return Slot(tuple(value for amount in amounts for value in amount.whole))

    def partner(self, parts: Parts) -> Together:
        pairs = next((part for part in _tokens(parts) if part.type == "PAIRS"), None)
        amounts = _amounts(parts)
        if pairs is not None:
            return Together(int(_value(pairs)))
        return Together(_int(amounts[0]) if amounts else None)

    def vest(self, parts: Parts) -> Vest:
        amounts = _amounts(parts)
        return Vest(amounts[0] if amounts else None)

    def score(self, parts: Parts) -> ScoreBy | Plain:
        rule = next((part for part in _tokens(parts) if part.type == "SCORERULE"), None)
        if rule is not None:
            return ScoreBy(_value(rule))
        return Plain("SCORED", list(_tokens(parts))[-1].type)

    def sets(self, parts: Parts) -> Sets:
        amount = _amounts(parts)[0]
        return Sets(_last(amount), ranged=_ranged(amount))

    def times(self, parts: Parts) -> Times:
        return Times(_int(_amounts(parts)[0]))

    def named(self, parts: list[Token]) -> Named:
        words = {part.type: part for part in parts}
        return Named(_value(words["BENCHMARK"]), style="STYLE" in words)

    def week(self, parts: Parts) -> Week:
        return Week(_int(_amounts(parts)[0]))

    def plain(self, parts: list[Token]) -> Meaning:
        token = parts[0]
        value = _value(token)
        match token.type:
            case "SCORERULE":
                return ScoreBy(value)
            case "MODE":
                return Mode(value)
            case "CARRY":
                return Carry(value == "yes")
            case _:
                return Plain(token.type, value)


def _tokens(parts: Iterable[object]) -> Iterator[Token]:
    return (part for part in parts if isinstance(part, Token))


def _amounts(parts: Iterable[object]) -> list[Amount]:
    return [part.value for part in _tokens(parts) if isinstance(part.value, Amount)]


def _wheres(parts: Iterable[object]) -> Iterator[Where]:
    return (part for part in parts if isinstance(part, tuple))


def _value(token: Token) -> str:
    """What tells the phrases of one terminal apart."""
    return token.value.value if isinstance(token.value, Sense) else str(token.value)


def _int(amount: Amount) -> int:
    return int(amount.first)


def _last(amount: Amount) -> int:
    """Of a range, the most."""
    return int(amount.values[-1])


def _ranged(amount: Amount) -> bool:
    return len(amount.figures) > 1


def _minutes(parts: Iterable[object]) -> int | None:
    """A clock's time, where a bare number is minutes; None where none is said."""
    parts = list(parts)
    amounts = _amounts(parts)
    if amounts:
        return _in_minutes(amounts[0])
    return _MINUTE if any(token.type == "MINUTE" for token in _tokens(parts)) else None


def _in_minutes(amount: Amount) -> int:
    return amount.seconds[-1] if amount.unit else round(amount.first * _MINUTE)


def _in_seconds(amount: Amount) -> int:
    """Of a rest or a station: 90 is seconds, 2 is minutes."""
    if amount.unit:
        return amount.seconds[-1]
    return round(amount.first if amount.first >= _SHORT else amount.first * _MINUTE)


def _work(amount: Amount) -> int:
    """Of 20 on, 10 off: bare numbers are seconds."""
    return amount.seconds[-1] if amount.unit else int(amount.first)
