"""Reading assignments: whose they are, when what is due, and how it goes."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    ScalarSelect,
    Select,
    and_,
    case,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.core.columns import text_enum
from app.core.errors import NotFound
from app.people.models import Member, Staff
from app.programs.compliance import DueDay, Stretch, Tally, is_paused, standing, tally
from app.programs.models import Assignment, AssignmentDay, AssignmentPause, Program
from app.programs.terms import OVER, AssignmentStatus, DayStatus
from app.programs.views import AssignedDay, AssignmentView
from app.studio.paging import Cut, Page, page


@dataclass(frozen=True, slots=True)
class AssignmentFilter:
    """Without a status: all that aren't over."""

    member_id: UUID | None = None
    program_id: UUID | None = None
    coach_id: UUID | None = None
    status: AssignmentStatus | None = None


def assignments(
    session: Session, wanted: AssignmentFilter, *, today: date, cut: Cut
) -> Page[AssignmentView]:
    """The latest start first."""
    query = _assignments(today).where(*_terms(wanted, today))
    query = query.order_by(Assignment.start_date.desc(), Assignment.id)
    return page(session, query, cut, _view)


def assignment_view(session: Session, assignment_id: UUID, *, today: date) -> AssignmentView:
    row = session.execute(_assignments(today).where(Assignment.id == assignment_id)).one_or_none()
    if row is None:
        raise NotFound(what="assignment")
    return _view(row)


def of_coach(session: Session, coach_id: UUID, since: date, *, today: date) -> list[AssignmentView]:
    """What a coach's people have had to do from a day on; what was cancelled is left out."""
    query = _assignments(today).where(
        Assignment.coach_id == coach_id,
        Assignment.status != AssignmentStatus.CANCELLED,
        Assignment.start_date <= today,
        Assignment.end_date >= since,
    )
    return [_view(row) for row in session.execute(query.order_by(Assignment.id))]


def days(session: Session, assignment_id: UUID, *, today: date) -> tuple[AssignedDay, ...]:
    """All days of an assignment, in order."""
    stretches = pauses(session, [assignment_id])[assignment_id]
    query = select(AssignmentDay).where(AssignmentDay.assignment_id == assignment_id)
    query = query.order_by(AssignmentDay.due_date, AssignmentDay.position, AssignmentDay.id)
    return tuple(_day(row, stretches, today) for row in session.scalars(query))


def next_due(session: Session, assignment_id: UUID, *, today: date) -> date | None:
    """The day of the next workout that isn't marked yet."""
    query = select(func.min(AssignmentDay.due_date)).where(
        AssignmentDay.assignment_id == assignment_id,
        AssignmentDay.status == DayStatus.UPCOMING,
        AssignmentDay.due_date >= today,
    )
    return session.scalar(query)


def assigned_day(
    session: Session, assignment_id: UUID, day_id: UUID, *, today: date
) -> AssignedDay:
    row = session.get(AssignmentDay, day_id)
    if row is None or row.assignment_id != assignment_id:
        raise NotFound(what="assignment_day")
    return _day(row, pauses(session, [assignment_id])[assignment_id], today)


def compliance(
    session: Session, assignment_id: UUID, first: date | None, last: date | None, *, today: date
) -> Tally:
    """Over the days that are due in a span; without one, over all."""
    found = due_days(session, [assignment_id], first, last)
    return tally(found[assignment_id], today)


def due_days(
    session: Session, assignment_ids: Collection[UUID], first: date | None, last: date | None
) -> dict[UUID, list[DueDay]]:
    """What is due of several assignments in a span of days, by assignment."""
    stretches = pauses(session, assignment_ids)
    query = select(AssignmentDay.assignment_id, AssignmentDay.due_date, AssignmentDay.status)
    query = query.where(AssignmentDay.assignment_id.in_(assignment_ids))
    if first is not None:
        query = query.where(AssignmentDay.due_date >= first)
    if last is not None:
        query = query.where(AssignmentDay.due_date <= last)
    found: dict[UUID, list[DueDay]] = defaultdict(list)
    for assignment_id, due, status in session.execute(query):
        found[assignment_id].append(DueDay(due, status, is_paused(due, stretches[assignment_id])))
    return found


