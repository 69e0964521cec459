"""Making workouts and changing what they hold."""

from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import NotFound, StaleVersion
from app.studio import queries as studio
from app.workouts import queries
from app.workouts.errors import LastSection, NothingToRead
from app.workouts.models import (
    PersonalRecord,
    Workout,
    WorkoutResult,
    WorkoutSection,
)
from app.workouts.queries.workouts import seen_by
from app.workouts.service import building
from app.workouts.structure import Movement, Reading, Scheme, Section
from app.workouts.terms import ScoreType, Visibility, WeightUnit, WorkoutKind, WorkoutStatus
from app.workouts.text.reading import read
from app.workouts.views import MovementView, SectionView, WorkoutView

_BENCHMARKS = frozenset(("benchmark", "hero"))


@dataclass(frozen=True, slots=True)
class NewWorkout:
    title: str
    sections: tuple[Section, ...]
    tags: tuple[str, ...] = ()
    visibility: Visibility = Visibility.ORG
    coach_notes: str | None = None
    member_notes: str | None = None
    source_text: str | None = None
    benchmark: str | None = None


@dataclass(frozen=True, slots=True)
class WorkoutChanges:
    """What is to be different; None leaves a thing as it is, '' takes it away."""

    title: str | None = None
    sections: tuple[Section, ...] | None = None
    """Its whole body anew."""
    tags: tuple[str, ...] | None = None
    visibility: Visibility | None = None
    status: WorkoutStatus | None = None
    coach_notes: str | None = None
    member_notes: str | None = None


@dataclass(frozen=True, slots=True)
class SectionChanges:
    title: str | None = None
    scheme: Scheme | None = None
    movements: tuple[Movement, ...] | None = None
    score: ScoreType | None = None
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class MovementChanges:
    """`dose` holds the fields that are set anew, `cleared` names those that go."""

    exercise: str | None = None
    dose: dict[str, Any] = field(default_factory=dict)
    cleared: tuple[str, ...] = ()


def unit_of(session: Session, actor: Actor) -> WeightUnit:
    """In which bare weights are meant here."""
    return WeightUnit(studio.org(session, actor.org_id).weight_unit)


def parse(session: Session, actor: Actor, text: str, unit: WeightUnit | None = None) -> Reading:
    """What a text says, with the gym's own exercises; nothing is saved.

    Raises TextTooLong, NothingToRead.
    """
    return read(text, unit or unit_of(session, actor), queries.own_exercises(session))


def new_from_text(session: Session, actor: Actor, text: str, title: str | None) -> NewWorkout:
    """A workout as a text has it; what couldn't be read is kept in the coach's notes.

    Raises TextTooLong, NothingToRead for a text that says nothing to do.
    """
    reading = parse(session, actor, text)
    if not reading.sections:
        raise NothingToRead
    lines = [*reading.notes, *(one.text for one in reading.unread)]
    return NewWorkout(
        title=title or reading.title or _first_line(text),
        sections=reading.sections,
        tags=reading.tags,
        coach_notes="\n".join(lines) or None,
        source_text=text,
        benchmark=reading.benchmark,
    )


def with_more(
    new: NewWorkout, *, tags: tuple[str, ...], notes: str | None, seen_by: Visibility
) -> NewWorkout:
    """What was read from a text, with what is said beside it."""
    both = "\n".join(filter(None, (notes, new.coach_notes))) or None
    return replace(new, tags=(*new.tags, *tags), coach_notes=both, visibility=seen_by)


def _first_line(text: str) -> str:
    return next(line.strip() for line in text.splitlines() if line.strip())[:80]


def create(session: Session, actor: Actor, new: NewWorkout) -> WorkoutView:
    """Raises UnknownExercise."""
    building.check_exercises(session, new.sections)
    named = new.benchmark is not None or bool(_BENCHMARKS & set(new.tags))
    row = Workout(
        org_id=actor.org_id,
        title=new.title,
        kind=WorkoutKind.BENCHMARK if named else WorkoutKind.CLASS,
        visibility=new.visibility,
        tags=list(dict.fromkeys(new.tags)),
        coach_notes=new.coach_notes,
        member_notes=new.member_notes,
        source_text=new.source_text,
        benchmark_key=new.benchmark,
        created_by=actor.user_id,
    )
    session.add(row)
    session.flush()
    building.set_sections(session, row, new.sections, unit_of(session, actor))
    return queries.workout(session, actor, row.id)


