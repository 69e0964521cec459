"""The formulas of money and of risk, by exact fractions: rounding comes last. Pure."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple
from uuid import UUID

from app.memberships.terms import PeriodUnit

MONTHS_A_PERIOD: Final[Mapping[PeriodUnit, Fraction]] = {
    PeriodUnit.WEEK: Fraction(12, 52),
    PeriodUnit.MONTH: Fraction(1),
    PeriodUnit.YEAR: Fraction(12),
}
HIGH, MEDIUM = 60, 35
"""Scores from which a member's risk is high, and medium."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A paid membership at one instant; frozen, it brings in nothing."""

    membership_id: UUID
    member_id: UUID
    plan_id: UUID
    monthly: Fraction
    """Agorot a month, if it isn't frozen."""
    frozen: bool


@dataclass(frozen=True, slots=True)
class Movement:
    """What moved recurring revenue between two instants, in agorot; losses are positive too."""

    new: Fraction = Fraction(0)
    reactivation: Fraction = Fraction(0)
    expansion: Fraction = Fraction(0)
    unfreeze: Fraction = Fraction(0)
    contraction: Fraction = Fraction(0)
    freeze: Fraction = Fraction(0)
    churn: Fraction = Fraction(0)


LOSSES: Final = ("contraction", "freeze", "churn")


@cache
def monthly(price_minor: int, unit: PeriodUnit | None, count: int) -> Fraction:
    """A price as an amount a month; a fixed term's is spread over its months."""
    return Fraction(price_minor) / (MONTHS_A_PERIOD[unit or PeriodUnit.MONTH] * count)


def revenue(standings: Iterable[Standing]) -> Fraction:
    """Monthly recurring revenue; what has the same denominator is added up as whole numbers."""
    numerators: dict[int, int] = defaultdict(int)
    for one in standings:
        if not one.frozen:
            numerators[one.monthly.denominator] += one.monthly.numerator
    return sum((Fraction(top, bottom) for bottom, top in numerators.items()), Fraction(0))


def paying(standings: Iterable[Standing]) -> set[UUID]:
    """The members who pay."""
    return {one.member_id for one in standings if not one.frozen}


def movement(
    before: Sequence[Standing], after: Sequence[Standing], paid_earlier: Collection[UUID]
) -> dict[UUID, Movement]:
    """Each member's, where there is any. `paid_earlier` paid at some time before the first."""
    firsts, lasts = _by_member(before), _by_member(after)
    moved = {
        member: _of_member(
            firsts.get(member, {}), lasts.get(member, {}), paid=member in paid_earlier
        )
        for member in firsts.keys() | lasts.keys()
        if firsts.get(member) != lasts.get(member)
    }
    return {member: one for member, one in moved.items() if one != Movement()}


def total(movements: Iterable[Movement]) -> Movement:
    found = list(movements)
    return Movement(
        **{
            field.name: sum((getattr(one, field.name) for one in found), Fraction(0))
            for field in fields(Movement)
        }
    )


def agorot(amount: Fraction) -> int:
    """To the nearest, a half up."""
    return (2 * amount.numerator + amount.denominator) // (2 * amount.denominator)


def rounded(moved: Movement, start: int, end: int) -> dict[str, int]:
    """Whole agorot that lead from `start` to `end` exactly.

    Each is rounded down or up, those with the largest rest up, until the sum is right.
    """
    signed = {
        field.name: getattr(moved, field.name) * (-1 if field.name in LOSSES else 1)
        for field in fields(Movement)
    }
    floors = {name: amount.numerator // amount.denominator for name, amount in signed.items()}
    short = end - start - sum(floors.values())
    rests = sorted(signed, key=lambda name: floors[name] - signed[name])
    for name in rests[: max(0, short)]:
        floors[name] += 1
    return {name: -amount if name in LOSSES else amount for name, amount in floors.items()}


def percent(part: float | Fraction, whole: float | Fraction) -> float | None:
    """Of 100; None where there is nothing to measure by."""
    return None if not whole else float(100 * part / whole)


class Signs(NamedTuple):
    """What is known of a member who may leave; visits are a week's."""

    days_since: int
    median_gap: float | None
    base: float
    recent: float
    failed: bool
    expiring: bool
    booked_ahead: bool


def reasons(signs: Signs, threshold_days: int) -> list[str]:
    """Why a member is flagged; none: they aren't."""
    patience = max(threshold_days, 2.5 * (signs.median_gap or 0))
    found = {
        "away": signs.days_since >= patience,
        "fewer_visits": signs.base >= 1 and signs.recent <= signs.base / 2,
        "failed_payment": signs.failed,
        "expiring": signs.expiring,
    }
    return [name for name, so in found.items() if so]


def score(signs: Signs) -> int:
    """0 to 100."""
    away = 40 * min(signs.days_since / 21, 1.0)
    dropped = 30 * max(0.0, 1 - signs.recent / signs.base) if signs.base else 0.0
    points = away + dropped + 15 * signs.failed + 15 * signs.expiring - 10 * signs.booked_ahead
    return max(0, round(points))


def _by_member(standings: Sequence[Standing]) -> dict[UUID, dict[UUID, Standing]]:
    found: dict[UUID, dict[UUID, Standing]] = defaultdict(dict)
    for one in standings:
        found[one.member_id][one.membership_id] = one
    return found


def _of_member(
    firsts: Mapping[UUID, Standing], lasts: Mapping[UUID, Standing], *, paid: bool
) -> Movement:
    """Freezes are set apart, membership by membership; the rest is one step of the member's."""
    frozen = sum((one.monthly for key, one in firsts.items() if _froze(one, lasts.get(key))), _NONE)
    thawed = sum(
        (one.monthly for key, one in lasts.items() if _thawed(firsts.get(key), one)), _NONE
    )
    start, end = revenue(firsts.values()) - frozen, revenue(lasts.values()) - thawed
    kind = _kind(start, end, had=bool(firsts), has=bool(lasts), paid=paid)
    step = {} if kind is None else {kind: abs(end - start)}
    return Movement(freeze=frozen, unfreeze=thawed, **step)


_NONE: Final = Fraction(0)


def _froze(first: Standing, last: Standing | None) -> bool:
    return not first.frozen and last is not None and last.frozen


def _thawed(first: Standing | None, last: Standing) -> bool:
    return first is not None and first.frozen and not last.frozen


def _kind(start: Fraction, end: Fraction, *, had: bool, has: bool, paid: bool) -> str | None:
    """Where a frozen membership stays beside, nobody came or went."""
    if start == end:
        return None
    if not start and not had:
        return "reactivation" if paid else "new"
    if not end and not has:
        return "churn"
    return "expansion" if end > start else "contraction"
