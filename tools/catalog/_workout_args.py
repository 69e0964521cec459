"""Arguments of the tools for workouts."""

import datetime as dt
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import Field, ValidationError, model_validator

from app.core.errors import BadInput
from app.people import queries as people
from app.workouts.service.exercises import NewExercise
from app.workouts.service.results import NewResult
from app.workouts.service.workouts import (
    MovementChanges,
    NewWorkout,
    SectionChanges,
    WorkoutChanges,
)
from app.workouts.structure import (
    Burnt,
    Distance,
    Dose,
    Lasting,
    Load,
    Movement,
    Reps,
    Scheme,
    Section,
    Slug,
)
from app.workouts.terms import (
    Division,
    Measure,
    SchemeType,
    ScoreType,
    Visibility,
    WeightUnit,
    WorkoutStatus,
)
from app.workouts.text.reading import LONGEST
from app.workouts.views import WorkoutFilter
from tools.catalog._args import Listed, MemberId, OneLine, Version
from tools.catalog._program_args import WorkoutId
from tools.kit.declare import Args, Context

SectionId = Annotated[UUID, Field(description="The section, by id from workouts.get.")]
MovementId = Annotated[UUID, Field(description="The movement, by id from workouts.get.")]
Title = Annotated[OneLine, Field(min_length=1, max_length=80)]
Tag = Annotated[str, Field(min_length=1, max_length=30)]
Tags = Annotated[tuple[Tag, ...], Field(max_length=12)]
Notes = Annotated[str, Field(max_length=2_000)]
Text = Annotated[
    str, Field(min_length=1, max_length=LONGEST, description="As the coach wrote it, line by line.")
]
Sections = Annotated[tuple[Section, ...], Field(min_length=1, max_length=20)]
ExerciseSlug = Annotated[
    Slug, Field(description="Exercise from read.search_exercises, as back_squat.")
]
Word = Annotated[OneLine, Field(min_length=1, max_length=60)]


class Workouts(Listed):
    q: str | None = Field(default=None, min_length=1, max_length=80, description="In the title.")
    tags: Tags = Field(default=(), description="Having all of these.")
    scheme: SchemeType | None = Field(default=None, description="With a part done so.")
    created_by: UUID | None = Field(default=None, description="Author, from read.list_staff.")
    status: WorkoutStatus | None = Field(default=None, description="Else all but archived.")

    def wanted(self, context: Context) -> WorkoutFilter:
        author = people.staff(context.session, self.created_by) if self.created_by else None
        user = author.user_id if author else None
        return WorkoutFilter(self.q, self.tags, self.scheme, user, self.status)


class OneWorkout(Args):
    workout_id: WorkoutId


class ShowWorkout(OneWorkout):
    member_id: UUID | None = Field(
        default=None, description="Whose best lifts percentages are worked out from."
    )


class ReadText(Args):
    text: Text
    default_unit: WeightUnit | None = Field(
        default=None, description="Of weights without one; else the gym's."
    )


class Results(Listed):
    workout_id: WorkoutId
    date: dt.date | None = Field(default=None, description="Only of this local day, YYYY-MM-DD.")
    class_session_id: UUID | None = Field(default=None, description="Only of this class.")
    division: Division | None = Field(default=None, description="Only done as this.")


class CreateWorkout(Args):
    title: Title | None = Field(default=None, description="Else as the text has it.")
    sections: Sections | None = Field(default=None, description="Or give text.")
    text: Text | None = Field(default=None, description="Read as workouts.parse_text does.")
    tags: Tags = ()
    visibility: Visibility = Visibility.ORG
    coach_notes: Notes | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.sections is None) == (self.text is None):
            raise ValueError("give sections or text")
        if self.sections is not None and self.title is None:
            raise ValueError("sections need a title")
        return self

    @property
    def new(self) -> NewWorkout:
        """Of sections; a text is read first."""
        return NewWorkout(
            title=self.title or "",
            sections=self.sections or (),
            tags=self.tags,
            visibility=self.visibility,
            coach_notes=self.coach_notes,
        )


class ChangeWorkout(OneWorkout):
    title: Title | None = None
    sections: Sections | None = Field(default=None, description="The whole body anew.")
    tags: Tags | None = Field(default=None, description="All of them anew.")
    coach_notes: Notes | None = Field(default=None, description="'' takes them away.")
    status: WorkoutStatus | None = Field(default=None, description="archived: out of use.")
    expected_version: Version = None

    @property
    def changes(self) -> WorkoutChanges:
        return WorkoutChanges(
            title=self.title,
            sections=self.sections,
            tags=self.tags,
            status=self.status,
            coach_notes=self.coach_notes,
        )


