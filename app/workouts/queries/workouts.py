"""Reading workouts: one with all its parts, or many without."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, exists, or_, select
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.errors import NotFound
from app.studio.paging import Cut, Page, page
from app.workouts import storage
from app.workouts.models import MovementScaling, Workout, WorkoutMovement, WorkoutSection
from app.workouts.structure import Movement, Scaling, Section
from app.workouts.terms import HIDDEN, Visibility
from app.workouts.views import (
    MovementView,
    SectionView,
    WorkoutBrief,
    WorkoutFilter,
    WorkoutView,
)


def brief(session: Session, workout_id: UUID) -> WorkoutBrief:
    """A workout without its parts. Raises NotFound."""
    found = session.get(Workout, workout_id)
    if found is None:
        raise NotFound(what="workout")
    return brief_view(found)


def briefs(session: Session, workout_ids: Collection[UUID]) -> dict[UUID, WorkoutBrief]:
    """Several at once, by id; what isn't there is left out."""
    rows = session.scalars(select(Workout).where(Workout.id.in_(workout_ids)))
    return {row.id: brief_view(row) for row in rows}


def workouts(
    session: Session, actor: Actor, wanted: WorkoutFilter, *, cut: Cut
) -> Page[WorkoutBrief]:
    """By title; those of others that are private only for who runs the gym."""
    query = select(Workout).where(seen_by(actor), *_terms(wanted))
    query = query.order_by(Workout.title, Workout.created_at, Workout.id)
    return page(session, query, cut, lambda row: brief_view(row[0]))


def workout(session: Session, actor: Actor, workout_id: UUID) -> WorkoutView:
    """With its sections and movements. Raises NotFound, for what is private to another too."""
    row = session.scalar(select(Workout).where(Workout.id == workout_id, seen_by(actor)))
    if row is None:
        raise NotFound(what="workout")
    sections = session.scalars(
        select(WorkoutSection)
        .where(WorkoutSection.workout_id == workout_id)
        .order_by(WorkoutSection.position)
    ).all()
    return WorkoutView(
        brief=brief_view(row),
        sections=_sections(session, sections),
        benchmark=row.benchmark_key,
        source_text=row.source_text,
    )


def section(session: Session, actor: Actor, workout_id: UUID, section_id: UUID) -> SectionView:
    """One of a workout's. Raises NotFound."""
    found = workout(session, actor, workout_id).sections
    one = next((one for one in found if one.id == section_id), None)
    if one is None:
        raise NotFound(what="section")
    return one


def seen_by(actor: Actor) -> ColumnElement[bool]:
    """A private workout is its author's, and of who runs the gym."""
    if actor.undoing or actor.role.at_least(Role.ADMIN):
        return Workout.org_id == actor.org_id
    return or_(Workout.visibility == Visibility.ORG, Workout.created_by == actor.user_id)


def brief_view(row: Workout) -> WorkoutBrief:
    return WorkoutBrief(
        id=row.id,
        version=row.version,
        title=row.title,
        kind=row.kind,
        status=row.status,
        visibility=row.visibility,
        tags=tuple(row.tags),
        est_minutes=row.est_minutes,
        coach_notes=row.coach_notes,
        member_notes=row.member_notes,
        created_by=row.created_by,
    )


def _terms(wanted: WorkoutFilter) -> list[ColumnElement[bool]]:
    terms: list[ColumnElement[bool]] = []
    if wanted.q is not None:
        terms += [Workout.title.icontains(word, autoescape=True) for word in wanted.q.split()]
    if wanted.tags:
        terms.append(Workout.tags.contains(list(wanted.tags)))
    if wanted.created_by is not None:
        terms.append(Workout.created_by == wanted.created_by)
    if wanted.scheme is not None:
        typed = WorkoutSection.scheme["type"].astext == wanted.scheme
        terms.append(exists().where(WorkoutSection.workout_id == Workout.id, typed))
    kept = Workout.status.not_in(HIDDEN)
    return [*terms, kept if wanted.status is None else Workout.status == wanted.status]


def _sections(session: Session, rows: Sequence[WorkoutSection]) -> tuple[SectionView, ...]:
    movements = session.scalars(
        select(WorkoutMovement)
        .where(WorkoutMovement.section_id.in_([row.id for row in rows]))
        .order_by(WorkoutMovement.section_id, WorkoutMovement.position)
    ).all()
    scaled = _scalings(session, [row.id for row in movements])
    by_section: dict[UUID, list[MovementView]] = defaultdict(list)
    for row in movements:
        shown = storage.movement_in(row.exercise, row.dose, scaled.get(row.id, ()))
        by_section[row.section_id].append(MovementView(row.id, row.version, shown))
    return tuple(_section(row, tuple(by_section[row.id])) for row in rows)


def _scalings(session: Session, ids: Collection[UUID]) -> dict[UUID, tuple[Scaling, ...]]:
    found: dict[UUID, list[Scaling]] = defaultdict(list)
    query = select(MovementScaling).where(MovementScaling.movement_id.in_(ids))
    for row in session.scalars(query.order_by(MovementScaling.level, MovementScaling.id)):
        found[row.movement_id].append(storage.scaling_in(row.level, row.exercise, row.dose))
    return {key: tuple(value) for key, value in found.items()}


def _section(row: WorkoutSection, movements: tuple[MovementView, ...]) -> SectionView:
    parts: tuple[Movement, ...] = tuple(one.movement for one in movements)
    shown = Section(
        label=row.label,
        kind=row.kind,
        title=row.title,
        scheme=storage.scheme_in(row.scheme),
        score=row.score,
        movements=parts,
        notes=row.notes,
    )
    return SectionView(row.id, row.version, row.position, shown, movements)
