"""The studio's rows of one org, and what differs between two looks at them."""

from typing import Any, Final
from uuid import UUID

from sqlalchemy import select

from app.core.db import Base, Database

_STUDIO: Final = "app."
_TIMES: Final = frozenset({"created_at", "updated_at"})

Rows = dict[str, dict[str, dict[str, Any]]]
"""Table -> id -> columns, as JSON can hold them."""


def studio_rows(db: Database, org_id: UUID) -> Rows:
    """Every row of the studio's tables that belongs to the org."""
    with db.transaction(org_id) as session:
        return {
            table.name: {
                str(row["id"]): {
                    key: _plain(value) for key, value in row.items() if key not in _TIMES
                }
                for row in session.execute(select(table)).mappings()
            }
            for table in _tables()
        }


def difference(before: Rows, after: Rows) -> list[dict[str, Any]]:
    """What was added, changed or removed: table, id, and the columns that differ as [was, is]."""
    changes: list[dict[str, Any]] = []
    for table, now in after.items():
        was = before.get(table, {})
        for key in sorted(was.keys() | now.keys()):
            old, new = was.get(key), now.get(key)
            if old != new:
                changes.append({"table": table, "id": key, "change": _change(old, new)})
    return changes


def _change(old: dict[str, Any] | None, new: dict[str, Any] | None) -> dict[str, Any]:
    if old is None:
        return {"added": new}
    if new is None:
        return {"removed": old}
    return {key: [old[key], new[key]] for key in old if old[key] != new[key]}


def _tables() -> list[Any]:
    mappers = [
        mapper for mapper in Base.registry.mappers if mapper.class_.__module__.startswith(_STUDIO)
    ]
    return sorted(
        (mapper.local_table for mapper in mappers if "org_id" in mapper.columns),
        key=lambda table: table.name,
    )


def _plain(value: object) -> object:
    return value if isinstance(value, int | float | str | list | dict | type(None)) else str(value)