def pauses(session: Session, assignment_ids: Collection[UUID]) -> dict[UUID, list[Stretch]]:
    query = select(
        AssignmentPause.assignment_id, AssignmentPause.from_date, AssignmentPause.until_date
    ).where(AssignmentPause.assignment_id.in_(assignment_ids))
    found: dict[UUID, list[Stretch]] = defaultdict(list)
    for assignment_id, first, last in session.execute(query):
        found[assignment_id].append(Stretch(first, last))
    return found


def _assignments(today: date) -> Select[Any, Any, Any, Any, Any, Any, Any]:
    return (
        select(
            Assignment,
            Member,
            Staff.name,
            Program.revision,
            AssignmentPause.until_date,
            _standing(today),
            _first_due(),
        )
        .join(Member, Member.id == Assignment.member_id)
        .outerjoin(Staff, Staff.id == Assignment.coach_id)
        .outerjoin(Program, Program.id == Assignment.program_id)
        .outerjoin(AssignmentPause, paused_on(today))
    )


def _first_due() -> ScalarSelect[date]:
    return (
        select(func.min(AssignmentDay.due_date))
        .where(AssignmentDay.assignment_id == Assignment.id)
        .correlate(Assignment)
        .scalar_subquery()
    )


def paused_on(day: date | InstrumentedAttribute[date]) -> ColumnElement[bool]:
    """A pause of the assignment holds the day; they don't overlap, so at most one does."""
    pause = AssignmentPause
    return and_(
        pause.assignment_id == Assignment.id,
        pause.from_date <= day,
        or_(pause.until_date.is_(None), pause.until_date >= day),
    )


def _standing(today: date) -> ColumnElement[AssignmentStatus]:
    def said(status: AssignmentStatus) -> ColumnElement[AssignmentStatus]:
        return literal(status, text_enum(AssignmentStatus))

    return case(
        (Assignment.status.in_(OVER), Assignment.status),
        (AssignmentPause.id.is_not(None), said(AssignmentStatus.PAUSED)),
        (Assignment.start_date > today, said(AssignmentStatus.SCHEDULED)),
        else_=said(AssignmentStatus.ACTIVE),
    )


def _terms(wanted: AssignmentFilter, today: date) -> list[ColumnElement[bool]]:
    terms = [
        column == value
        for column, value in (
            (Assignment.member_id, wanted.member_id),
            (Assignment.program_id, wanted.program_id),
            (Assignment.coach_id, wanted.coach_id),
        )
        if value is not None
    ]
    if wanted.status is None:
        return [*terms, Assignment.status == AssignmentStatus.ACTIVE]
    return [*terms, _standing(today) == wanted.status]


def _view(row: Row[*tuple[Any, ...]]) -> AssignmentView:
    one, member, coach, revision, paused_until, status, first_due = row
    return AssignmentView(
        id=one.id,
        version=one.version,
        member_id=one.member_id,
        member=member.name,
        kind=one.kind,
        program_id=one.program_id,
        workout_id=one.workout_id,
        title=one.title,
        coach_id=one.coach_id,
        coach=coach,
        start=first_due or one.start_date,
        end=one.end_date,
        days_of_week=tuple(one.days_of_week),
        status=status,
        paused_until=paused_until,
        notes=one.notes,
        reason=one.reason,
        summary=one.summary,
        changed_since=revision is not None and revision != one.revision,
    )


def _day(row: AssignmentDay, stretches: list[Stretch], today: date) -> AssignedDay:
    return AssignedDay(
        id=row.id,
        version=row.version,
        assignment_id=row.assignment_id,
        due=row.due_date,
        week_no=row.week_no,
        day_no=row.day_no,
        workout_id=row.workout_id,
        title=row.title,
        loads=dict(row.loads),
        status=standing(row.status, row.due_date, today),
        paused=is_paused(row.due_date, stretches),
        done_at=row.done_at,
        note=row.note,
    )