def update_workout(
    session: Session,
    actor: Actor,
    workout_id: UUID,
    changes: WorkoutChanges,
    *,
    expected_version: int | None = None,
) -> WorkoutView:
    """Raises NotFound, StaleVersion, UnknownExercise."""
    row = held(session, actor, workout_id, expected_version)
    for name in ("title", "visibility", "status"):
        if (value := getattr(changes, name)) is not None:
            setattr(row, name, value)
    for name in ("coach_notes", "member_notes"):
        if (value := getattr(changes, name)) is not None:
            setattr(row, name, value or None)
    if changes.tags is not None:
        row.tags = list(dict.fromkeys(changes.tags))
    if changes.sections is not None:
        building.check_exercises(session, changes.sections)
        building.set_sections(session, row, changes.sections, unit_of(session, actor))
        building.touch(session, row)
    session.flush()
    return queries.workout(session, actor, workout_id)


def duplicate(
    session: Session, actor: Actor, workout_id: UUID, title: str | None = None
) -> WorkoutView:
    """Without a title, the same one and a number. A copy is its maker's. Raises NotFound."""
    view = queries.workout(session, actor, workout_id)
    brief = view.brief
    new = NewWorkout(
        title=title or _numbered(session, brief.title),
        sections=view.parts,
        tags=brief.tags,
        visibility=brief.visibility,
        coach_notes=brief.coach_notes,
        member_notes=brief.member_notes,
        source_text=view.source_text,
        benchmark=view.benchmark,
    )
    return create(session, actor, new)


def add_section(
    session: Session,
    actor: Actor,
    workout_id: UUID,
    section: Section,
    position: int | None = None,
) -> SectionView:
    """At a place from 1, those from there on move down; else as the last.

    Raises NotFound, UnknownExercise.
    """
    row = held(session, actor, workout_id)
    building.check_exercises(session, (section,))
    rows = building.section_rows(session, workout_id)
    at = min(position or len(rows) + 1, len(rows) + 1)
    for other in rows[at - 1 :]:
        other.position += 1
    unit = unit_of(session, actor)
    made = building.put_section(session, row, None, section, position=at, unit=unit)
    building.touch(session, row)
    return queries.section(session, actor, workout_id, made.id)


def update_section(
    session: Session,
    actor: Actor,
    workout_id: UUID,
    section_id: UUID,
    changes: SectionChanges,
    *,
    expected_version: int | None = None,
) -> SectionView:
    """Raises NotFound, StaleVersion, UnknownExercise."""
    workout = held(session, actor, workout_id, expected_version)
    view = queries.section(session, actor, workout_id, section_id)
    row = session.get_one(WorkoutSection, section_id)
    section = _changed(view.section, changes)
    building.check_exercises(session, (section,))
    unit = unit_of(session, actor)
    building.put_section(session, workout, row, section, position=row.position, unit=unit)
    building.touch(session, workout)
    return queries.section(session, actor, workout_id, section_id)


def _changed(section: Section, changes: SectionChanges) -> Section:
    texts = {"title": changes.title, "notes": changes.notes}
    parts = {
        "scheme": changes.scheme,
        "movements": changes.movements,
        "score": changes.score,
        **{name: text or None for name, text in texts.items() if text is not None},
    }
    emptied = {name for name, text in texts.items() if text == ""}
    kept = {name: one for name, one in parts.items() if one is not None or name in emptied}
    return section.model_copy(update=kept)


def remove_section(
    session: Session, actor: Actor, workout_id: UUID, section_id: UUID
) -> SectionView:
    """The last one stays: a workout without any is deleted instead. Raises LastSection."""
    workout = held(session, actor, workout_id)
    view = preview_remove_section(session, actor, workout_id, section_id)
    rows = building.section_rows(session, workout_id)
    building.take_out_section(session, session.get_one(WorkoutSection, section_id))
    for at, row in enumerate((row for row in rows if row.id != section_id), 1):
        row.position = at
    building.touch(session, workout)
    return view


