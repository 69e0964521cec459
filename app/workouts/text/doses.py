"""From the tree of a phrase to its meaning: how much of what."""

from typing import Final

from lark import Token, Transformer

from app.workouts.text.amounts import Amount
from app.workouts.text.lexicon import Sense
from app.workouts.text.phrases import (
    Alternating,
    Basis,
    Burn,
    Effort,
    Held,
    Lifted,
    Meaning,
    Most,
    Move,
    Much,
    OwnWeight,
    PerSide,
    Remark,
    RestMove,
    SetsOf,
    Tempo,
)

_HANDS: Final = 2
_HARDEST: Final = 10
"""The effort at which no repetition is left in reserve."""


class Doses(Transformer[Token, Meaning]):
    """Each method is the rule of its name."""

    def amount(self, parts: list[Token]) -> Much:
        return Much(parts[-1].type, parts[-1].value, at=len(parts) > 1)

    def sets_of(self, parts: list[Token | Much | Most]) -> SetsOf | Held | Lifted:
        sets = amounts(parts)[0]
        of = parts[-1] if isinstance(parts[-1], Much) else None
        number = int(sets.first)
        if of is not None and number <= _HANDS and _is_weight(of):
            return Held("", number, of)
        if of is not None and of.kind == "WEIGHT":
            return Lifted(number, of)
        return SetsOf(int(sets.values[-1]), of, ranged=len(sets.figures) > 1)

    def reps_by_sets(self, parts: list[Token]) -> SetsOf:
        reps, sets = amounts(parts)
        return SetsOf(int(sets.first), Much(parts[0].type, reps))

    def burn(self, parts: list[Token]) -> Burn:
        most = parts[0].type in {"MAX", "FOR"}
        return Burn(next(iter(amounts(parts)), None), most=most)

    def most(self, parts: list[Token]) -> Most:
        unit = parts[-1].type
        return Most(unit if unit in {"METRE", "KM"} else "")

    def at_load(self, parts: list[Token]) -> Much:
        return Much(parts[-1].type, parts[-1].value, at=True)

    def percent(self, parts: list[Token]) -> Much:
        return Much(parts[-1].type, parts[-1].value, at=len(parts) > 1)

    def basis(self, parts: list[Token]) -> Basis:
        match parts[-1]:
            case Token(type="TM"):
                return Basis("training_max")
            case Token(type="MAXIMUM", value=Amount() as amount):
                return Basis(f"{int(amount.first)}rm")
            case other:
                return Basis(value(other))

    def rpe(self, parts: list[Token]) -> Effort:
        amount = amounts(parts)[0]
        if any(part.type == "RESERVE" for part in parts):
            return Effort(tuple(_HARDEST - one for one in reversed(amount.values)))
        return Effort(amount.values)

    def bodyweight(self, parts: list[Token]) -> OwnWeight:
        found = amounts(parts)
        return OwnWeight(found[0].values if found else (1.0,))

    def tempo(self, parts: list[Token]) -> Tempo:
        return Tempo(str(parts[-1].value))

    def implement(self, parts: list[Token]) -> Held:
        words = {part.type: part for part in parts}
        load = next((part for part in parts if part.type in {"WEIGHT", "PAIR"}), None)
        if "DOUBLE" in words:
            number: int | None = int(value(words["DOUBLE"]))
        else:
            number = int(words["COUNT"].value.first) if "COUNT" in words else None
        much = None if load is None else Much(load.type, load.value)
        return Held(value(words["IMPL"]), number, much)

    def per_side(self, _: list[Token]) -> PerSide:
        return PerSide()

    def move(self, parts: list[Token]) -> Move:
        sense = parts[0].value
        return Move(sense.value, sense.form)

    def rest_move(self, _: list[Token]) -> RestMove:
        return RestMove()

    def move_note(self, _: list[Token]) -> Remark:
        return Remark("", of_movement=True)

    def shown(self, parts: list[Token]) -> Meaning:
        return Alternating() if parts[0].type == "ALT" else Remark("")


def amounts(parts: "list[Token] | list[Token | Much | Most]") -> list[Amount]:
    tokens = (part for part in parts if isinstance(part, Token))
    return [token.value for token in tokens if isinstance(token.value, Amount)]


def _is_weight(of: Much) -> bool:
    """2x24 kg, 2x22.5/15: what follows the sign is held, not done."""
    uneven = of.kind == "PAIR" and of.amount.first != of.amount.second
    return of.kind == "WEIGHT" or uneven


def value(token: Token) -> str:
    """What tells the phrases of one terminal apart."""
    return token.value.value if isinstance(token.value, Sense) else str(token.value)
