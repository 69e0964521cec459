"""When what was assigned is due: other dates, pauses, going on, and following the program again."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import flag_modified

from app.core.actor import Actor
from app.core.errors import BadInput, NotFound, StaleVersion
from app.programs.calendar import DAY, WEEK, Spot, lay_out, put_off, rotated
from app.programs.errors import (
    AlreadyPaused,
    AssignmentBegun,
    AssignmentOver,
    AssignmentPaused,
    NothingLeft,
    NotPaused,
    ProgramGone,
    StartInPast,
)
from app.programs.models import Assignment, AssignmentDay, AssignmentPause
from app.programs.queries import assignments as queries
from app.programs.queries import programs
from app.programs.service.assigning import FURTHEST, check_coach, check_start, put_days
from app.programs.service.programs import check_filled
from app.programs.terms import OVER, DayStatus
from app.programs.views import AssignmentView
from app.schedule.errors import DateTooFar
from app.studio import queries as studio


@dataclass(frozen=True, slots=True)
class AssignmentChanges:
    """What is to be different; None leaves a thing as it is, '' takes notes away."""

    start: date | None = None
    shift_days: int | None = None
    weekdays: tuple[int, ...] | None = None
    coach_id: UUID | None = None
    notes: str | None = None
    resync: bool = False
    """Take what the program holds now for the days ahead."""


def lock(
    session: Session, assignment_id: UUID, *, expected_version: int | None = None
) -> Assignment:
    """The row of an assignment, for this transaction alone. Raises NotFound, StaleVersion."""
    query = select(Assignment).where(Assignment.id == assignment_id)
    found = session.scalar(query.with_for_update().execution_options(populate_existing=True))
    if found is None:
        raise NotFound(what="assignment")
    if expected_version is not None and found.version != expected_version:
        raise StaleVersion(version=found.version)
    return found


def check_open(row: Assignment) -> None:
    if row.status in OVER:
        raise AssignmentOver(state=row.status.value)


def update(
    session: Session,
    assignment_id: UUID,
    changes: AssignmentChanges,
    *,
    today: date,
    expected_version: int | None = None,
) -> AssignmentView:
    """Raises what is wrong with the new dates; nothing that is over or marked is moved."""
    row = lock(session, assignment_id, expected_version=expected_version)
    check_open(row)
    if changes.coach_id is not None:
        check_coach(session, changes.coach_id)
        row.coach_id = changes.coach_id
    row.notes = row.notes if changes.notes is None else changes.notes or None
    if _moves(changes):
        _check_not_paused(session, row, today)
        _move(session, row, changes, today)
        settle_end(session, row)
    session.flush()
    return queries.assignment_view(session, row.id, today=today)


def pause(
    session: Session,
    actor: Actor,
    assignment_id: UUID,
    *,
    today: date,
    until: date | None = None,
    reason: str | None = None,
) -> AssignmentView:
    """From today on, to a day or until somebody resumes it. Taking a resume back reopens its pause.

    Raises AssignmentOver, AlreadyPaused, BadInput.
    """
    row = lock(session, assignment_id)
    last = _last_pause(session, row)
    if actor.undoing and last is not None:
        _stretch(session, row, last, last.planned_until)
        return queries.assignment_view(session, row.id, today=today)
    check_open(row)
    if last is not None and _goes_on(last, today):
        raise AlreadyPaused
    if until is not None and not today <= until <= today + FURTHEST:
        raise BadInput(fields=("until",))
    made = AssignmentPause(
        org_id=row.org_id,
        assignment_id=row.id,
        from_date=today,
        planned_until=until,
        reason=reason,
        dates={},
    )
    session.add(made)
    _stretch(session, row, made, until)
    return queries.assignment_view(session, row.id, today=today)


def resume(
    session: Session,
    actor: Actor,
    assignment_id: UUID,
    *,
    today: date,
    on: date | None = None,
) -> AssignmentView:
    """From today or another day on; what is left moves there. Taking a pause back leaves no trace.

    Raises AssignmentOver, NotPaused, StartInPast, DateTooFar.
    """
    row = lock(session, assignment_id)
    last = _last_pause(session, row)
    if last is None or not (actor.undoing or _goes_on(last, today)):
        raise NotPaused
    if actor.undoing:
        _stretch(session, row, last, last.from_date - DAY)
        session.delete(last)
    else:
        check_open(row)
        check_start(on or today, today)
        _stretch(session, row, last, (on or today) - DAY)
    session.flush()
    return queries.assignment_view(session, row.id, today=today)


def days_left(session: Session, row: Assignment, since: date) -> Sequence[AssignmentDay]:
    """What isn't marked of what is due from a day on."""
    query = select(AssignmentDay).where(
        AssignmentDay.assignment_id == row.id,
        AssignmentDay.status == DayStatus.UPCOMING,
        AssignmentDay.due_date >= since,
    )
    return session.scalars(query.order_by(AssignmentDay.due_date, AssignmentDay.position)).all()


