"""Putting a studio back to how it was before a call, or not at all."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable
from uuid import UUID

from sqlalchemy import Select, Table, and_, select, true, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import OrgRow, now_of
from app.core.errors import StudioError
from tools.kit import rows
from tools.kit.models import ToolCall, TouchedRow
from tools.kit.rows import Image


class UndoConflict(StudioError):
    """Something that the call touched was changed since; nothing is overwritten."""

    code, status = "undo_conflict", 409


class UndoInUse(StudioError):
    """Something that the call made is used by what came after it."""

    code, status = "undo_in_use", 409


@runtime_checkable
class Reversible(Protocol):
    """A row of an append-only table: it is never taken out, another one balances it."""

    def reverse(self, actor_id: UUID) -> OrgRow: ...


@runtime_checkable
class Retirable(Protocol):
    """A row that a log may speak of: where one does, it stays for it, and out of use."""

    def retire(self, now: datetime) -> None: ...


@runtime_checkable
class Checked(Protocol):
    """A model whose rules are checked once more over what was put back (capacity, overlaps)."""

    @classmethod
    def check_restored(cls, session: Session, rows: Sequence[OrgRow]) -> None:
        """Raise a StudioError where the rows, restored or balanced by others, break a rule."""
        ...


@runtime_checkable
class Guarded(Protocol):
    """A model whose rows others lock only behind others' (a booking's class, its member)."""

    @classmethod
    def lock_touched(cls, session: Session, ids: Sequence[UUID], before: Sequence[Image]) -> None:
        """Lock what stands before these rows, as they are and as they were, in its order."""
        ...


@dataclass(frozen=True, slots=True)
class Touched:
    """The rows of one table that a call touched."""

    table: Table
    model: type[OrgRow]
    rows: tuple[TouchedRow, ...]

    @property
    def appended(self) -> bool:
        return rows.undo_kind(self.model) == "reverse"

    @property
    def made(self) -> list[UUID]:
        return [row.row_id for row in self.rows if row.before is None]

    @property
    def deleted(self) -> list[TouchedRow]:
        return [row for row in self.rows if row.after is None]

    @property
    def changed(self) -> list[TouchedRow]:
        return [row for row in self.rows if row.before is not None and row.after is not None]


def touched_by(session: Session, call_id: UUID) -> list[Touched]:
    """What a call touched, tables that others refer to first; UndoConflict where one is gone."""
    query = select(TouchedRow).where(TouchedRow.call_id == call_id).order_by(TouchedRow.row_id)
    by_table: dict[str, list[TouchedRow]] = defaultdict(list)
    for row in session.scalars(query):
        by_table[row.table_name].append(row)
    try:
        models = {name: rows.model_of(name) for name in by_table}
    except KeyError:
        raise UndoConflict from None
    ordered = rows.parents_first(rows.table_of(model) for model in models.values())
    return [Touched(one, models[one.name], tuple(by_table[one.name])) for one in ordered]


def check_untouched(session: Session, touched: Sequence[Touched]) -> None:
    """Lock what a call touched; raise UndoConflict where any of it isn't as the call left it."""
    for one in touched:
        if isinstance(one.model, Guarded):
            before = [row.before for row in one.rows if row.before is not None]
            one.model.lock_touched(session, [row.row_id for row in one.rows], before)
    for one in touched:
        if one.appended:
            continue
        found = rows.read_images(session, one.table, [row.row_id for row in one.rows])
        for row in one.rows:
            version = found[row.row_id]["version"] if row.row_id in found else None
            if version != row.after:
                raise UndoConflict


def check_unused(session: Session, touched: Sequence[Touched]) -> None:
    """Raise UndoInUse where rows from elsewhere refer to what the call made."""
    known = {row.row_id for one in touched for row in one.rows}
    for one in touched:
        for other, column, _ in rows.references(one.table):
            users = rows.matching(session, other, column.in_(one.made))
            if rows.is_kept(other) and set(users) - known:
                raise UndoInUse


def check_left_alone(session: Session, call: ToolCall, touched: Sequence[Touched]) -> None:
    """Raise UndoInUse where what was done since, and stands, hangs on what the call touched.

    For an inverse that destroys: it would take along a booking, a note, a sale of somebody else.
    What the system wrote by itself (an automation's task) is no deed, and a ledger stays anyway.
    """
    known = {row.row_id for one in touched for row in one.rows}
    for one in (one for one in touched if not one.appended):
        ids = [row.row_id for row in one.rows if row.after is not None]
        for other, column, _ in rows.references(one.table):
            users = select(other.c.id).where(column.in_(ids), other.c.id.not_in(known))
            if rows.is_kept(other) and session.scalar(_deeds_since(call, users)) is not None:
                raise UndoInUse


