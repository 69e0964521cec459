"""Lines of what somebody is to lift: the share of their best, and what that comes to."""

from app.programs.queries.lifts import K, Loaded
from tools.kit.cards import TableRow
from tools.kit.values import Name, Percent, Value, Weight

COLUMNS = ("label.lift", "label.percent", "label.load")
"""After what the lines are of: a week, a day."""


def rows(one: Loaded[K], of: Value) -> tuple[TableRow, ...]:
    """A line a set; without a best on file the percentage alone."""
    return tuple(
        TableRow(
            id=f"{one.of}-{one.share.lift}-{number}",
            cells=(of, lift(one.share.lift), Percent(value=percent), _weight(one, number)),
        )
        for number, percent in enumerate(one.share.percents)
    )


def lift(slug: str) -> Name:
    return Name(text=slug.replace("_", " "))


def _weight(one: Loaded[K], number: int) -> Weight | None:
    return Weight(grams=one.grams[number], unit=one.unit.value) if one.grams else None
