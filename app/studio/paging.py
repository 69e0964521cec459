"""Pages of a list: how many there are in all, and where the next page begins."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from app.core.errors import BadInput

T = TypeVar("T")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    rows: tuple[T, ...]
    total: int
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """Which part of a list is wanted; `cursor` is the one a page came with."""

    limit: int = 20
    cursor: str | None = None

    @property
    def offset(self) -> int:
        """Raises BadInput for a cursor that no page came with."""
        if self.cursor is None:
            return 0
        if not (self.cursor.isascii() and self.cursor.isdigit() and len(self.cursor) < 9):  # noqa: PLR2004 - no list is longer
            raise BadInput(fields="cursor")
        return int(self.cursor)


def page(
    session: Session, query: Select[*tuple[Any, ...]], cut: Cut, view: Callable[[Any], V]
) -> Page[V]:
    """Run a query for one page of it; `view` makes a value of each row."""
    total = session.scalar(select(func.count()).select_from(query.order_by(None).subquery())) or 0
    rows = session.execute(query.limit(cut.limit).offset(cut.offset)).all()
    return Page(tuple(map(view, rows)), total, _next(cut, len(rows), total))


def page_of(rows: list[T], cut: Cut) -> Page[T]:
    """One page of a list that is at hand as a whole."""
    part = tuple(rows[cut.offset : cut.offset + cut.limit])
    return Page(part, len(rows), _next(cut, len(part), len(rows)))


def _next(cut: Cut, shown: int, total: int) -> str | None:
    end = cut.offset + shown
    return str(end) if shown and end < total else None