def _deeds_since(call: ToolCall, row_ids: Select[UUID]) -> Select[UUID]:
    """What calls that weren't taken back did to rows after a call; keys sort by their time."""
    deed = TouchedRow.call_id == ToolCall.id
    stands = and_(ToolCall.undone_at.is_(None), ToolCall.undoes.is_(None))
    since = and_(TouchedRow.id > call.id, ToolCall.id != call.id)
    query = select(TouchedRow.id).join(ToolCall, deed).where(stands, since)
    return query.where(TouchedRow.row_id.in_(row_ids)).limit(1)


def forget_changes(session: Session, touched: Sequence[Touched]) -> None:
    """After an inverse: rows that are again as they were count as never moved."""
    for one in touched:
        if not one.changed:
            continue
        now = rows.read_images(session, one.table, [row.row_id for row in one.changed])
        same = [row for row in one.changed if _same(row.before, now.get(row.row_id))]
        _rebase(session, same, one.table)


def restore(session: Session, actor: Actor, touched: Sequence[Touched]) -> None:
    """Write all rows back: those made go, those deleted return, those changed are as before.

    Each gets a version of its own, so that what was read in between is out of date. Raises
    StudioError where the studio's rules, or the database's, don't let it.
    """
    rows.check_later(session)
    try:
        for one in touched:
            _balance(session, actor, one)
        # What nothing refers to goes first, as it may hold a name that what returns had.
        for one in reversed(touched):
            _take_out(session, one)
        for one in touched:
            _put_back(session, one)
        for one in reversed(touched):
            _retire(session, one, _take_out(session, one))
        rows.check_now(session)
    except IntegrityError:
        raise UndoConflict from None
    session.expire_all()
    for one in touched:
        _check_rules(session, one)


def _balance(session: Session, actor: Actor, one: Touched) -> None:
    if one.appended:
        session.add_all(row.reverse(actor.user_id) for row in _appended(session, one))
        session.flush()


def _take_out(session: Session, one: Touched) -> set[UUID]:
    """Delete what the call made and no row refers to; return what is left."""
    if one.appended or not one.made:
        return set()
    there = set(rows.matching(session, one.table, one.table.c.id.in_(one.made)))
    free = there - _referred(session, one.table, there)
    rows.take_out(session, one.table, free)
    return there - free


def _referred(session: Session, table: Table, ids: set[UUID]) -> set[UUID]:
    """Those that a row elsewhere holds on to; what goes with them, or is untied, doesn't."""
    held: set[UUID] = set()
    for other, column, on_delete in rows.references(table):
        if not on_delete:
            mine = other.c.id.not_in(ids) if other is table else true()
            query = select(column).where(column.in_(ids), mine)
            held |= set(session.connection().execute(query).scalars())
    return held


def _retire(session: Session, one: Touched, left: set[UUID]) -> None:
    """Raises UndoConflict for what can't stay."""
    for row in _load(session, one.model, sorted(left)) if left else ():
        if not isinstance(row, Retirable):
            raise UndoConflict
        row.retire(now_of(session))
    session.flush()


def _put_back(session: Session, one: Touched) -> None:
    if one.appended:
        return
    changed = [row.before for row in one.changed if row.before]
    deleted = [row.before for row in one.deleted if row.before]
    if changed:
        rows.write_back(session, one.table, changed)
    if deleted:
        rows.put_in(session, one.table, deleted)
    _rebase(session, [*one.changed, *one.deleted], one.table)


def _rebase(session: Session, restored: Iterable[TouchedRow], table: Table) -> None:
    """Calls that left a row as it is again can still be undone: they learn its new version."""
    by_id = {row.row_id: row for row in restored}
    versions = rows.read_versions(session, table, by_id.keys())
    for row_id, version in versions.items():
        before = by_id[row_id].before or {}
        session.execute(
            update(TouchedRow)
            .where(TouchedRow.row_id == row_id, TouchedRow.after == before["version"])
            .values(after=version)
        )


def _same(before: Image | None, now: Image | None) -> bool:
    marks = {"version", "updated_at"}
    return all((before or {}).get(key) == (now or {}).get(key) for key in {*(before or {})} - marks)


def _appended(session: Session, one: Touched) -> list[Reversible]:
    found = _load(session, one.model, one.made)
    return [row for row in found if isinstance(row, Reversible)]


def _check_rules(session: Session, one: Touched) -> None:
    put_back = [row.row_id for row in (*one.changed, *one.deleted)]
    restored = one.made if one.appended else put_back
    if restored and isinstance(one.model, Checked):
        one.model.check_restored(session, _load(session, one.model, restored))


def _load(session: Session, model: type[OrgRow], ids: Sequence[UUID]) -> list[OrgRow]:
    return list(session.scalars(select(model).where(model.id.in_(ids)).order_by(model.id)))
