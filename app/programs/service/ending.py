"""How an assignment ends, what is marked on its days, and what comes of those of a deleted one."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import BadInput, StaleVersion
from app.programs.errors import AssignmentOver, DayAhead, ProgramInUse
from app.programs.models import Assignment, AssignmentDay
from app.programs.queries import assignments as queries
from app.programs.queries import programs
from app.programs.service import building
from app.programs.service.moving import check_open, days_left, lock, settle_end
from app.programs.terms import OVER, AssignmentStatus, DayStatus, Mark
from app.programs.views import AssignedDay, AssignmentView, ProgramView


class OnAssigned(StrEnum):
    """What comes of what people have, when the program is deleted."""

    KEEP_COPIES = "keep_copies"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Ended:
    """`days` were ahead and are no more."""

    assignment: AssignmentView
    days: int


@dataclass(frozen=True, slots=True)
class DayMark:
    """What became of a day; a note of '' takes one away."""

    status: Mark
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    assignment: AssignmentView
    day: AssignedDay


@dataclass(frozen=True, slots=True)
class ProgramDeleted:
    """`people` had it; what came of that is the `fate`."""

    program: ProgramView
    people: tuple[str, ...]
    fate: OnAssigned | None


def check_cancel(session: Session, assignment_id: UUID, *, today: date) -> Ended:
    """What cancelling would take away. Raises NotFound, AssignmentOver."""
    view = queries.assignment_view(session, assignment_id, today=today)
    row = session.get_one(Assignment, view.id)
    check_open(row)
    return Ended(view, len(days_left(session, row, today)))


def cancel(
    session: Session,
    actor: Actor,
    assignment_id: UUID,
    *,
    today: date,
    reason: str | None = None,
) -> Ended:
    """What is ahead goes, what is over stays. Taking an assignment back leaves nothing of it."""
    row = lock(session, assignment_id)
    check_open(row)
    before = queries.assignment_view(session, row.id, today=today)
    if actor.undoing:
        session.delete(row)
        session.flush()
        return Ended(before, 0)
    gone = _cancel(session, row, today, reason)
    return Ended(queries.assignment_view(session, row.id, today=today), gone)


def complete(
    session: Session,
    assignment_id: UUID,
    *,
    today: date,
    on: date | None = None,
    summary: str | None = None,
) -> Ended:
    """What had been due after that day is excused. Raises AssignmentOver, BadInput."""
    row = lock(session, assignment_id)
    check_open(row)
    day = on or today
    if not row.start_date <= day <= today:
        raise BadInput(fields=("completed_on",))
    left = [one for one in days_left(session, row, day) if one.due_date > day]
    for one in left:
        one.status = DayStatus.EXCUSED
    row.status, row.ended_on, row.summary = AssignmentStatus.COMPLETED, day, summary
    session.flush()
    return Ended(queries.assignment_view(session, row.id, today=today), len(left))


def mark(
    session: Session,
    assignment_id: UUID,
    day_id: UUID,
    said: DayMark,
    *,
    now: datetime,
    today: date,
    expected_version: int | None = None,
) -> Marked:
    """Say what became of a day; one of a completed assignment may still be put right.

    Raises NotFound, AssignmentOver for a cancelled one, DayAhead, StaleVersion.
    """
    row = lock(session, assignment_id)
    if row.status is AssignmentStatus.CANCELLED:
        raise AssignmentOver(state=row.status.value)
    found = queries.assigned_day(session, row.id, day_id, today=today)
    if expected_version is not None and found.version != expected_version:
        raise StaleVersion(version=found.version)
    if said.status is Mark.MISSED and found.due > today:
        raise DayAhead(date=found.due)
    day = session.get_one(AssignmentDay, found.id)
    day.status = DayStatus(said.status)
    day.done_at = now if said.status in {Mark.DONE, Mark.PARTIAL} else None
    day.note = day.note if said.note is None else said.note or None
    session.flush()
    return Marked(
        queries.assignment_view(session, row.id, today=today),
        queries.assigned_day(session, row.id, day_id, today=today),
    )


def check_delete(session: Session, program_id: UUID) -> ProgramDeleted:
    """What deleting a program is about. Raises NotFound."""
    view = programs.program_view(session, program_id)
    return ProgramDeleted(view, programs.people_on(session, program_id), None)


def delete_program(
    session: Session, program_id: UUID, fate: OnAssigned | None, *, today: date
) -> ProgramDeleted:
    """Raises ProgramInUse where people have it and nothing was said about that."""
    row = building.lock(session, program_id)
    gone = check_delete(session, program_id)
    if gone.people and fate is None:
        raise ProgramInUse(program=row.title, people=len(gone.people))
    for one in session.scalars(
        select(Assignment).where(Assignment.program_id == row.id).with_for_update()
    ):
        if fate is OnAssigned.CANCEL and one.status not in OVER:
            _cancel(session, one, today, None)
        one.program_id = None
    session.flush()
    session.delete(row)
    session.flush()
    return ProgramDeleted(gone.program, gone.people, fate if gone.people else None)


def _cancel(session: Session, row: Assignment, today: date, reason: str | None) -> int:
    left = days_left(session, row, today)
    for one in left:
        session.delete(one)
    row.status, row.ended_on, row.reason = AssignmentStatus.CANCELLED, today, reason
    settle_end(session, row)
    session.flush()
    return len(left)
