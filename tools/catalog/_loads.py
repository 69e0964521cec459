"""Lines of what somebody is to lift: the share of their best, and what that comes to."""

from collections.abc import Callable, Sequence

from app.programs.queries.lifts import K, Loaded
from tools.catalog import _workouts
from tools.kit.cards import TableRow
from tools.kit.declare import Context
from tools.kit.values import Name, Percent, Value, Weight

COLUMNS = ("label.lift", "label.percent", "label.load")
"""After what the lines are of: a week, a day."""


def rows(
    context: Context, found: Sequence[Loaded[K]], of: Callable[[K], Value]
) -> tuple[TableRow, ...]:
    """A line a set; without a best on file the percentage alone."""
    names = {lift: name(context, lift) for lift in {one.share.lift for one in found}}
    return tuple(
        TableRow(
            id=f"{one.of}-{one.share.lift}-{number}",
            cells=(
                of(one.of),
                names[one.share.lift],
                Percent(value=percent),
                _weight(one, number),
            ),
        )
        for one in found
        for number, percent in enumerate(one.share.percents)
    )


def name(context: Context, lift: str) -> Name:
    """The exercise, as the caller calls it."""
    return Name(text=_workouts.name_of(context, lift))


def _weight(one: Loaded[K], number: int) -> Weight | None:
    return Weight(grams=one.grams[number], unit=one.unit.value) if one.grams else None
