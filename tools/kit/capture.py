"""Seeing which rows a call touches, and how they were before, however its service writes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Delete, Insert, Table, TextClause, Update, event
from sqlalchemy.orm import ORMExecuteState, Session, UOWTransaction

from app.core.db import OrgRow
from tools.kit import rows
from tools.kit.rows import Image


@dataclass(frozen=True, slots=True)
class Change:
    """One touched row: `before` is None for a new one, `after` (a version) for a deleted one."""

    table_name: str
    row_id: UUID
    before: Image | None
    after: int | None


class NotCaptured(TypeError):
    """A statement whose rows can't be seen, so it couldn't be undone: say it another way."""


class Capture:
    """The rows touched since it began, by table and id, in order of appearance."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._before: dict[Table, dict[UUID, Image | None]] = defaultdict(dict)

    def changes(self) -> list[Change]:
        """All that is different now from how it was at the start."""
        self._session.flush()
        return [change for table in self._before for change in self._changes(table)]

    def _changes(self, table: Table) -> Iterator[Change]:
        before = self._before[table]
        after = rows.read_versions(self._session, table, before.keys())
        same = self._same(table, after)
        for row_id, image in before.items():
            if row_id not in same and (image is not None or row_id in after):
                yield Change(table.name, row_id, image, after.get(row_id))

    def _same(self, table: Table, after: Mapping[UUID, int]) -> set[UUID]:
        """Rows whose change went with a savepoint. What a delete unties changes without version."""
        images = {row_id: image for row_id, image in self._before[table].items() if image}
        doubtful = [row_id for row_id in images if after.get(row_id) == images[row_id]["version"]]
        now = rows.read_images(self._session, table, doubtful) if doubtful else {}
        return {row_id for row_id, image in now.items() if image == images[row_id]}

    def before_flush(self, session: Session, *_: object) -> None:
        changed = (row for row in session.dirty if session.is_modified(row))
        for table, ids in _by_table(changed).items():
            self._remember(table, ids)
        for table, ids in _by_table(session.deleted).items():
            self._remember_deleted(table, ids)

    def after_flush(self, session: Session, _: UOWTransaction) -> None:
        for table, ids in _by_table(session.new).items():
            for row_id in ids:
                self._before[table].setdefault(row_id, None)

    def before_statement(self, state: ORMExecuteState) -> None:
        """Statements that change many rows at once pass by the session's own account of them."""
        statement = state.statement
        if isinstance(statement, TextClause) and _writes(statement.text):
            raise NotCaptured(statement.text)
        if not isinstance(statement, Update | Delete | Insert):
            return
        if not (isinstance(statement.table, Table) and rows.is_kept(statement.table)):
            return
        # The statement's own is a marked copy, which nothing refers to.
        table = rows.table_of(rows.model_of(statement.table.name))
        if isinstance(statement, Insert) or isinstance(state.parameters, list):
            raise NotCaptured(table.name)
        ids = rows.matching(self._session, table, statement.whereclause)
        if isinstance(statement, Delete):
            self._remember_deleted(table, ids)
        else:
            self._remember(table, ids)
            state.statement = statement.values(version=table.c.version + 1)

    def _remember(self, table: Table, ids: Iterable[UUID]) -> None:
        unknown = [row_id for row_id in ids if row_id not in self._before[table]]
        if unknown:
            self._before[table].update(rows.read_images(self._session, table, unknown))

    def _remember_deleted(self, table: Table, ids: list[UUID]) -> None:
        """With what the database deletes or unties along with them."""
        self._remember(table, ids)
        for other, column, on_delete in rows.references(table):
            if on_delete and rows.is_kept(other):
                tied = rows.matching(self._session, other, column.in_(ids))
                if tied and on_delete == "CASCADE":
                    self._remember_deleted(other, tied)
                elif tied:
                    self._remember(other, tied)


@contextmanager
def capturing(session: Session) -> Iterator[Capture]:
    capture = Capture(session)
    listeners = (
        ("before_flush", capture.before_flush),
        ("after_flush", capture.after_flush),
        ("do_orm_execute", capture.before_statement),
    )
    for name, listener in listeners:
        event.listen(session, name, listener)
    try:
        yield capture
    finally:
        for name, listener in listeners:
            event.remove(session, name, listener)


def _writes(text: str) -> bool:
    """Whether a statement written by hand changes rows; which ones, nobody could tell."""
    first, *_ = text.split(maxsplit=1) or [""]
    return first.upper() in {"INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "COPY", "WITH"}


def _by_table(touched: Iterable[object]) -> dict[Table, list[UUID]]:
    found: dict[Table, list[UUID]] = defaultdict(list)
    for row in touched:
        if isinstance(row, OrgRow) and rows.undo_kind(type(row)) != "ignore":
            found[rows.table_of(type(row))].append(row.id)
    return found
