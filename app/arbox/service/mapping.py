"""Saying what something of theirs is with us."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.arbox.errors import WrongTarget
from app.arbox.models import ArboxMapping
from app.arbox.terms import MappingKind, MappingState
from app.core.errors import NotFound, StaleVersion
from app.leads.terms import OPEN, LeadStage
from app.memberships import queries as memberships
from app.people import queries as people
from app.schedule import queries as schedule
from app.studio import queries as studio


def map_to(
    session: Session,
    mapping_id: UUID,
    *,
    local_id: UUID | None = None,
    stage: LeadStage | None = None,
    expected_version: int | None = None,
) -> None:
    """One of ours, or for a status a stage of our leads.

    Raises NotFound for either side, WrongTarget, StaleVersion.
    """
    row = _locked(session, mapping_id, expected_version)
    is_status = row.kind is MappingKind.STATUS
    fits = (stage in OPEN) if is_status else (local_id is not None and stage is None)
    if not fits or (is_status and local_id is not None):
        raise WrongTarget(kind=row.kind.value)
    if local_id is not None:
        _check(session, row.kind, local_id)
    row.local_id, row.stage = local_id, stage
    row.state = MappingState.MAPPED
    session.flush()


def ignore(session: Session, mapping_id: UUID, *, expected_version: int | None = None) -> None:
    """It stands for nothing of ours, on purpose. Raises NotFound, StaleVersion."""
    row = _locked(session, mapping_id, expected_version)
    row.local_id, row.stage, row.state = None, None, MappingState.IGNORED
    session.flush()


def _locked(session: Session, mapping_id: UUID, expected_version: int | None) -> ArboxMapping:
    row = session.scalar(
        select(ArboxMapping).where(ArboxMapping.id == mapping_id).with_for_update()
    )
    if row is None:
        raise NotFound(what="arbox_mapping")
    if expected_version is not None and row.version != expected_version:
        raise StaleVersion(version=row.version)
    return row


def _check(session: Session, kind: MappingKind, local_id: UUID) -> None:
    """Raises NotFound."""
    match kind:
        case MappingKind.LOCATION:
            studio.location(session, local_id)
        case MappingKind.CLASS_TYPE:
            schedule.class_type(session, local_id)
        case MappingKind.PLAN:
            memberships.plan(session, local_id)
        case MappingKind.STAFF:
            people.staff(session, local_id)
        case MappingKind.STATUS:
            raise WrongTarget(kind=kind.value)
