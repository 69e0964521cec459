"""Reading the Arbox import: how it stands, its mappings, its batches."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.arbox.models import (
    ArboxConnection,
    ArboxKey,
    ArboxMapping,
    ArboxRecord,
    ImportBatch,
    ImportedRow,
)
from app.arbox.terms import Act, BatchKind, Kind, MappingKind, MappingState
from app.arbox.views import BatchView, MappingView, StatusView
from app.core.errors import NotFound
from app.memberships.models import MembershipPlan
from app.people.models import Staff
from app.schedule.models import ClassType
from app.studio.models import Location
from app.studio.paging import Cut, Page, page


def status(session: Session) -> StatusView:
    row = session.scalar(select(ArboxConnection))
    key = session.scalar(select(ArboxKey))
    counts = select(ArboxRecord.kind, func.count()).where(~ArboxRecord.ignored)
    unmapped = select(func.count()).where(ArboxMapping.state == MappingState.UNMAPPED)
    last = session.scalar(select(ImportBatch).order_by(ImportBatch.id.desc()).limit(1))
    return StatusView(
        state=row.state if row else None,
        last4=key.last4 if key else None,
        connected_at=row.connected_at if row else None,
        last_read_at=row.last_read_at if row else None,
        last_error=row.last_error if row else None,
        records=dict(session.execute(counts.group_by(ArboxRecord.kind)).all()),
        unmapped=session.scalar(unmapped) or 0,
        last_batch=batch(session, last.id) if last else None,
    )


def batch(session: Session, batch_id: UUID) -> BatchView:
    """Raises NotFound."""
    row = session.get(ImportBatch, batch_id)
    if row is None:
        raise NotFound(what="import_batch")
    made = ImportedRow.act == Act.CREATE
    counted = select(func.count().filter(made), func.count().filter(~made)).where(
        ImportedRow.batch_id == batch_id, ~ImportedRow.rolled_back
    )
    new, changed = session.execute(counted).one()
    rolled_back = row.rolled_back_at is not None
    return BatchView(row.id, row.created_at, new, changed, rolled_back)


def imported_kinds(session: Session) -> set[Kind]:
    """What was imported and not taken back: what a sync may bring up to date."""
    query = (
        select(ArboxRecord.kind)
        .join(ImportedRow, ImportedRow.record_id == ArboxRecord.id)
        .join(ImportBatch, ImportBatch.id == ImportedRow.batch_id)
        .where(ImportBatch.kind == BatchKind.IMPORT, ~ImportedRow.rolled_back)
    )
    return set(session.scalars(query.distinct()))


def branches(session: Session) -> tuple[str, ...]:
    """Their branches that count; none are named where all do."""
    query = select(ArboxMapping).where(ArboxMapping.kind == MappingKind.LOCATION)
    rows = list(session.scalars(query.order_by(ArboxMapping.arbox_id)))
    wanted = tuple(row.arbox_id for row in rows if row.state is not MappingState.IGNORED)
    return wanted if len(wanted) < len(rows) else ()


def mappings(
    session: Session,
    language: str,
    *,
    cut: Cut,
    kind: MappingKind | None = None,
    unmapped_only: bool = False,
) -> Page[MappingView]:
    query = select(ArboxMapping).order_by(
        ArboxMapping.kind, ArboxMapping.arbox_name, ArboxMapping.id
    )
    if kind is not None:
        query = query.where(ArboxMapping.kind == kind)
    if unmapped_only:
        query = query.where(ArboxMapping.state == MappingState.UNMAPPED)
    found = page(session, query, cut, lambda row: row[0])
    names = _names(session, found.rows, language)
    rows = tuple(_view(row, names) for row in found.rows)
    return Page(rows, found.total, found.cursor)


def mapping(session: Session, mapping_id: UUID, language: str) -> MappingView:
    """Raises NotFound."""
    row = session.get(ArboxMapping, mapping_id)
    if row is None:
        raise NotFound(what="arbox_mapping")
    return _view(row, _names(session, [row], language))


def _names(session: Session, rows: Sequence[ArboxMapping], language: str) -> dict[UUID, str]:
    found: dict[UUID, str] = {}
    for kind, model in _MODELS.items():
        ids = [row.local_id for row in rows if row.kind is kind and row.local_id]
        if ids:
            ours = session.scalars(select(model).where(model.id.in_(ids)))
            found.update({one.id: _name(one, language) for one in ours})
    return found


def _name(row: Any, language: str) -> str:  # noqa: ANN401 - a row of any of the models
    return row.name(language) if isinstance(row, ClassType) else str(row.name)


def _view(row: ArboxMapping, names: dict[UUID, str]) -> MappingView:
    return MappingView(
        row.id,
        row.kind,
        row.arbox_id,
        row.arbox_name,
        row.local_id,
        names.get(row.local_id) if row.local_id else None,
        row.stage,
        row.state,
        row.version,
    )


_MODELS: dict[MappingKind, Any] = {
    MappingKind.LOCATION: Location,
    MappingKind.CLASS_TYPE: ClassType,
    MappingKind.PLAN: MembershipPlan,
    MappingKind.STAFF: Staff,
}