def settle_end(session: Session, row: Assignment) -> None:
    session.flush()
    query = select(AssignmentDay.due_date).where(AssignmentDay.assignment_id == row.id)
    row.end_date = max(session.scalars(query), default=row.start_date)


def _moves(changes: AssignmentChanges) -> bool:
    dates = (changes.start, changes.shift_days, changes.weekdays)
    return changes.resync or any(one is not None for one in dates)


def _check_not_paused(session: Session, row: Assignment, today: date) -> None:
    last = _last_pause(session, row)
    if last is not None and _goes_on(last, today):
        raise AssignmentPaused


def _move(session: Session, row: Assignment, changes: AssignmentChanges, today: date) -> None:
    if changes.weekdays is not None:
        row.days_of_week = sorted(set(changes.weekdays))
    if changes.resync:
        _follow_again(session, row, today)
    if changes.start is not None:
        _restart(session, row, changes.start, today)
    elif changes.weekdays is not None:
        _lay_out_left(session, row, today)
    if changes.shift_days is not None:
        _shift(session, row, changes.shift_days, today)


def _restart(session: Session, row: Assignment, start: date, today: date) -> None:
    """From another day on. Raises AssignmentBegun where any of it is over or marked."""
    check_start(start, today)
    left = days_left(session, row, today)
    if len(left) < len(_all_days(session, row)):
        raise AssignmentBegun
    row.start_date = start
    dates = _laid_out(session, row, map(_spot, left), start, begins=None)
    _set_dates(left, {one.id: dates[_spot(one)] for one in left})


def _lay_out_left(session: Session, row: Assignment, today: date) -> None:
    left = _some_left(session, row, today)
    start = max(today, row.start_date)
    dates = _laid_out(session, row, map(_spot, left), start, begins=_begun(session, row, left))
    _set_dates(left, {one.id: dates[_spot(one)] for one in left})


def _laid_out(
    session: Session,
    row: Assignment,
    spots: Iterable[Spot],
    start: date,
    *,
    begins: tuple[int, date] | None,
) -> dict[Spot, date]:
    return lay_out(
        spots,
        start,
        week_start=studio.org(session, row.org_id).week_start,
        weekdays=frozenset(row.days_of_week),
        begins=begins,
    )


