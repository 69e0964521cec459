"""What a card says of the holidays that its classes fall on (rule 49)."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Final

from app.schedule import holidays
from app.studio import queries as studio
from tools.kit.declare import Context
from tools.kit.values import Count, Line, Span, Term

ISRAEL: Final = "IL"
SHOWN: Final = 6


def holiday_lines(context: Context, days: Iterable[date]) -> tuple[Line, ...]:
    """One line a holiday, with its days and how many of the classes they hold; the rest counted.

    Only in Israel: elsewhere these are days like any other.
    """
    per_day = Counter(days)
    if not per_day or not _is_kept(context):
        return ()
    touched = [
        (season, sum(n for day, n in per_day.items() if season.first <= day <= season.last))
        for season in holidays.seasons(min(per_day), max(per_day))
    ]
    told = [(season, n) for season, n in touched if n]
    more = sum(n for _, n in told[SHOWN:])
    rest = (Line(key="note.more_holidays", values={"classes": Count(n=more, of="classes")}),)
    return (*(_line(season, n) for season, n in told[:SHOWN]), *(rest if more else ()))


def _is_kept(context: Context) -> bool:
    return studio.org(context.session, context.actor.org_id).phone_region == ISRAEL


def _line(season: holidays.Season, n: int) -> Line:
    return Line(
        key="note.holiday",
        values={
            "holiday": Term(key=season.key),
            "span": Span(start=season.first, end=season.last),
            "classes": Count(n=n, of="classes"),
        },
    )
