"""Reading templates: lists of them, what one holds, and what it would come to on dates."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.people.models import Staff
from app.programs.body import Body, Parameter, Placed
from app.programs.calendar import lay_out
from app.programs.loads import Share
from app.programs.models import ProgramTemplate
from app.programs.queries import lifts
from app.programs.queries.lifts import Loaded
from app.programs.terms import Level
from app.programs.views import TemplateView
from app.studio import queries as studio
from app.studio.paging import Cut, Page, page


@dataclass(frozen=True, slots=True)
class TemplateFilter:
    words: str | None = None
    level: Level | None = None
    goal: str | None = None


@dataclass(frozen=True, slots=True)
class Due:
    """A workout on the day that it would be due."""

    day: date
    placed: Placed


def templates(session: Session, wanted: TemplateFilter, *, cut: Cut) -> Page[TemplateView]:
    """By title."""
    query = _templates().order_by(func.lower(ProgramTemplate.title), ProgramTemplate.id)
    if wanted.words:
        query = query.where(ProgramTemplate.title.icontains(wanted.words, autoescape=True))
    if wanted.goal:
        query = query.where(ProgramTemplate.goal.icontains(wanted.goal, autoescape=True))
    if wanted.level is not None:
        query = query.where(ProgramTemplate.level == wanted.level)
    return page(session, query, cut, lambda row: _view(*row))


def template_view(session: Session, template_id: UUID) -> TemplateView:
    row = session.execute(_templates().where(ProgramTemplate.id == template_id)).one_or_none()
    if row is None:
        raise NotFound(what="program_template")
    return _view(*row)


def calendar(
    session: Session, org_id: UUID, body: Body, start: date, weekdays: frozenset[int]
) -> list[Due]:
    """When each workout would be due."""
    placed = list(body.placed())
    week_start = studio.org(session, org_id).week_start
    dates = lay_out((one.spot for one in placed), start, week_start=week_start, weekdays=weekdays)
    return [Due(dates[one.spot], one) for one in placed]


def lifts_in(session: Session, body: Body) -> dict[UUID, list[Share]]:
    """What its workouts ask for a share of, by workout."""
    return lifts.shares(session, {one.slot.workout_id for one in body.placed()})


def first_percents(body: Body, found: Mapping[UUID, list[Share]]) -> dict[str, int]:
    """Where each lift starts: the lightest set of the first workout that has it."""
    starts: dict[str, int] = {}
    for one in body.placed():
        for share in found.get(one.slot.workout_id, ()):
            lightest = min(share.with_loads(one.slot.loads).percents)
            starts.setdefault(share.lift, round(lightest))
    return starts


def loads_for(session: Session, org_id: UUID, member_id: UUID, body: Body) -> list[Loaded[int]]:
    """The loads of one member, by week."""
    placed = ((one.spot.week_no, one.slot.workout_id, one.slot.loads) for one in body.placed())
    return lifts.loads_of(session, org_id, member_id, placed)


def _templates() -> Select[ProgramTemplate, str | None]:
    return select(ProgramTemplate, Staff.name).outerjoin(
        Staff, Staff.id == ProgramTemplate.owner_id
    )


def _view(row: ProgramTemplate, owner: str | None) -> TemplateView:
    return TemplateView(
        id=row.id,
        version=row.version,
        title=row.title,
        description=row.description,
        goal=row.goal,
        level=row.level,
        parameters=tuple(map(Parameter.model_validate, row.parameters)),
        body=Body.model_validate(row.body),
        owner=owner,
    )