class CopyWorkout(OneWorkout):
    title: Title | None = Field(default=None, description="Else the same and a number.")


class NewPart(OneWorkout):
    section: Section
    position: int | None = Field(default=None, ge=1, le=20, description="From 1; else the last.")


class OnePart(OneWorkout):
    section_id: SectionId


class ChangePart(OnePart):
    title: Annotated[OneLine, Field(max_length=80)] | None = None
    scheme: Scheme | None = None
    movements: Annotated[tuple[Movement, ...], Field(max_length=40)] | None = Field(
        default=None, description="All of them anew."
    )
    score: ScoreType | None = None
    notes: Annotated[str, Field(max_length=1_000)] | None = None
    expected_version: Version = None

    @property
    def changes(self) -> SectionChanges:
        return SectionChanges(self.title, self.scheme, self.movements, self.score, self.notes)


class ChangeMovement(OneWorkout):
    movement_id: MovementId
    exercise: ExerciseSlug | None = None
    reps: Reps | None = None
    load: Load | None = None
    distance_m: Distance | None = None
    calories: Burnt | None = None
    duration_s: Lasting | None = None
    tempo: Annotated[str, Field(max_length=4)] | None = Field(default=None, description="As 30X1.")
    notes: Annotated[str, Field(max_length=300)] | None = None
    clear: tuple[
        Literal["reps", "load", "distance_m", "calories", "duration_s", "tempo", "notes", "height"],
        ...,
    ] = Field(default=(), max_length=8, description="What is taken away.")
    expected_version: Version = None

    @property
    def changes(self) -> MovementChanges:
        """Raises BadInput for a dose that can't be."""
        names = ("reps", "load", "distance_m", "calories", "duration_s", "tempo", "notes")
        given = {name: getattr(self, name) for name in names}
        dose: dict[str, Any] = {name: one for name, one in given.items() if one is not None}
        try:
            Dose.model_validate(dose)
        except ValidationError as error:
            raise BadInput(fields=tuple(str(one["loc"][0]) for one in error.errors())) from None
        return MovementChanges(exercise=self.exercise, dose=dose, cleared=self.clear)


class DeleteWorkout(OneWorkout):
    force: bool = Field(
        default=False, description="Even if it is in use; only if the person said so."
    )


class LogResult(OneWorkout):
    member_id: MemberId
    score: str = Field(
        min_length=1, max_length=40, description="As told: 4:32, 7+12, 100 kg, 225 lb, cap+12."
    )
    rx: Division = Field(default=Division.RX, description="As which it was done.")
    performed_on: dt.date | None = Field(
        default=None, description="Local day, YYYY-MM-DD; else today."
    )
    section_id: UUID | None = Field(default=None, description="Else the first part that is scored.")
    class_session_id: UUID | None = Field(default=None, description="In which class, if in one.")
    notes: str | None = Field(default=None, max_length=500)

    @property
    def new(self) -> NewResult:
        return NewResult(
            workout_id=self.workout_id,
            member_id=self.member_id,
            score=self.score,
            performed_on=self.performed_on,
            division=self.rx,
            section_id=self.section_id,
            class_session_id=self.class_session_id,
            notes=self.notes,
        )


class AddExercise(Args):
    name: Word
    aliases: tuple[Word, ...] = Field(
        default=(), max_length=20, description="Other names and abbreviations, in any language."
    )
    equipment: tuple[Annotated[str, Field(min_length=1, max_length=30)], ...] = Field(
        default=(), max_length=6, description="As barbell, dumbbell, kettlebell, rings."
    )
    default_unit: Measure = Field(default=Measure.REPS, description="What it is counted in.")
    video_url: str | None = Field(
        default=None, max_length=300, pattern=r"^https://\S+$", description="https only."
    )

    @property
    def new(self) -> NewExercise:
        return NewExercise(
            self.name, self.aliases, self.equipment, self.default_unit, self.video_url
        )


class SearchExercises(Listed):
    q: str = Field(
        min_length=1, max_length=80, description="A name, abbreviation or alias in any language."
    )
    equipment: str | None = Field(default=None, max_length=30, description="Only with this.")


class MemberResults(Args):
    member_id: MemberId
    exercise: ExerciseSlug | None = None
    workout_id: UUID | None = Field(default=None, description="Only of this workout.")
    since: dt.date | None = Field(default=None, description="From this local day on, YYYY-MM-DD.")
    limit: int = Field(default=20, ge=1, le=100, description="Rows wanted.")
