"""Tables of programs, their templates, what was assigned of them, and the workout of the day."""

from datetime import date, datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, Index, Integer, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core.columns import text_enum
from app.core.db import OrgRow
from app.core.erasing import PSEUDONYM, Erasure, blanked, within
from app.core.sought import Sought
from app.people.models import Member, Staff
from app.programs.terms import (
    AssignmentKind,
    AssignmentStatus,
    DailyStatus,
    DayStatus,
    Level,
    ProgramStatus,
)
from app.schedule.models import ClassSession, ClassType
from app.workouts.models import Workout


class ProgramTemplate(OrgRow):
    """A program to make others from: what it holds is its own, and nobody else's."""

    __tablename__ = "program_template"

    title: Mapped[str]
    description: Mapped[str | None]
    goal: Mapped[str | None]
    level: Mapped[Level] = mapped_column(text_enum(Level), default=Level.ANY)
    parameters: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, default=list)
    """A list of `Parameter`: lifts, and the percentage that each starts at."""
    body: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """A `Body`: weeks, days, workouts."""
    owner_id: Mapped[UUID | None] = mapped_column(ForeignKey(Staff.id))


class Program(OrgRow):
    __tablename__ = "program"
    __sought__: ClassVar[Sought] = Sought("program", ("title", "goal"))

    title: Mapped[str]
    description: Mapped[str | None]
    goal: Mapped[str | None]
    level: Mapped[Level] = mapped_column(text_enum(Level), default=Level.ANY)
    status: Mapped[ProgramStatus] = mapped_column(
        text_enum(ProgramStatus), default=ProgramStatus.DRAFT
    )
    revision: Mapped[int] = mapped_column(default=1)
    """Moves with every change of its weeks, days and workouts: assignments say which they hold."""
    owner_id: Mapped[UUID | None] = mapped_column(ForeignKey(Staff.id))
    template_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(ProgramTemplate.id, ondelete="SET NULL"), index=True
    )


class ProgramWeek(OrgRow):
    __tablename__ = "program_week"
    __table_args__ = (
        UniqueConstraint("program_id", "number", deferrable=True, initially="DEFERRED"),
    )

    program_id: Mapped[UUID] = mapped_column(ForeignKey(Program.id, ondelete="CASCADE"))
    number: Mapped[int]
    """From 1, without gaps."""
    focus: Mapped[str | None]


class ProgramDay(OrgRow):
    """One of the seven days that each week has."""

    __tablename__ = "program_day"
    __table_args__ = (UniqueConstraint("week_id", "day_no"),)

    week_id: Mapped[UUID] = mapped_column(ForeignKey(ProgramWeek.id, ondelete="CASCADE"))
    day_no: Mapped[int]
    """1 is the day that the gym's week begins with."""
    is_rest: Mapped[bool]


class ProgramWorkout(OrgRow):
    """A workout placed on a day."""

    __tablename__ = "program_workout"

    day_id: Mapped[UUID] = mapped_column(ForeignKey(ProgramDay.id, ondelete="CASCADE"), index=True)
    workout_id: Mapped[UUID] = mapped_column(ForeignKey(Workout.id, ondelete="CASCADE"), index=True)
    position: Mapped[int]
    """From 1, in the order of the day."""
    loads: Mapped[dict[str, int]] = mapped_column(JSONB, default=dict)
    """How much heavier than written, in percent, by lift; `*` is every lift."""


class Assignment(OrgRow):
    """A program or a workout as one member has it: a copy that later changes don't reach."""

    __tablename__ = "assignment"
    __erase__: ClassVar[Erasure] = blanked(title=PSEUDONYM, reason=None, summary=None, notes=None)
    __table_args__ = (
        Index(
            "uq_assignment_once",
            "member_id",
            "program_id",
            unique=True,
            postgresql_where=text("status = 'active'"),
        ),
    )

    member_id: Mapped[UUID] = mapped_column(ForeignKey(Member.id), index=True)
    kind: Mapped[AssignmentKind] = mapped_column(text_enum(AssignmentKind))
    program_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Program.id, ondelete="SET NULL"), index=True
    )
    """None where the program was deleted and the copy kept."""
    workout_id: Mapped[UUID | None] = mapped_column(ForeignKey(Workout.id, ondelete="SET NULL"))
    title: Mapped[str]
    """As it was called when it was assigned."""
    revision: Mapped[int]
    """The program's, when it was copied."""
    coach_id: Mapped[UUID | None] = mapped_column(ForeignKey(Staff.id), index=True)
    start_date: Mapped[date]
    end_date: Mapped[date]
    """The day that the last workout is due."""
    days_of_week: Mapped[list[int]] = mapped_column(ARRAY(Integer()), default=list)
    """0 is Sunday; empty: each workout keeps the weekday that it has."""
    status: Mapped[AssignmentStatus] = mapped_column(
        text_enum(AssignmentStatus), default=AssignmentStatus.ACTIVE
    )
    """Only `active`, `completed` or `cancelled`: the others follow from the dates."""
    ended_on: Mapped[date | None]
    reason: Mapped[str | None]
    """Why it was cancelled."""
    summary: Mapped[str | None]
    """What was said when it was completed."""
    notes: Mapped[str | None]


