"""Rows on their way into the database, many at a time."""

from collections import defaultdict
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Table
from sqlalchemy.orm import Session

from app.core.db import Base
from app.core.ids import new_id

ZONE: Final = ZoneInfo("Asia/Jerusalem")
_AT_ONCE: Final = 5_000


class Rows:
    """Keeps what is added until there is enough of it; tables are written in the order of need."""

    def __init__(self, session: Session, org_id: UUID, now: datetime) -> None:
        self.session = session
        self.org_id = org_id
        self.now = now
        self.written = 0
        self._kept: dict[str, list[dict[str, Any]]] = defaultdict(list)

    @property
    def today(self) -> date:
        return self.now.astimezone(ZONE).date()

    def add(self, table: str, /, *, at: datetime | None = None, **values: Any) -> UUID:  # noqa: ANN401 - any columns
        """One row, written as if at `at`, also where a column is called so.

        Every row of a table must have the same columns.
        """
        row_id: UUID = new_id()
        written = at or self.now
        if "at" in Base.metadata.tables[table].c:
            values["at"] = written
        kept = {"id": row_id, "org_id": self.org_id, "version": 1, **values}
        self._kept[table].append({**kept, "created_at": written, "updated_at": written})
        return row_id

    def flush(self) -> None:
        """Write all that is kept, what others refer to first."""
        for table in Base.metadata.sorted_tables:
            found = self._kept.pop(table.name, [])
            for start in range(0, len(found), _AT_ONCE):
                self._write(table, found[start : start + _AT_ONCE])

    def _write(self, table: Table, rows: list[dict[str, Any]]) -> None:
        self.session.connection().execute(table.insert(), rows)
        self.written += len(rows)
