"""Tables of workouts: a gym's own exercises, workouts with their parts, results and records."""

from datetime import date
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core.columns import text_enum
from app.core.db import OrgRow
from app.core.erasing import Erasure, blanked, kept
from app.core.sought import Sought
from app.people.models import Member
from app.workouts.terms import (
    Division,
    Measure,
    ScoreType,
    SectionKind,
    Visibility,
    WeightUnit,
    WorkoutKind,
    WorkoutStatus,
)


class Exercise(OrgRow):
    """An exercise that a gym added; those that everybody knows are the library's, not rows."""

    __tablename__ = "exercise"
    __sought__: ClassVar[Sought] = Sought("exercise", ("name", "aliases"))
    __table_args__ = (UniqueConstraint("org_id", "slug"),)

    slug: Mapped[str]
    """What movements name it by; never one of the library's."""
    name: Mapped[str]
    aliases: Mapped[list[str]] = mapped_column(ARRAY(Text()), default=list)
    equipment: Mapped[list[str]] = mapped_column(ARRAY(Text()), default=list)
    measure: Mapped[Measure] = mapped_column(text_enum(Measure), default=Measure.REPS)
    video_url: Mapped[str | None]
    created_by: Mapped[UUID | None]


class Workout(OrgRow):
    __tablename__ = "workout"
    __sought__: ClassVar[Sought] = Sought("workout", ("title", "tags"))
    __table_args__ = (Index("ix_workout_tags", "tags", postgresql_using="gin"),)

    title: Mapped[str]
    kind: Mapped[WorkoutKind] = mapped_column(text_enum(WorkoutKind), default=WorkoutKind.CLASS)
    status: Mapped[WorkoutStatus] = mapped_column(
        text_enum(WorkoutStatus), default=WorkoutStatus.READY
    )
    visibility: Mapped[Visibility] = mapped_column(text_enum(Visibility), default=Visibility.ORG)
    tags: Mapped[list[str]] = mapped_column(ARRAY(Text()), default=list)
    est_minutes: Mapped[int | None]
    coach_notes: Mapped[str | None]
    member_notes: Mapped[str | None]
    source_text: Mapped[str | None]
    """What it was read from, as the coach wrote it."""
    benchmark_key: Mapped[str | None] = mapped_column(index=True)
    """A named workout that scores are compared over, as `fran`."""
    created_by: Mapped[UUID | None]
    """A user."""


class WorkoutSection(OrgRow):
    __tablename__ = "workout_section"

    workout_id: Mapped[UUID] = mapped_column(ForeignKey(Workout.id), index=True)
    position: Mapped[int]
    """From 1, without gaps."""
    label: Mapped[str | None]
    kind: Mapped[SectionKind] = mapped_column(text_enum(SectionKind))
    title: Mapped[str | None]
    scheme: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """A `Scheme` of the structure."""
    score: Mapped[ScoreType] = mapped_column(text_enum(ScoreType))
    notes: Mapped[str | None]


class WorkoutMovement(OrgRow):
    __tablename__ = "workout_movement"

    section_id: Mapped[UUID] = mapped_column(ForeignKey(WorkoutSection.id), index=True)
    position: Mapped[int]
    """From 1, without gaps."""
    exercise: Mapped[str | None] = mapped_column(index=True)
    """A slug; none where the text names something that the library doesn't know."""
    dose: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """The rest of a `Movement` of the structure: reps, load, distance and so on."""


class MovementScaling(OrgRow):
    """What a movement becomes at another level."""

    __tablename__ = "movement_scaling"

    movement_id: Mapped[UUID] = mapped_column(ForeignKey(WorkoutMovement.id), index=True)
    level: Mapped[Division] = mapped_column(text_enum(Division))
    exercise: Mapped[str | None]
    dose: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """What replaces the movement's own; the rest stays."""


class WorkoutResult(OrgRow):
    """What a member scored. The part it was for may be gone by now; the score stays."""

    __tablename__ = "workout_result"
    __erase__: ClassVar[Erasure] = blanked(keeps=("score_text",), notes=None)
    __table_args__ = (Index("ix_workout_result_ranked", "workout_id", "performed_on"),)

    workout_id: Mapped[UUID] = mapped_column(ForeignKey(Workout.id))
    section_id: Mapped[UUID | None]
    member_id: Mapped[UUID] = mapped_column(ForeignKey(Member.id), index=True)
    class_session_id: Mapped[UUID | None] = mapped_column(index=True)
    assignment_day_id: Mapped[UUID | None] = mapped_column(index=True)
    performed_on: Mapped[date]
    score_type: Mapped[ScoreType] = mapped_column(text_enum(ScoreType))
    rounds: Mapped[int | None]
    """Whole rounds, where rounds are counted."""
    score_value: Mapped[int] = mapped_column(BigInteger)
    """Milliseconds, reps (beyond the whole rounds), grams, metres or calories."""
    capped: Mapped[bool] = mapped_column(default=False)
    """The clock ran out: the value is the reps that were done by then."""
    unit: Mapped[WeightUnit | None] = mapped_column(text_enum(WeightUnit))
    """In which a load was entered."""
    score_text: Mapped[str]
    """As it was entered."""
    rx_level: Mapped[Division] = mapped_column(text_enum(Division), default=Division.RX)
    is_pr: Mapped[bool] = mapped_column(default=False)
    notes: Mapped[str | None]
    logged_by: Mapped[UUID | None]
    """A user."""


class PersonalRecord(OrgRow):
    """The heaviest a member lifted for so many reps, each time that it was beaten."""

    __tablename__ = "personal_record"
    __erase__: ClassVar[Erasure] = kept("exercise")
    __table_args__ = (Index("ix_personal_record_lift", "member_id", "exercise", "rep_max"),)

    member_id: Mapped[UUID] = mapped_column(ForeignKey(Member.id))
    exercise: Mapped[str]
    rep_max: Mapped[int]
    value_g: Mapped[int]
    unit: Mapped[WeightUnit] = mapped_column(text_enum(WeightUnit))
    """In which it was entered."""
    achieved_on: Mapped[date]
    result_id: Mapped[UUID | None] = mapped_column(ForeignKey(WorkoutResult.id), index=True)