def _begun(session: Session, row: Assignment, left: Sequence[AssignmentDay]) -> tuple[int, date]:
    """The week of the program that the first of these is in, and when that one began."""
    number = min(one.week_no for one in left)
    of_week = [one.due_date for one in _all_days(session, row) if one.week_no == number]
    return number, row.start_date + WEEK * ((min(of_week) - row.start_date) // WEEK)


def _shift(session: Session, row: Assignment, by: int, today: date) -> None:
    """All that is left, by so many days; its weekdays turn with it. Raises StartInPast."""
    left = _some_left(session, row, today)
    moved = {one.id: one.due_date + timedelta(days=by) for one in left}
    if min(moved.values()) < today:
        raise StartInPast(date=min(moved.values()))
    if max(moved.values()) > today + 2 * FURTHEST:
        raise DateTooFar(date=max(moved.values()))
    row.days_of_week = rotated(row.days_of_week, by)
    if row.start_date >= today:
        row.start_date = max(today, row.start_date + timedelta(days=by))
    _set_dates(left, moved)


def _follow_again(session: Session, row: Assignment, today: date) -> None:
    """The program as it is now, from where this one has come to. Raises ProgramGone, NothingLeft.

    What is over or marked stays, and what it stands for isn't done twice.
    """
    if row.program_id is None:
        raise ProgramGone
    program = programs.program(session, row.program_id)
    placed = check_filled(session, program).placed()
    left = _some_left(session, row, today)
    ids = {one.id for one in left}
    kept = [one for one in _all_days(session, row) if one.id not in ids]
    passed = max((_spot(one) for one in kept if one.due_date <= today), default=Spot(0, 0))
    gone = [one for one in left if _spot(one) > passed]
    stays = {_spot(one) for one in kept}
    ahead = [one for one in placed if one.spot > passed and one.spot not in stays]
    begins = _begun(session, row, gone or left)
    for one in gone:
        session.delete(one)
    spots = (one.spot for one in ahead)
    dates = _laid_out(session, row, spots, gone[0].due_date if gone else today, begins=begins)
    put_days(session, row, ahead, dates)
    row.revision, row.title = program.revision, program.title


def _stretch(
    session: Session, row: Assignment, pause_: AssignmentPause, until: date | None
) -> None:
    """Let a pause end on a day, or not yet; what is left is due as that asks, and no later.

    When each day had been due before the pause is kept with it: so it can be made longer, shorter
    or undone, and the dates are each time those of a pause that had been so from the beginning.
    """
    left = {one.id: one for one in days_left(session, row, pause_.from_date)}
    before = {key: _before(pause_, one) for key, one in left.items()}
    moved: Mapping[date, date] = {}
    if until is not None and until >= pause_.from_date:
        moved = put_off(before.values(), until + DAY, frozenset(row.days_of_week))
    after = {key: moved.get(day, day) for key, day in before.items()}
    _set_dates(list(left.values()), after)
    pause_.until_date = until
    pause_.dates = {str(key): day.isoformat() for key, day in before.items() if after[key] != day}
    settle_end(session, row)
    flag_modified(row, "end_date")  # so that an older undo finds a conflict, even if no day moved
    session.flush()


def _before(pause_: AssignmentPause, day: AssignmentDay) -> date:
    kept = pause_.dates.get(str(day.id))
    return day.due_date if kept is None else date.fromisoformat(kept)


def _goes_on(pause_: AssignmentPause, today: date) -> bool:
    return pause_.until_date is None or pause_.until_date >= today


def _last_pause(session: Session, row: Assignment) -> AssignmentPause | None:
    query = select(AssignmentPause).where(AssignmentPause.assignment_id == row.id)
    return session.scalar(
        query.order_by(AssignmentPause.from_date.desc(), AssignmentPause.id.desc()).limit(1)
    )


def _some_left(session: Session, row: Assignment, today: date) -> Sequence[AssignmentDay]:
    left = days_left(session, row, today)
    if not left:
        raise NothingLeft
    return left


def _all_days(session: Session, row: Assignment) -> Sequence[AssignmentDay]:
    query = select(AssignmentDay).where(AssignmentDay.assignment_id == row.id)
    return session.scalars(query).all()


def _set_dates(left: Collection[AssignmentDay], dates: Mapping[UUID, date]) -> None:
    for one in left:
        if one.due_date != dates[one.id]:
            one.due_date = dates[one.id]


def _spot(day: AssignmentDay) -> Spot:
    return Spot(day.week_no, day.day_no)
