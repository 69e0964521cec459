"""A section with its movements dosed: what its lines say about how it is done."""

from dataclasses import dataclass, field
from typing import Final

from app.workouts.structure import Remark
from app.workouts.terms import SchemeType
from app.workouts.text.amounts import Amount
from app.workouts.text.dosing import Dosed, Fields
from app.workouts.text.drafts import SectionDraft
from app.workouts.text.phrases import Cap, Ladder, On, Rounds, Sets, Times, Total

_LOOSE: Final = frozenset(("warmup", "mobility", "cooldown", "skill"))
"""Kinds of section that are not against a clock unless one is named."""
_MOST: Final = 60


@dataclass(slots=True)
class Setting:
    """A section with its movements dosed, and what has to be said about how it was read."""

    draft: SectionDraft
    dosed: list[Dosed]
    named: SchemeType | None = None
    """How the benchmark is scored that the text names."""
    assumed: list[Remark] = field(default_factory=list)
    unsure_of: list[Remark] = field(default_factory=list)

    @property
    def rounds(self) -> int | None:
        """However the number of rounds is said."""
        one = self.draft.one(Rounds)
        if one is not None and one.number is not None:
            return one.number
        on = self.draft.one(On)
        for other in (self.draft.one(Times), self.draft.one(Sets)):
            if other is not None:
                return other.number
        return on.times if on else None

    @property
    def total(self) -> int | None:
        """A time that is said for all of it."""
        one = self.draft.one(Total)
        return one.seconds if one else next(iter(self.draft.times), None)

    @property
    def sets(self) -> int | None:
        found = (dosed.sets for dosed in self.dosed if dosed.sets)
        return next(found, None)

    @property
    def for_time(self) -> bool:
        one = self.draft.one(Rounds)
        return self.draft.says("FORTIME", "CHIPPER") or (one is not None and one.for_time)

    @property
    def on_clock(self) -> bool:
        return self.for_time or self.draft.one(Cap) is not None

    @property
    def is_lift(self) -> bool:
        """One exercise with a bar, or a complex of such."""
        lifts = [one.known is not None and one.known.is_lift for one in self.dosed]
        return bool(lifts) and all(lifts)

    @property
    def is_loose(self) -> bool:
        mobile = [one.known is not None and one.known.category == "mobility" for one in self.dosed]
        return self.draft.header in _LOOSE or (bool(mobile) and all(mobile))

    @property
    def steps(self) -> "Steps | None":
        """The numbers of repetitions from round to round."""
        ladder = self.draft.one(Ladder)
        if ladder is not None and ladder.amount is not None:
            return _steps(ladder.amount, down=ladder.down, pyramid=ladder.pyramid)
        own = [one.fields.get("series") for one in self.dosed]
        shared = self.on_clock or (len(own) > 1 and len(set(own)) == 1)
        series = [much.amount for much in self.draft.series] or [
            one for one in own if one and shared
        ]
        return _steps(series[0], ranged=False) if series else None


@dataclass(frozen=True, slots=True)
class Steps:
    values: tuple[int, ...]
    open: bool = False

    @property
    def ladder(self) -> Fields:
        step = self.values[1] - self.values[0] if len(self.values) > 1 else 1
        return {"start": self.values[0], "step": step}


def _steps(
    amount: Amount, *, down: bool | None = None, pyramid: bool = False, ranged: bool = True
) -> Steps | None:
    values = tuple(value for value in amount.whole if value > 0)
    if not values:
        return None
    if ranged and len(values) == 2 and not amount.open:  # noqa: PLR2004 - from and to
        low, high = sorted(values)
        falls = down if down is not None else values[0] > values[1]
        up = tuple(range(low, min(high, low + _MOST) + 1))
        values = tuple(reversed(up)) if falls else up
    if pyramid:
        values = (*values, *reversed(values[:-1]))
    return Steps(values[:_MOST], open=amount.open)
