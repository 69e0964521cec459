"""Giving members a program or a workout: a copy of it, laid out on their dates."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import BadInput, NotFound
from app.core.ids import new_id
from app.people import queries as people
from app.people.errors import MemberErased
from app.people.models import Member
from app.people.queries import HIDDEN
from app.people.terms import MemberStatus
from app.programs.body import Placed
from app.programs.calendar import Spot, day_number, lay_out
from app.programs.errors import (
    AlreadyAssigned,
    MemberNotTraining,
    NobodyToAssign,
    ProgramArchived,
    StartInPast,
)
from app.programs.models import Assignment, AssignmentDay
from app.programs.queries import assignments as queries
from app.programs.queries import programs
from app.programs.service import building
from app.programs.service.programs import check_filled
from app.programs.terms import AssignmentKind, AssignmentStatus, ProgramStatus
from app.programs.views import AssignmentView
from app.schedule.errors import CoachInactive, DateTooFar
from app.studio import queries as studio

FURTHEST = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class AssignRequest:
    """A program or a workout, for whoever is to have it."""

    start: date
    program_id: UUID | None = None
    workout_id: UUID | None = None
    weekdays: tuple[int, ...] = ()
    """0 is Sunday; none: each workout keeps its own weekday."""
    coach_id: UUID | None = None
    """None: whoever assigns it."""
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class Copy:
    """What is assigned, as it is now, on its dates."""

    wish: AssignRequest
    kind: AssignmentKind
    title: str
    revision: int
    placed: tuple[Placed, ...]
    dates: dict[Spot, date]

    @property
    def first(self) -> date:
        return min(self.dates.values())

    @property
    def end(self) -> date:
        return max(self.dates.values())


@dataclass(frozen=True, slots=True)
class Skipped:
    member: str
    reason: str
    """`already_assigned` or `member_not_training`."""


@dataclass(frozen=True, slots=True)
class BulkPlan:
    """Who would get it, by id and name, and who wouldn't."""

    copy: Copy
    given: tuple[tuple[UUID, str], ...]
    skipped: tuple[Skipped, ...]


def copy_of(session: Session, actor: Actor, wish: AssignRequest, *, today: date) -> Copy:
    """Raises NotFound, ProgramArchived, ProgramEmpty, WorkoutArchived, StartInPast, DateTooFar."""
    check_start(wish.start, today)
    if wish.coach_id is not None:
        check_coach(session, wish.coach_id)
    org = studio.org(session, actor.org_id)
    kind, title, revision, placed = _content(session, actor, wish, org.week_start)
    dates = lay_out(
        (one.spot for one in placed),
        wish.start,
        week_start=org.week_start,
        weekdays=frozenset(wish.weekdays),
    )
    return Copy(wish, kind, title, revision, placed, dates)


def assign(session: Session, actor: Actor, member_id: UUID, copy: Copy) -> UUID:
    """Give one member a copy. Raises NotFound, MemberErased, MemberNotTraining, AlreadyAssigned."""
    member = session.scalar(
        select(Member).where(Member.id == member_id).with_for_update(key_share=True)
    )
    if member is None:
        raise NotFound(what="member")
    if member.status is MemberStatus.ERASED:
        raise MemberErased
    if member.status in HIDDEN:
        raise MemberNotTraining(member=member.name)
    if member_id in _holders(session, [member_id], copy.wish.program_id):
        raise AlreadyAssigned(member=member.name, program=copy.title)
    made = _row(session, actor, member_id, copy)
    session.add(made)
    session.flush()
    put_days(session, made, copy.placed, copy.dates)
    return made.id


def create(
    session: Session, actor: Actor, member_id: UUID, wish: AssignRequest, *, today: date
) -> AssignmentView:
    copy = copy_of(session, actor, wish, today=today)
    return queries.assignment_view(session, assign(session, actor, member_id, copy), today=today)


