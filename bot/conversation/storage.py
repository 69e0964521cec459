"""What each gym keeps, once a day: how the database grows, and through whom.

Rows are counted; bytes are a table's own, indexes and all, shared out by the rows, since to weigh
each row would be to read everything.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Table, delete, func, literal, select, text, union_all
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from app.core.db import Base, Database, PlatformRow, now_of
from app.core.ids import new_id
from app.studio import queries as studio
from bot.conversation.models import StorageSnapshot

KEPT: Final = timedelta(days=400)
SPANS: Final = (7, 30)
_SIZES: Final = text(
    "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
    " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A gym's rows and bytes on its newest day, and how many bytes more than so many days before.

    `more` lacks a span from whose beginning nothing is known; `tables` are {name: [rows, bytes]}.
    """

    day: date
    rows: int
    bytes: int
    more: Mapping[int, int]
    tables: Mapping[str, Sequence[int]]


def take_snapshot(db: Database) -> int:
    """Write down what is kept today, gym by gym and for all of it; how many rows that made.

    What was written down today already stays as it is.
    """
    with db.platform() as session:
        orgs = [org.id for org in studio.all_orgs(session)]
        sizes = {name: int(size) for name, size in session.execute(_SIZES)}
    tables = _tables_of_gyms(sizes)
    counted = {org_id: _counted(db, org_id, tables) for org_id in orgs}
    totals = {one.name: sum(rows.get(one.name, 0) for rows in counted.values()) for one in tables}
    made = 0
    with db.platform() as session:
        for org_id, rows in counted.items():
            shares = {
                name: (count, sizes.get(name, 0) * count // totals[name])
                for name, count in rows.items()
                if count
            }
            made += _keep(session, org_id, shares)
        made += _keep(session, None, {name: (totals.get(name, 0), sizes[name]) for name in sizes})
        session.execute(
            delete(StorageSnapshot).where(StorageSnapshot.day < now_of(session).date() - KEPT)
        )
    return made


def kept(platform: Session, org_id: UUID | None) -> Kept | None:
    """What is known of a gym, or of all of it; None before the first snapshot."""
    newest = _at(platform, org_id, date.max)
    if newest is None:
        return None
    befores = {span: _at(platform, org_id, newest.day - timedelta(days=span)) for span in SPANS}
    more = {span: newest.bytes - one.bytes for span, one in befores.items() if one is not None}
    return Kept(newest.day, newest.rows, newest.bytes, more, newest.tables)


def _at(platform: Session, org_id: UUID | None, day: date) -> StorageSnapshot | None:
    mine = StorageSnapshot.org_id.is_not_distinct_from(org_id)
    query = select(StorageSnapshot).where(mine, StorageSnapshot.day <= day)
    return platform.scalar(query.order_by(StorageSnapshot.day.desc()).limit(1))


def _tables_of_gyms(there: Container[str]) -> list[Table]:
    """Those whose rows a gym sees its own of; found by themselves, so a new one is among them."""
    return [
        mapper.local_table
        for mapper in Base.registry.mappers
        if isinstance(mapper.local_table, Table)
        and mapper.local_table.name in there
        and "org_id" in mapper.columns
        and not issubclass(mapper.class_, PlatformRow)
    ]


def _counted(db: Database, org_id: UUID, tables: Sequence[Table]) -> dict[str, int]:
    parts = [select(literal(one.name), func.count()).select_from(one) for one in tables]
    with db.transaction(org_id) as session:
        return {name: int(count) for name, count in session.execute(union_all(*parts))}


def _keep(session: Session, org_id: UUID | None, tables: Mapping[str, tuple[int, int]]) -> int:
    now = now_of(session)
    values: dict[str, Any] = {
        "id": new_id(),
        "created_at": now,
        "updated_at": now,
        "day": now.date(),
        "org_id": org_id,
        "rows": sum(rows for rows, _ in tables.values()),
        "bytes": sum(size for _, size in tables.values()),
        "tables": tables,
    }
    row = insert(StorageSnapshot).values(values).on_conflict_do_nothing()
    return len(session.execute(row.returning(StorageSnapshot.id)).all())
