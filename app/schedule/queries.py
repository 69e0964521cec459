"""Reading the schedule: class types, and who teaches when."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.schedule.models import ClassSession, ClassType
from app.schedule.terms import SessionStatus
from app.schedule.times import Slot, is_doubled
from app.schedule.views import ClassTypeView
from app.studio import queries as studio
from app.studio.policy import merged


def class_type(session: Session, class_type_id: UUID) -> ClassType:
    found = session.get(ClassType, class_type_id)
    if found is None:
        raise NotFound(what="class_type")
    return found


def class_session(session: Session, session_id: UUID) -> ClassSession:
    found = session.get(ClassSession, session_id)
    if found is None:
        raise NotFound(what="class_session")
    return found


def list_class_types(
    session: Session, org_id: UUID, language: str, *, active: bool | None = True
) -> tuple[ClassTypeView, ...]:
    query = select(ClassType).order_by(ClassType.name_en, ClassType.id)
    if active is not None:
        query = query.where(ClassType.active == active)
    defaults = studio.org(session, org_id).booking_policy
    return tuple(_view(row, defaults, language) for row in session.scalars(query))


def taught_meanwhile(
    session: Session, coach_id: UUID, slot: Slot, *, but: UUID | None = None
) -> ClassSession | None:
    """The first class that this coach gives at that time already."""
    query = (
        select(ClassSession)
        .where(
            ClassSession.coach_id == coach_id,
            ClassSession.status != SessionStatus.CANCELLED,
            ClassSession.starts_at < slot.ends_at,
            ClassSession.ends_at > slot.starts_at,
        )
        .order_by(ClassSession.starts_at)
        .limit(1)
    )
    return session.scalar(query if but is None else query.where(ClassSession.id != but))


def slot_of(row: ClassSession) -> Slot:
    return Slot(
        date=row.local_date,
        start=row.local_start,
        end=row.local_end,
        zone=row.zone,
        starts_at=row.starts_at,
        ends_at=row.ends_at,
        doubled=is_doubled(row.local_date, row.local_start, row.zone),
    )


def _view(row: ClassType, defaults: dict[str, object], language: str) -> ClassTypeView:
    return ClassTypeView(
        id=row.id,
        version=row.version,
        name=row.name(language),
        duration_min=row.duration_min,
        capacity=row.capacity,
        credit_cost=row.credit_cost,
        active=row.active,
        policy=merged(defaults, row.booking_policy),
    )