def plan_many(
    session: Session,
    actor: Actor,
    member_ids: Collection[UUID],
    wish: AssignRequest,
    *,
    today: date,
) -> BulkPlan:
    """What giving it to many would do, in the order of names.

    Raises NotFound for any who is unknown, NobodyToAssign, and as for one.
    """
    copy = copy_of(session, actor, wish, today=today)
    members = session.scalars(select(Member).where(Member.id.in_(member_ids))).all()
    if len(members) < len(set(member_ids)):
        raise NotFound(what="member")
    holders = _holders(session, member_ids, wish.program_id)
    given, skipped = [], []
    for one in sorted(members, key=lambda one: (one.name, one.id)):
        if one.status in HIDDEN:
            skipped.append(Skipped(one.name, MemberNotTraining.code))
        elif one.id in holders:
            skipped.append(Skipped(one.name, AlreadyAssigned.code))
        else:
            given.append((one.id, one.name))
    if not given:
        raise NobodyToAssign(program=copy.title)
    return BulkPlan(copy, tuple(given), tuple(skipped))


def put_days(
    session: Session, row: Assignment, placed: Collection[Placed], dates: dict[Spot, date]
) -> None:
    session.add_all(
        AssignmentDay(
            org_id=row.org_id,
            assignment_id=row.id,
            due_date=dates[one.spot],
            week_no=one.spot.week_no,
            day_no=one.spot.day_no,
            position=one.position,
            workout_id=one.slot.workout_id,
            title=one.slot.title,
            loads=dict(one.slot.loads),
        )
        for one in placed
    )
    session.flush()


def check_start(start: date, today: date) -> None:
    if start < today:
        raise StartInPast(date=start)
    if start > today + FURTHEST:
        raise DateTooFar(date=start)


def check_coach(session: Session, coach_id: UUID) -> None:
    coach = people.staff(session, coach_id)
    if not coach.active:
        raise CoachInactive(coach=coach.name)


def _content(
    session: Session, actor: Actor, wish: AssignRequest, week_start: int
) -> tuple[AssignmentKind, str, int, tuple[Placed, ...]]:
    """What is copied: its kind, its title, its revision and its workouts.

    Raises BadInput where it is both or neither.
    """
    whole = None if wish.program_id is None else _of_program(session, wish.program_id)
    single = (
        None if wish.workout_id is None else building.slots_of(session, actor, [wish.workout_id])
    )
    if whole is not None and single is None:
        return whole
    if single is None or whole is not None:
        raise BadInput(fields=("program_id", "workout_id"))
    (slot,) = single.values()
    spot = Spot(1, day_number(wish.start, week_start))
    return AssignmentKind.WORKOUT, slot.title, 1, (Placed(spot, 1, slot),)


def _of_program(
    session: Session, program_id: UUID
) -> tuple[AssignmentKind, str, int, tuple[Placed, ...]]:
    row = programs.program(session, program_id)
    if row.status is ProgramStatus.ARCHIVED:
        raise ProgramArchived(program=row.title)
    placed = tuple(check_filled(session, row).placed())
    return AssignmentKind.PROGRAM, row.title, row.revision, placed


def _holders(session: Session, member_ids: Collection[UUID], program_id: UUID | None) -> set[UUID]:
    """Which of these train by a program already; a single workout anybody may get again."""
    query = select(Assignment.member_id).where(
        Assignment.member_id.in_(member_ids),
        Assignment.program_id == program_id,
        Assignment.status == AssignmentStatus.ACTIVE,
    )
    return set() if program_id is None else set(session.scalars(query))


def _row(session: Session, actor: Actor, member_id: UUID, copy: Copy) -> Assignment:
    wish = copy.wish
    return Assignment(
        id=new_id(),
        org_id=actor.org_id,
        member_id=member_id,
        kind=copy.kind,
        program_id=wish.program_id,
        workout_id=wish.workout_id,
        title=copy.title,
        revision=copy.revision,
        coach_id=wish.coach_id or building.own_place(session, actor),
        start_date=wish.start,
        end_date=copy.end,
        days_of_week=sorted(wish.weekdays),
        notes=wish.notes,
    )
