"""Amounts: figures with their units, joined as they are written."""

from dataclasses import dataclass
from typing import Final, Literal

Joint = Literal["", "/", "-", ",", "+"]

SECONDS: Final = {"MINUTE": 60, "PRIME": 60, "SECOND": 1, "HOUR": 3_600}
METRES: Final = {
    "METRE": 1.0,
    "KM": 1_000.0,
    "K": 1_000.0,
    "MILE": 1_609.344,
    "FOOT": 0.3048,
    "YARD": 0.9144,
}
MASSES: Final = {"KG": "kg", "LB": "lb", "POOD": "pood"}
HEIGHTS: Final = {"INCH": "in", "CM": "cm"}


@dataclass(frozen=True, slots=True)
class Figure:
    value: float
    unit: str = ""
    """The terminal of its unit, if it has one."""
    at_least: bool = False
    """Written as 5+."""


@dataclass(frozen=True, slots=True)
class Amount:
    figures: tuple[Figure, ...]
    joint: Joint = ""
    open: bool = False
    """It goes on, as 2-4-6-..."""

    @property
    def values(self) -> tuple[float, ...]:
        return tuple(figure.value for figure in self.figures)

    @property
    def unit(self) -> str:
        """The unit of all of them: 43/30kg is kilograms twice."""
        return next((one.unit for one in reversed(self.figures) if one.unit), "")

    @property
    def first(self) -> float:
        return self.figures[0].value

    @property
    def second(self) -> float | None:
        return self.figures[1].value if len(self.figures) > 1 else None

    @property
    def whole(self) -> tuple[int, ...]:
        return tuple(int(value) for value in self.values)

    @property
    def seconds(self) -> tuple[int, ...]:
        """Of a time."""
        own = SECONDS[self.unit]
        per = [SECONDS.get(figure.unit, own) for figure in self.figures]
        return tuple(round(one * each) for one, each in zip(self.values, per, strict=True))


def terminal_of(amount: Amount) -> str:
    """What the amount is among the phrases."""
    unit = amount.unit
    if unit in SECONDS:
        return "TIME" if len(amount.figures) == 1 or amount.joint == "-" else "TIMES"
    return _BY_UNIT.get(unit) or _bare(amount)


_BY_UNIT: Final = {
    **dict.fromkeys(METRES, "METRES"),
    **dict.fromkeys(MASSES, "WEIGHT"),
    **dict.fromkeys(HEIGHTS, "HEIGHT"),
    "DPRIME": "QUOTES",
    "CAL": "CALS",
    "PERCENT": "PERCENTS",
    "RM": "MAXIMUM",
    "RIR": "RESERVE",
}
_TWO: Final = 2


def _bare(amount: Amount) -> str:
    if amount.open or len(amount.figures) > _TWO:
        return "SERIES"
    match amount:
        case Amount(figures=(one,)):
            return "OPENSET" if one.at_least else "COUNT"
        case Amount(joint="/"):
            return "PAIR"
        case Amount(joint="-"):
            return "RANGE"
        case _:
            return "SERIES"
