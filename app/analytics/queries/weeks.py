"""The gym's week, in SQL."""

from typing import Any

from sqlalchemy import Integer, cast, func


def first_of_week(day: Any, week_start: int) -> Any:  # noqa: ANN401 - expressions of SQL
    """The day that begins a day's week; `week_start` as the org has it, 0 is Sunday."""
    sunday_first = cast(func.extract("dow", day), Integer)
    return day - (sunday_first - week_start + 7) % 7