def preview_remove_section(
    session: Session, actor: Actor, workout_id: UUID, section_id: UUID
) -> SectionView:
    """Raises NotFound, LastSection."""
    found = queries.workout(session, actor, workout_id)
    view = queries.section(session, actor, workout_id, section_id)
    if len(found.sections) == 1:
        raise LastSection(workout=found.brief.title)
    return view


def update_movement(
    session: Session,
    actor: Actor,
    workout_id: UUID,
    movement_id: UUID,
    changes: MovementChanges,
    *,
    expected_version: int | None = None,
) -> MovementView:
    """Raises NotFound, StaleVersion, UnknownExercise."""
    workout = held(session, actor, workout_id, expected_version)
    section, view = find_movement(session, actor, workout_id, movement_id)
    written = view.movement.model_dump(exclude_none=True)
    kept = {key: value for key, value in written.items() if key not in changes.cleared}
    if changes.exercise is not None:
        kept = {**kept, "exercise": changes.exercise, "name": None}
        kept["load"] = _without_lift(kept.get("load"))
    movement = Movement.model_validate({**kept, **changes.dose})
    others = [movement if one.id == movement_id else one.movement for one in section.movements]
    building.check_exercises(session, (section.section.model_copy(update={"movements": others}),))
    unit = unit_of(session, actor)
    building.set_movements(session, workout, section.id, others, unit)
    building.touch(session, workout)
    return find_movement(session, actor, workout_id, movement_id)[1]


def _without_lift(load: dict[str, Any] | None) -> dict[str, Any] | None:
    """Another exercise, another maximum."""
    return load and {key: value for key, value in load.items() if key != "lift"}


def find_movement(
    session: Session, actor: Actor, workout_id: UUID, movement_id: UUID
) -> tuple[SectionView, MovementView]:
    """Raises NotFound."""
    for section in queries.workout(session, actor, workout_id).sections:
        for movement in section.movements:
            if movement.id == movement_id:
                return section, movement
    raise NotFound(what="movement")


def delete(session: Session, actor: Actor, workout_id: UUID) -> WorkoutView:
    """With its parts and its results; whether it may go is asked above, where uses are known.

    A record that was set in it stays the member's. Raises NotFound.
    """
    row = held(session, actor, workout_id)
    view = queries.workout(session, actor, workout_id)
    for section in building.section_rows(session, workout_id):
        building.take_out_section(session, section)
    results = list(
        session.scalars(select(WorkoutResult).where(WorkoutResult.workout_id == workout_id))
    )
    ids = [one.id for one in results]
    for record in session.scalars(select(PersonalRecord).where(PersonalRecord.result_id.in_(ids))):
        record.result_id = None
    session.flush()
    for one in results:
        session.delete(one)
    session.flush()
    session.delete(row)
    session.flush()
    return view


def count_results(session: Session, workout_id: UUID, section_id: UUID | None = None) -> int:
    query = select(func.count()).where(WorkoutResult.workout_id == workout_id)
    if section_id is not None:
        query = query.where(WorkoutResult.section_id == section_id)
    return session.scalar(query) or 0


def held(
    session: Session, actor: Actor, workout_id: UUID, expected_version: int | None = None
) -> Workout:
    """The row, locked until the end, so that two changes come one after the other.

    Raises NotFound, StaleVersion.
    """
    query = select(Workout).where(Workout.id == workout_id, seen_by(actor))
    row = session.scalar(query.with_for_update().execution_options(populate_existing=True))
    if row is None:
        raise NotFound(what="workout")
    if expected_version is not None and expected_version != row.version:
        raise StaleVersion
    return row


def _numbered(session: Session, title: str) -> str:
    """The first free of 'Fran 2', 'Fran 3'."""
    taken = set(session.scalars(select(Workout.title).where(Workout.title.startswith(title))))
    return next(made for n in range(2, len(taken) + 3) if (made := f"{title} {n}") not in taken)
