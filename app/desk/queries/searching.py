"""Looking things up by what they are called: people, classes, workouts, programs, exercises.

By words alone; `app.search` puts likeness and meaning beside it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, false, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.core.actor import Actor
from app.leads.models import Lead
from app.leads.terms import LeadStage
from app.people import queries as people
from app.people.contacts import phone_digits
from app.people.models import Member
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
CLASSES_EACH: Final = 5
"""Dated classes of each type that is meant."""
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


def called(
    session: Session, actor: Actor, thing: Thing, text: str, *, now: datetime, limit: int
) -> list[Hit]:
    """Things of one kind that are called so, the likeliest first."""
    return list(_LOOKS[thing](_Search(session, actor, text, now, limit)))


def shown(
    session: Session, actor: Actor, thing: Thing, ids: Sequence[UUID], *, now: datetime
) -> list[Hit]:
    """Those of these that this person may see, in that order; of a class type, its next classes."""
    wanted = _Search(session, actor, "", now, len(ids) * CLASSES_EACH)
    kind = _KINDS[thing]
    query = kind.select(wanted).where(kind.by.in_(ids)).limit(wanted.limit)
    rows = sorted(session.execute(query), key=lambda row: ids.index(kind.id_of(row)))
    return [kind.hit(wanted, row) for row in rows]


def _members(wanted: _Search) -> Iterator[Hit]:
    for one in people.find_members(wanted.session, wanted.text, cut=Cut(wanted.limit)).rows:
        member = one.member
        contact = member.phone or member.email
        yield Hit(Thing.MEMBER, str(member.id), member.name, member.status, contact)


def _leads(wanted: _Search) -> Iterator[Hit]:
    """By what is written, or by sound in any script."""
    open_ = _select_leads(wanted).order_by(Lead.id.desc())
    written = select(Lead).where(_lead_meets(wanted.text)).order_by(Lead.id.desc())
    rows = {row.id: row for row in wanted.session.scalars(written.limit(wanted.limit))}
    latest = wanted.session.scalars(open_.limit(LATEST_LEADS))
    graded = ((_grade(row, wanted.text), row) for row in latest)
    for row in (row for points, row in graded if points):
        rows.setdefault(row.id, row)
    for row in sorted(rows.values(), key=lambda row: -_grade(row, wanted.text)):
        yield _lead_hit(wanted, (row,))


def _grade(row: Lead, text: str) -> int:
    return grade(text, frozenset(name_keys(row.first_name, row.last_name)))


def _lead_meets(text: str) -> ColumnElement[bool]:
    if digits := phone_digits(text):
        return Lead.phone.contains(digits, autoescape=True)
    whole = func.concat(Lead.first_name, " ", Lead.last_name, " ", Lead.email)
    return _holds(whole, text)


def _look(thing: Thing, *texts: Text) -> Callable[[_Search], Iterator[Hit]]:
    """What has each word in one of its texts, in the order of its kind."""

    def look(wanted: _Search) -> Iterator[Hit]:
        kind = _KINDS[thing]
        query = kind.select(wanted).where(or_(*(_holds(one, wanted.text) for one in texts)))
        for row in wanted.session.execute(query.limit(wanted.limit)):
            yield kind.hit(wanted, row)

    return look


def _select_members(_: _Search) -> Select[Any]:
    return select(Member).where(Member.status.not_in(people.HIDDEN))


def _member_hit(_: _Search, row: Any) -> Hit:  # noqa: ANN401 - a row of the kind's own select
    (member,) = row
    contact = member.phone or member.email
    return Hit(Thing.MEMBER, str(member.id), member.name, member.status, contact)


def _select_leads(_: _Search) -> Select[Any]:
    return select(Lead).where(Lead.stage.not_in((LeadStage.WON, LeadStage.LOST)))


def _lead_hit(_: _Search, row: Any) -> Hit:  # noqa: ANN401 - as above
    (lead,) = row
    return Hit(Thing.LEAD, str(lead.id), lead.name, lead.stage, lead.phone)


def _select_classes(wanted: _Search) -> Select[*tuple[Any, ...]]:
    """The nearest first, those to come before those that are over."""
    around = ClassSession.starts_at.between(wanted.now - BACK, wanted.now + AHEAD)
    return (
        select(ClassSession, ClassType)
        .join(ClassType, ClassType.id == ClassSession.class_type_id)
        .where(around, ClassSession.status != SessionStatus.CANCELLED)
        .order_by(
            ClassSession.starts_at < wanted.now,
            func.abs(func.extract("epoch", ClassSession.starts_at - wanted.now)),
            ClassSession.id,
        )
    )


def _class_hit(wanted: _Search, row: Any) -> Hit:  # noqa: ANN401 - as above
    session, kind = row
    name = session.title or kind.name(wanted.actor.language)
    return Hit(Thing.CLASS_SESSION, str(session.id), name, session.status, slot=slot_of(session))


def _select_workouts(wanted: _Search) -> Select[Any]:
    """What others keep to themselves isn't found."""
    seen = or_(Workout.visibility == Visibility.ORG, Workout.created_by == wanted.actor.user_id)
    query = select(Workout).where(seen, Workout.status != WorkoutStatus.ARCHIVED)
    return query.order_by(Workout.id.desc())


