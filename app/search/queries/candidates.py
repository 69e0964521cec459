"""Who and what the words of a turn probably mean, so that the model needn't look them up first.

By names alone where nothing is known of meaning; what fits more people than could be told apart
is nobody's name yet.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Integer, Text, func, literal, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.embedding import meanings_of, readable
from app.desk import queries as desk
from app.desk.queries import Thing
from app.desk.queries.searching import LATEST_LEADS
from app.leads.models import Lead
from app.leads.terms import LeadStage
from app.people import queries as people
from app.people.models import Member, shown_name
from app.people.names import name_keys
from app.schedule.models import ClassType
from app.search.queries.likeness import LOOKING, meant_of
from app.search.queries.naming import Asked, asked

MOST: Final = 5
GRADED: Final = 40
"""Members who fit best are looked at closely: of more, none could be told apart."""
BY_MEANING: Final = (Thing.WORKOUT, Thing.PROGRAM)
_CLASS: Final = "class_type"
_MEANT: Final = (_CLASS, *(thing.value for thing in BY_MEANING))


@dataclass(frozen=True, slots=True)
class Candidate:
    """`kind` is as tools name its id: member, lead, class_type, workout, program."""

    kind: str
    name: str
    id: UUID


@dataclass(frozen=True, slots=True)
class _Fit:
    kind: str
    id: UUID
    name: str
    words: frozenset[int]
    grade: int


def candidates(
    session: Session, actor: Actor, text: str, *, now: datetime, limit: int = MOST
) -> tuple[Candidate, ...]:
    """From the beginning of a text, people first; of what this person may see."""
    words = asked(readable(text))
    if not words.words:
        return ()
    session.execute(LOOKING)
    fits = (*_members(session, words), *_leads(session, words))
    named = [Candidate(one.kind, one.name, one.id) for one in told_apart(fits, limit)]
    near = meant_of(session, _MEANT, meanings_of(session).of(text))
    classes = _classes(session, actor, words, near)
    others = () if len(named) >= limit else _things(session, actor, near, now)
    return tuple(dict.fromkeys((*named, *classes, *others)))[:limit]


def told_apart(fits: Collection[_Fit], limit: int) -> list[_Fit]:
    """The best, as long as those that fit as well have room; not who fits by another's name."""
    found: list[_Fit] = []
    ordered = sorted(fits, key=lambda one: (-one.grade, one.name, one.id))
    for _, group in groupby(ordered, key=lambda one: one.grade):
        new = [one for one in group if not any(one.words < better.words for better in found)]
        if len(found) + len(new) > limit:
            break
        found += new
    return found


def _members(session: Session, words: Asked) -> Iterator[_Fit]:
    """Of those who fit best.

    Every member's keys are gone through: row-level security lets no index of lists be used.
    """
    columns = func.unnest(*_columns(words)).table_valued("key", "place", "weight")
    wanted = columns.render_derived("wanted")
    key = func.unnest(Member.name_keys).label("key")
    keys = select(Member.id, key).where(Member.status.not_in(people.HIDDEN)).subquery()
    of_word = (
        select(keys.c.id, func.max(wanted.c.weight).label("weight"))
        .join(wanted, wanted.c.key == keys.c.key)
        .group_by(keys.c.id, wanted.c.place)
        .subquery()
    )
    whole = func.sum(of_word.c.weight)
    best = select(of_word.c.id).group_by(of_word.c.id).order_by(whole.desc()).limit(GRADED)
    met = best.subquery()
    rows = select(Member.id, shown_name(), Member.name_keys).join(met, met.c.id == Member.id)
    for member_id, name, found in session.execute(rows):
        yield from _fit("member", member_id, name, words, frozenset(found))


def _columns(words: Asked) -> tuple[ColumnElement[Any], ...]:
    keys, places, weights = zip(*words.keys(), strict=True)
    return (
        literal(list(keys), ARRAY(Text())),
        literal(list(places), ARRAY(Integer())),
        literal(list(weights), ARRAY(Integer())),
    )


def _leads(session: Session, words: Asked) -> Iterator[_Fit]:
    latest = (
        select(Lead.id, Lead.first_name, Lead.last_name)
        .where(Lead.stage.not_in((LeadStage.WON, LeadStage.LOST)))
        .order_by(Lead.id.desc())
        .limit(LATEST_LEADS)
    )
    for lead_id, first, last in session.execute(latest):
        yield from _fit("lead", lead_id, f"{first} {last}".strip(), words, _name_keys(first, last))


@lru_cache(maxsize=4_096)
def _name_keys(first: str, last: str) -> frozenset[str]:
    return frozenset(name_keys(first, last))


def _fit(kind: str, row_id: UUID, name: str, words: Asked, keys: frozenset[str]) -> Iterable[_Fit]:
    fits = words.fits(keys)
    return [_Fit(kind, row_id, name, frozenset(fits), sum(fits.values()))] if fits else []


def _classes(
    session: Session, actor: Actor, words: Asked, near: Mapping[str, list[UUID]]
) -> list[Candidate]:
    """Types of class that are named in any language, else those that stand out by their meaning."""
    types = {one.id: one for one in session.scalars(select(ClassType).where(ClassType.active))}
    named = [
        one.id
        for one in types.values()
        if any(words.holds(name) for name in (one.name_en, one.name_he, one.name_ru) if name)
    ]
    found = named or near[_CLASS]
    return [
        Candidate(_CLASS, types[one].name(actor.language), one) for one in found if one in types
    ]


def _things(
    session: Session, actor: Actor, near: Mapping[str, list[UUID]], now: datetime
) -> Iterator[Candidate]:
    for thing in BY_MEANING:
        ids = near[thing.value]
        for hit in desk.shown(session, actor, thing, ids, now=now)[:1] if ids else []:
            yield Candidate(thing.value, hit.name, UUID(hit.id))
