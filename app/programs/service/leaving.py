"""A member leaves: what they were assigned ends, and can go on just as it was."""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from app.programs.models import Assignment, AssignmentDay
from app.programs.service.moving import days_left
from app.programs.terms import AssignmentStatus, DayStatus


def preview_end(session: Session, member_id: UUID, *, today: date) -> tuple[str, ...]:
    """What `end_all` ends, by title; nothing is locked."""
    query = _open(member_id).order_by(Assignment.title)
    rows = session.scalars(query).all()
    return tuple(row.title for row in rows if days_left(session, row, today))


def end_all(session: Session, member_id: UUID, *, now: datetime, today: date) -> tuple[str, ...]:
    """Cancel all that still has days ahead; those are excused at this instant, not taken away."""
    ended: list[str] = []
    for row in session.scalars(_open(member_id).order_by(Assignment.title).with_for_update()):
        left = days_left(session, row, today)
        for day in left:
            day.status, day.done_at = DayStatus.EXCUSED, now
        if left:
            row.status, row.ended_on = AssignmentStatus.CANCELLED, today
            ended.append(row.title)
    session.flush()
    return tuple(ended)


def bring_back(session: Session, member_id: UUID, ended_at: datetime) -> int:
    """Undo what was ended at that instant; how many assignments go on."""
    query = (
        select(AssignmentDay)
        .join(Assignment, Assignment.id == AssignmentDay.assignment_id)
        .where(
            Assignment.member_id == member_id,
            Assignment.status == AssignmentStatus.CANCELLED,
            AssignmentDay.status == DayStatus.EXCUSED,
            AssignmentDay.done_at == ended_at,
        )
    )
    days = session.scalars(query).all()
    for day in days:
        day.status, day.done_at = DayStatus.UPCOMING, None
    back = {day.assignment_id for day in days}
    for row in session.scalars(select(Assignment).where(Assignment.id.in_(back))):
        row.status, row.ended_on = AssignmentStatus.ACTIVE, None
    session.flush()
    return len(back)


def _open(member_id: UUID) -> Select[Assignment]:
    return select(Assignment).where(
        Assignment.member_id == member_id, Assignment.status == AssignmentStatus.ACTIVE
    )