class AssignmentDay(OrgRow):
    """A workout that is due on a day; two on one day are two of these."""

    __tablename__ = "assignment_day"
    __erase__: ClassVar[Erasure] = blanked(
        within("assignment_id"), keeps=("title", "loads"), note=None
    )
    __table_args__ = (Index("ix_assignment_day_due", "assignment_id", "due_date"),)

    assignment_id: Mapped[UUID] = mapped_column(ForeignKey(Assignment.id, ondelete="CASCADE"))
    due_date: Mapped[date]
    week_no: Mapped[int]
    day_no: Mapped[int]
    position: Mapped[int]
    workout_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Workout.id, ondelete="SET NULL"), index=True
    )
    title: Mapped[str]
    """The workout's, when it was copied."""
    loads: Mapped[dict[str, int]] = mapped_column(JSONB, default=dict)
    status: Mapped[DayStatus] = mapped_column(text_enum(DayStatus), default=DayStatus.UPCOMING)
    """`upcoming`, or what it was marked as."""
    done_at: Mapped[datetime | None]
    note: Mapped[str | None]


class AssignmentPause(OrgRow):
    """Days on which nothing is due, the last of them included."""

    __tablename__ = "assignment_pause"
    __erase__: ClassVar[Erasure] = blanked(within("assignment_id"), keeps=("dates",), reason=None)

    assignment_id: Mapped[UUID] = mapped_column(
        ForeignKey(Assignment.id, ondelete="CASCADE"), index=True
    )
    from_date: Mapped[date]
    until_date: Mapped[date | None]
    """None: until somebody resumes it."""
    planned_until: Mapped[date | None]
    """What was said when it began."""
    reason: Mapped[str | None]
    dates: Mapped[dict[str, str]] = mapped_column(JSONB, default=dict)
    """When each day that was moved for it had been due, by the day's id."""


class DailyProgramming(OrgRow):
    """The workout of the day of one kind of class."""

    __tablename__ = "daily_programming"
    __table_args__ = (UniqueConstraint("org_id", "date", "class_type_id"),)

    day: Mapped[date] = mapped_column("date")
    class_type_id: Mapped[UUID] = mapped_column(ForeignKey(ClassType.id), index=True)
    workout_id: Mapped[UUID] = mapped_column(ForeignKey(Workout.id, ondelete="CASCADE"), index=True)
    status: Mapped[DailyStatus] = mapped_column(text_enum(DailyStatus), default=DailyStatus.DRAFT)
    """`draft` or `published`; a draft whose time has come is seen as well."""
    publish_at: Mapped[datetime | None]
    member_notes: Mapped[str | None]
    coach_notes: Mapped[str | None]
    replaced: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    """What stood here before it was set last, so that taking this back brings it back."""


class SessionWorkout(OrgRow):
    """A workout of one class alone, instead of its day's."""

    __tablename__ = "session_workout"
    __table_args__ = (UniqueConstraint("session_id", "workout_id"),)

    session_id: Mapped[UUID] = mapped_column(
        ForeignKey(ClassSession.id, ondelete="CASCADE"), index=True
    )
    workout_id: Mapped[UUID] = mapped_column(ForeignKey(Workout.id, ondelete="CASCADE"), index=True)
    position: Mapped[int]
    visible_from: Mapped[datetime | None]
    """When members see it; None: at once."""
    removed: Mapped[bool] = mapped_column(default=False)
    """Taken off again; kept so that this can be taken back as it was."""
