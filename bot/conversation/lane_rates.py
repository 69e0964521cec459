"""How turns were routed, and how often that was right: counted from their rows and their calls."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from bot.conversation.models import Turn, UsageRow


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneRates:
    """Of turns that cost something; rates are shares from 0 to 1, None of nothing.

    A quick look hits where the small model answered by it alone. It was the wrong route where the
    main model had to go on although a look-up had run. A look that chose none costs its call and
    is neither.
    """

    turns: int
    looked: int
    """Turns whose words the quick route was asked about."""
    quick: int
    read: int
    act: int
    wrong_quick: int
    wrong_read: int
    """Reading turns that were handed over."""
    micros: dict[str, int]
    """By lane; `unrouted` where routing was off."""

    @property
    def hit_rate(self) -> float | None:
        return _share(self.quick - self.wrong_quick, self.looked)

    @property
    def wrong_route_rate(self) -> float | None:
        return _share(self.wrong_quick, self.quick)

    @property
    def hand_over_rate(self) -> float | None:
        return _share(self.wrong_read, self.read)


def lane_rates(session: Session, *, day: date | None = None) -> LaneRates:
    """Of the org's turns; of one local day, those with a call booked on it."""
    calls = select(
        UsageRow.turn_id,
        func.sum(UsageRow.cost_micros).label("micros"),
        func.bool_or(UsageRow.detail["kind"].astext == "quick").label("looked"),
    ).group_by(UsageRow.turn_id)
    if day is not None:
        calls = calls.where(UsageRow.day == day)
    of = calls.subquery()
    kinds = select(
        Turn.lane,
        Turn.handed_over,
        func.count(),
        func.sum(of.c.micros),
        func.count().filter(of.c.looked),
    )
    rows = session.execute(
        kinds.join(of, of.c.turn_id == Turn.id).group_by(Turn.lane, Turn.handed_over)
    ).all()
    counts: dict[tuple[str | None, bool], int] = {
        (lane, handed): count for lane, handed, count, _, _ in rows
    }
    micros: dict[str, int] = {}
    for lane, _, _, cost, _ in rows:
        micros[lane or "unrouted"] = micros.get(lane or "unrouted", 0) + int(cost)

    def counted(lane: str) -> int:
        return counts.get((lane, False), 0) + counts.get((lane, True), 0)

    return LaneRates(
        turns=sum(counts.values()),
        looked=sum(row[4] for row in rows),
        quick=counted("quick"),
        read=counted("read"),
        act=counted("act"),
        wrong_quick=counts.get(("quick", True), 0),
        wrong_read=counts.get(("read", True), 0),
        micros=micros,
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
