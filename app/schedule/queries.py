"""Reading the schedule: class types, and who teaches when."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Uuid, column, func, select, table
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.schedule.models import ClassSession, ClassType, SessionSeries
from app.schedule.terms import SessionStatus
from app.schedule.times import Slot, is_doubled
from app.schedule.views import ClassTypeView, SeriesView
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


def series(session: Session, series_id: UUID) -> SeriesView:
    found = session.get(SessionSeries, series_id)
    if found is None:
        raise NotFound(what="session_series")
    return SeriesView(found.id, tuple(found.weekdays), found.until_date)


def list_class_types(
    session: Session, org_id: UUID, language: str, *, active: bool | None = True
) -> tuple[ClassTypeView, ...]:
    query = select(ClassType).order_by(ClassType.name_en, ClassType.id)
    if active is not None:
        query = query.where(ClassType.active == active)
    defaults = studio.org(session, org_id).booking_policy
    return tuple(_view(row, defaults, language) for row in session.scalars(query))


def class_type_view(session: Session, class_type_id: UUID, language: str) -> ClassTypeView:
    """Raises NotFound."""
    row = class_type(session, class_type_id)
    return _view(row, studio.org(session, row.org_id).booking_policy, language)


_PLAN = table("membership_plan", column("name"), column("class_type_ids", ARRAY(Uuid())))
"""Read by name: what is sold knows the schedule, not the other way round."""


def used_by(session: Session, class_type_id: UUID) -> int:
    """How many classes were ever scheduled of a type, repeating ones counted once more."""
    dated = select(func.count()).where(ClassSession.class_type_id == class_type_id)
    series = select(func.count()).where(SessionSeries.class_type_id == class_type_id)
    return (session.scalar(dated) or 0) + (session.scalar(series) or 0)


def plans_with(session: Session, class_type_id: UUID) -> tuple[str, ...]:
    """The plans that are good for this type by name."""
    query = select(_PLAN.c.name).where(_PLAN.c.class_type_ids.contains([class_type_id]))
    return tuple(session.scalars(query.order_by(_PLAN.c.name)))


def ahead(session: Session, class_type_id: UUID, *, now: datetime) -> int:
    """How many classes of a type are on the schedule from now on."""
    query = select(func.count()).where(
        ClassSession.class_type_id == class_type_id,
        ClassSession.status == SessionStatus.SCHEDULED,
        ClassSession.starts_at > now,
    )
    return session.scalar(query) or 0


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


def taught_between(
    session: Session, coach_id: UUID, first: datetime, last: datetime
) -> Sequence[ClassSession]:
    """All that a coach gives in a time, by its start."""
    query = (
        select(ClassSession)
        .where(
            ClassSession.coach_id == coach_id,
            ClassSession.status != SessionStatus.CANCELLED,
            ClassSession.starts_at < last,
            ClassSession.ends_at > first,
        )
        .order_by(ClassSession.starts_at)
    )
    return session.scalars(query).all()


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
        min_participants=row.min_participants,
        active=row.active,
        policy=merged(defaults, row.booking_policy),
    )
