"""Looking for one text everywhere at once: people, classes, workouts, programs, exercises."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import chain, zip_longest
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, false, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.core.actor import Actor
from app.leads.models import Lead
from app.leads.terms import LeadStage
from app.people import queries as people
from app.people.contacts import phone_digits
from app.people.names import grade, name_keys, words_of
from app.programs.models import Program
from app.programs.terms import ProgramStatus
from app.schedule.models import ClassSession, ClassType
from app.schedule.queries import slot_of
from app.schedule.terms import SessionStatus
from app.schedule.times import Slot
from app.studio.paging import Cut
from app.workouts.models import Exercise, Workout
from app.workouts.terms import Visibility, WorkoutStatus

AHEAD: Final = timedelta(days=30)
BACK: Final = timedelta(days=7)
"""Classes are looked for in these days around now."""
LATEST_LEADS: Final = 300
"""So many open leads are compared by sound; all are by what is written."""


Text = ColumnElement[Any] | InstrumentedAttribute[Any]


class Thing(StrEnum):
    MEMBER = "member"
    LEAD = "lead"
    CLASS_SESSION = "class_session"
    WORKOUT = "workout"
    PROGRAM = "program"
    EXERCISE = "exercise"


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that is called so, with what tells it from others of that name."""

    thing: Thing
    id: str
    name: str
    state: StrEnum | None = None
    contact: str | None = None
    slot: Slot | None = None


@dataclass(frozen=True, slots=True)
class _Search:
    session: Session
    actor: Actor
    text: str
    now: datetime
    limit: int


def search(
    session: Session,
    actor: Actor,
    text: str,
    *,
    things: Collection[Thing] = (),
    now: datetime,
    limit: int,
) -> tuple[Hit, ...]:
    """The best of each kind in turn, so that no kind crowds out another."""
    wanted = _Search(session, actor, text, now, limit)
    found = [look(wanted) for thing, look in _LOOKS.items() if not things or thing in things]
    hits = chain.from_iterable(zip_longest(*found))
    return tuple(hit for hit in hits if hit is not None)[:limit]


def _members(wanted: _Search) -> Iterator[Hit]:
    for one in people.find_members(wanted.session, wanted.text, cut=Cut(wanted.limit)).rows:
        member = one.member
        contact = member.phone or member.email
        yield Hit(Thing.MEMBER, str(member.id), member.name, member.status, contact)


def _leads(wanted: _Search) -> Iterator[Hit]:
    """By what is written, or by sound in any script."""
    open_ = Lead.stage.not_in((LeadStage.WON, LeadStage.LOST))
    latest = select(Lead).where(open_).order_by(Lead.id.desc()).limit(LATEST_LEADS)
    written = select(Lead).where(_lead_meets(wanted.text)).order_by(Lead.id.desc())
    rows = {row.id: row for row in wanted.session.scalars(written.limit(wanted.limit))}
    graded = ((_grade(row, wanted.text), row) for row in wanted.session.scalars(latest))
    for row in (row for points, row in graded if points):
        rows.setdefault(row.id, row)
    for row in sorted(rows.values(), key=lambda row: -_grade(row, wanted.text)):
        yield Hit(Thing.LEAD, str(row.id), row.name, row.stage, row.phone)


def _grade(row: Lead, text: str) -> int:
    return grade(text, frozenset(name_keys(row.first_name, row.last_name)))


def _lead_meets(text: str) -> ColumnElement[bool]:
    if digits := phone_digits(text):
        return Lead.phone.contains(digits, autoescape=True)
    whole = func.concat(Lead.first_name, " ", Lead.last_name, " ", Lead.email)
    return _holds(whole, text)


def _classes(wanted: _Search) -> Iterator[Hit]:
    """The nearest first, those to come before those that are over."""
    texts = (ClassSession.title, ClassType.name_en, ClassType.name_he, ClassType.name_ru)
    around = ClassSession.starts_at.between(wanted.now - BACK, wanted.now + AHEAD)
    query = (
        select(ClassSession, ClassType)
        .join(ClassType, ClassType.id == ClassSession.class_type_id)
        .where(or_(*(_holds(one, wanted.text) for one in texts)), around)
        .where(ClassSession.status != SessionStatus.CANCELLED)
        .order_by(
            ClassSession.starts_at < wanted.now,
            func.abs(func.extract("epoch", ClassSession.starts_at - wanted.now)),
            ClassSession.id,
        )
    )
    for row, kind in wanted.session.execute(query.limit(wanted.limit)):
        name = row.title or kind.name(wanted.actor.language)
        yield Hit(Thing.CLASS_SESSION, str(row.id), name, row.status, slot=slot_of(row))


def _workouts(wanted: _Search) -> Iterator[Hit]:
    """What others keep to themselves isn't found."""
    seen = or_(Workout.visibility == Visibility.ORG, Workout.created_by == wanted.actor.user_id)
    query = select(Workout).where(_holds(Workout.title, wanted.text), seen)
    query = query.where(Workout.status != WorkoutStatus.ARCHIVED).order_by(Workout.id.desc())
    for row in wanted.session.scalars(query.limit(wanted.limit)):
        yield Hit(Thing.WORKOUT, str(row.id), row.title, row.status)


def _programs(wanted: _Search) -> Iterator[Hit]:
    query = select(Program).where(_holds(Program.title, wanted.text))
    query = query.where(Program.status != ProgramStatus.ARCHIVED).order_by(Program.id.desc())
    for row in wanted.session.scalars(query.limit(wanted.limit)):
        yield Hit(Thing.PROGRAM, str(row.id), row.title, row.status)


def _exercises(wanted: _Search) -> Iterator[Hit]:
    """The gym's own; those that everybody knows have a tool that also knows what is meant."""
    texts = func.concat(Exercise.name, " ", func.array_to_string(Exercise.aliases, " "))
    query = select(Exercise).where(_holds(texts, wanted.text)).order_by(Exercise.name)
    for row in wanted.session.scalars(query.limit(wanted.limit)):
        yield Hit(Thing.EXERCISE, str(row.id), row.name)


def _holds(text: Text, sought: str) -> ColumnElement[bool]:
    """Whether each word of what is sought stands in a text, as written."""
    words = words_of(sought)
    there = [func.strpos(func.lower(text), word) > 0 for word in words]
    return and_(*there) if there else false()


_LOOKS: Final[dict[Thing, Callable[[_Search], Iterator[Hit]]]] = {
    Thing.MEMBER: _members,
    Thing.LEAD: _leads,
    Thing.CLASS_SESSION: _classes,
    Thing.WORKOUT: _workouts,
    Thing.PROGRAM: _programs,
    Thing.EXERCISE: _exercises,
}
