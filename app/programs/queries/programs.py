"""Reading programs: lists of them, and what one holds."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ScalarSelect, Select, func, select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.people.models import Member, Staff
from app.programs.body import Body, BodyDay, BodyWeek, Slot
from app.programs.models import Assignment, Program, ProgramDay, ProgramWeek, ProgramWorkout
from app.programs.terms import AssignmentStatus, ProgramStatus
from app.programs.views import DayView, ProgramView, SlotView, WeekView
from app.studio.paging import Cut, Page, page
from app.workouts.models import Workout


@dataclass(frozen=True, slots=True)
class ProgramFilter:
    """Without a status: all but those out of use."""

    words: str | None = None
    status: ProgramStatus | None = None


def programs(session: Session, wanted: ProgramFilter, *, cut: Cut) -> Page[ProgramView]:
    """By title."""
    query = _programs().order_by(func.lower(Program.title), Program.id)
    if wanted.words:
        query = query.where(Program.title.icontains(wanted.words, autoescape=True))
    if wanted.status is None:
        query = query.where(Program.status != ProgramStatus.ARCHIVED)
    else:
        query = query.where(Program.status == wanted.status)
    return page(session, query, cut, lambda row: _view(*row))


def program_view(session: Session, program_id: UUID) -> ProgramView:
    row = session.execute(_programs().where(Program.id == program_id)).one_or_none()
    if row is None:
        raise NotFound(what="program")
    return _view(*row)


def program(session: Session, program_id: UUID) -> Program:
    found = session.get(Program, program_id)
    if found is None:
        raise NotFound(what="program")
    return found


def weeks(session: Session, program_id: UUID, *, number: int | None = None) -> tuple[WeekView, ...]:
    """All weeks of a program, or one, with their days and workouts."""
    query = select(ProgramWeek).where(ProgramWeek.program_id == program_id)
    if number is not None:
        query = query.where(ProgramWeek.number == number)
    rows = session.scalars(query.order_by(ProgramWeek.number)).all()
    days = _days(session, {row.id: row.number for row in rows})
    return tuple(WeekView(row.id, row.number, row.focus, tuple(days[row.id])) for row in rows)


def week(session: Session, program_id: UUID, number: int) -> WeekView:
    found = weeks(session, program_id, number=number)
    if not found:
        raise NotFound(what="program_week")
    return found[0]


def week_of_id(session: Session, program_id: UUID, week_id: UUID) -> WeekView:
    row = session.get(ProgramWeek, week_id)
    if row is None or row.program_id != program_id:
        raise NotFound(what="program_week")
    return week(session, program_id, row.number)


def slot(session: Session, program_id: UUID, slot_id: UUID) -> SlotView:
    query = _slots().where(ProgramWorkout.id == slot_id, ProgramWeek.program_id == program_id)
    row = session.execute(query).one_or_none()
    if row is None:
        raise NotFound(what="program_workout")
    return _slot(*row)


def body(session: Session, program_id: UUID) -> Body:
    """What a program holds, to make copies of."""
    return Body(weeks=tuple(map(_body_week, weeks(session, program_id))))


def people_on(session: Session, program_id: UUID) -> tuple[str, ...]:
    """Who train by a program now or are going to, in alphabetical order."""
    query = (
        select(Member)
        .join(Assignment, Assignment.member_id == Member.id)
        .where(Assignment.program_id == program_id, Assignment.status == AssignmentStatus.ACTIVE)
    )
    return tuple(sorted(row.name for row in session.scalars(query)))


def _programs() -> Select[Program, str | None, int, int]:
    return select(Program, Staff.name, _week_count(), _people_count()).outerjoin(
        Staff, Staff.id == Program.owner_id
    )


def _week_count() -> ScalarSelect[int]:
    return (
        select(func.count(ProgramWeek.id))
        .where(ProgramWeek.program_id == Program.id)
        .correlate(Program)
        .scalar_subquery()
    )


def _people_count() -> ScalarSelect[int]:
    return (
        select(func.count(Assignment.id))
        .where(Assignment.program_id == Program.id, Assignment.status == AssignmentStatus.ACTIVE)
        .correlate(Program)
        .scalar_subquery()
    )


def _view(row: Program, owner: str | None, weeks_: int, people: int) -> ProgramView:
    return ProgramView(
        id=row.id,
        version=row.version,
        title=row.title,
        description=row.description,
        goal=row.goal,
        level=row.level,
        status=row.status,
        weeks=weeks_,
        people=people,
        owner=owner,
    )


def _days(session: Session, numbers: dict[UUID, int]) -> dict[UUID, list[DayView]]:
    """The days of some weeks, by week."""
    query = select(ProgramDay).where(ProgramDay.week_id.in_(numbers))
    slots = _by_day(
        _slot(*row) for row in session.execute(_slots().where(ProgramWeek.id.in_(numbers)))
    )
    found: dict[UUID, list[DayView]] = defaultdict(list)
    for row in session.scalars(query.order_by(ProgramDay.day_no)):
        number = numbers[row.week_id]
        held = tuple(slots[number, row.day_no])
        found[row.week_id].append(DayView(row.id, number, row.day_no, row.is_rest, held))
    return found


def _by_day(slots: Iterable[SlotView]) -> dict[tuple[int, int], list[SlotView]]:
    found: dict[tuple[int, int], list[SlotView]] = defaultdict(list)
    for one in slots:
        found[one.week_no, one.day_no].append(one)
    return found


def _slots() -> Select[ProgramWorkout, str, int, int]:
    return (
        select(ProgramWorkout, Workout.title, ProgramWeek.number, ProgramDay.day_no)
        .join(Workout, Workout.id == ProgramWorkout.workout_id)
        .join(ProgramDay, ProgramDay.id == ProgramWorkout.day_id)
        .join(ProgramWeek, ProgramWeek.id == ProgramDay.week_id)
        .order_by(ProgramWorkout.position, ProgramWorkout.id)
    )


def _slot(row: ProgramWorkout, title: str, week_no: int, day_no: int) -> SlotView:
    return SlotView(row.id, row.workout_id, title, week_no, day_no, row.position, dict(row.loads))


def _body_week(view: WeekView) -> BodyWeek:
    def slot_of(one: SlotView) -> Slot:
        return Slot(workout_id=one.workout_id, title=one.title, loads=one.loads)

    days = tuple(
        BodyDay(day_no=day.day_no, is_rest=day.is_rest, slots=tuple(map(slot_of, day.slots)))
        for day in view.days
    )
    return BodyWeek(focus=view.focus, days=days)