def _select_programs(_: _Search) -> Select[Any]:
    query = select(Program).where(Program.status != ProgramStatus.ARCHIVED)
    return query.order_by(Program.id.desc())


def _titled(thing: Thing) -> Callable[[_Search, Any], Hit]:
    return lambda _, row: Hit(thing, str(row[0].id), row[0].title, row[0].status)


def _select_exercises(_: _Search) -> Select[Any]:
    """The gym's own; those that everybody knows have a tool that also knows what is meant."""
    return select(Exercise).order_by(Exercise.name)


def _exercise_hit(_: _Search, row: Any) -> Hit:  # noqa: ANN401 - as above
    return Hit(Thing.EXERCISE, str(row[0].id), row[0].name)


def _holds(text: Text, sought: str) -> ColumnElement[bool]:
    """Whether each word of what is sought stands in a text, as written."""
    words = words_of(sought)
    there = [func.strpos(func.lower(text), word) > 0 for word in words]
    return and_(*there) if there else false()


@dataclass(frozen=True, slots=True)
class _Kind:
    """What of a kind this person may see; `by` is what a vector of it is kept under."""

    select: Callable[[_Search], Select[*tuple[Any, ...]]]
    hit: Callable[[_Search, Any], Hit]
    by: InstrumentedAttribute[UUID]

    def id_of(self, row: Any) -> UUID:  # noqa: ANN401 - as above
        found: UUID = getattr(row[0], self.by.key)
        return found


_KINDS: Final[dict[Thing, _Kind]] = {
    Thing.MEMBER: _Kind(_select_members, _member_hit, Member.id),
    Thing.LEAD: _Kind(_select_leads, _lead_hit, Lead.id),
    Thing.CLASS_SESSION: _Kind(_select_classes, _class_hit, ClassSession.class_type_id),
    Thing.WORKOUT: _Kind(_select_workouts, _titled(Thing.WORKOUT), Workout.id),
    Thing.PROGRAM: _Kind(_select_programs, _titled(Thing.PROGRAM), Program.id),
    Thing.EXERCISE: _Kind(_select_exercises, _exercise_hit, Exercise.id),
}
_ALIASES: Final = func.concat(Exercise.name, " ", func.array_to_string(Exercise.aliases, " "))
_NAMES: Final = (ClassSession.title, ClassType.name_en, ClassType.name_he, ClassType.name_ru)
_LOOKS: Final[dict[Thing, Callable[[_Search], Iterator[Hit]]]] = {
    Thing.MEMBER: _members,
    Thing.LEAD: _leads,
    Thing.CLASS_SESSION: _look(Thing.CLASS_SESSION, *_NAMES),
    Thing.WORKOUT: _look(Thing.WORKOUT, Workout.title),
    Thing.PROGRAM: _look(Thing.PROGRAM, Program.title),
    Thing.EXERCISE: _look(Thing.EXERCISE, _ALIASES),
}
