"""Templates: programs kept to make others from; what was made from one never follows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import NotFound, StaleVersion
from app.core.ids import new_id
from app.programs.body import Body, Parameter
from app.programs.calendar import Spot
from app.programs.errors import UnknownLift, WorkoutsGone
from app.programs.models import ProgramTemplate
from app.programs.queries import programs, templates
from app.programs.queries import templates as queries
from app.programs.service import building
from app.programs.service.building import Head
from app.programs.service.programs import check_filled
from app.programs.terms import Level
from app.programs.views import ProgramView, TemplateView


@dataclass(frozen=True, slots=True)
class NewTemplate:
    program_id: UUID
    title: str
    description: str | None = None
    """None: the program's."""
    parameters: tuple[Parameter, ...] | None = None
    """None: every lift that its workouts ask for a share of."""


@dataclass(frozen=True, slots=True)
class TemplateChanges:
    """What is to be different; None leaves a thing as it is, '' takes it away."""

    title: str | None = None
    description: str | None = None
    goal: str | None = None
    level: Level | None = None
    parameters: tuple[Parameter, ...] | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """A program from a template; `left_out` are workouts that are there no more."""

    program: ProgramView
    left_out: tuple[str, ...]


def create_from_program(session: Session, actor: Actor, new: NewTemplate) -> TemplateView:
    """Raises NotFound, ProgramEmpty, UnknownLift."""
    source = programs.program(session, new.program_id)
    body = check_filled(session, source)
    head = Head(new.title, new.description or source.description, source.goal, source.level)
    made = _row(session, actor, head, body)
    made.parameters = _dumped(
        _derived(session, body)
        if new.parameters is None
        else _checked(session, made.title, body, new.parameters)
    )
    session.add(made)
    session.flush()
    return queries.template_view(session, made.id)


def update(
    session: Session,
    template_id: UUID,
    changes: TemplateChanges,
    *,
    expected_version: int | None = None,
) -> TemplateView:
    """Raises NotFound, StaleVersion, UnknownLift."""
    row = lock(session, template_id, expected_version=expected_version)
    row.title = row.title if changes.title is None else changes.title
    row.description = _words(row.description, changes.description)
    row.goal = _words(row.goal, changes.goal)
    row.level = changes.level or row.level
    if changes.parameters is not None:
        body = Body.model_validate(row.body)
        row.parameters = _dumped(_checked(session, row.title, body, changes.parameters))
    session.flush()
    return queries.template_view(session, row.id)


def edit_day(
    session: Session,
    actor: Actor,
    template_id: UUID,
    spot: Spot,
    workout_ids: Sequence[UUID],
    *,
    expected_version: int | None = None,
) -> TemplateView:
    """Replace the workouts of one day; none makes it a day of rest.

    Raises NotFound for a week that it doesn't have, WorkoutArchived, StaleVersion.
    """
    row = lock(session, template_id, expected_version=expected_version)
    body = Body.model_validate(row.body)
    if spot.week_no > len(body.weeks):
        raise NotFound(what="program_week")
    slots = building.slots_of(session, actor, workout_ids)
    placed = tuple(slots[one] for one in workout_ids)
    row.body = body.with_day(spot, placed).model_dump(mode="json")
    session.flush()
    return queries.template_view(session, row.id)


def duplicate(
    session: Session, actor: Actor, template_id: UUID, title: str | None = None
) -> TemplateView:
    source = queries.template_view(session, template_id)
    like = ProgramTemplate.title.startswith(f"{source.title} (", autoescape=True)
    taken = session.scalars(select(ProgramTemplate.title).where(like)).all()
    name = title or building.free_title(source.title, taken)
    head = Head(name, source.description, source.goal, source.level)
    made = _row(session, actor, head, source.body)
    made.parameters = _dumped(source.parameters)
    session.add(made)
    session.flush()
    return queries.template_view(session, made.id)


def instantiate(
    session: Session,
    actor: Actor,
    template_id: UUID,
    *,
    title: str | None = None,
    filled: Sequence[Parameter] = (),
) -> Made:
    """A draft of its own. Raises NotFound, UnknownLift, WorkoutsGone."""
    view = queries.template_view(session, template_id)
    whole = filled_in(session, view, filled)
    body = whole.keeping(building.there(session, whole))
    if any(whole.placed()) and not any(body.placed()):
        raise WorkoutsGone(template=view.title)
    head = Head(title or view.title, view.description, view.goal, view.level)
    made = building.draft(session, actor, head, template_id=view.id)
    building.fill(session, made, body)
    kept = {one.slot.workout_id for one in body.placed()}
    gone = {one.slot.title for one in whole.placed() if one.slot.workout_id not in kept}
    return Made(programs.program_view(session, made.id), tuple(sorted(gone)))


def filled_in(session: Session, view: TemplateView, filled: Sequence[Parameter]) -> Body:
    """What it holds, each lift as much heavier as it starts higher. Raises UnknownLift."""
    known = {one.lift: one.percent for one in view.parameters}
    found = templates.lifts_in(session, view.body)
    body = view.body
    for one in filled:
        if one.lift not in known:
            raise UnknownLift(lift=one.lift, template=view.title)
        lifted = {key for key, some in found.items() if one.lift in {of.lift for of in some}}
        body = body.heavier(one.lift, one.percent - known[one.lift], lifted)
    return body


def delete(session: Session, template_id: UUID) -> TemplateView:
    """What was made from it stays as it is. Raises NotFound."""
    row = lock(session, template_id)
    gone = queries.template_view(session, row.id)
    session.delete(row)
    session.flush()
    return gone


def lock(
    session: Session, template_id: UUID, *, expected_version: int | None = None
) -> ProgramTemplate:
    query = select(ProgramTemplate).where(ProgramTemplate.id == template_id)
    found = session.scalar(query.with_for_update().execution_options(populate_existing=True))
    if found is None:
        raise NotFound(what="program_template")
    if expected_version is not None and found.version != expected_version:
        raise StaleVersion(version=found.version)
    return found


def _row(session: Session, actor: Actor, head: Head, body: Body) -> ProgramTemplate:
    return ProgramTemplate(
        id=new_id(),
        org_id=actor.org_id,
        title=head.title,
        description=head.description,
        goal=head.goal,
        level=head.level,
        body=body.model_dump(mode="json"),
        owner_id=building.own_place(session, actor),
    )


def _derived(session: Session, body: Body) -> tuple[Parameter, ...]:
    starts = templates.first_percents(body, templates.lifts_in(session, body))
    return tuple(Parameter(lift=lift, percent=percent) for lift, percent in starts.items())


def _checked(
    session: Session, title: str, body: Body, parameters: tuple[Parameter, ...]
) -> tuple[Parameter, ...]:
    known = templates.first_percents(body, templates.lifts_in(session, body))
    for one in parameters:
        if one.lift not in known:
            raise UnknownLift(lift=one.lift, template=title)
    return parameters


def _dumped(parameters: Sequence[Parameter]) -> list[dict[str, object]]:
    return [one.model_dump() for one in parameters]


def _words(old: str | None, new: str | None) -> str | None:
    return old if new is None else new or None
