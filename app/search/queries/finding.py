"""One search by words, sounds, likeness and meaning: four lists of each kind become one."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from datetime import datetime
from itertools import chain, zip_longest
from typing import Final, TypeVar
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.embedding import meanings_of
from app.desk import queries as desk
from app.desk.queries import Hit, Thing
from app.search.queries.likeness import LOOKING, alike, meant, worded

KINDS: Final = {thing: thing.value for thing in Thing} | {Thing.CLASS_SESSION: "class_type"}
"""What the vectors of a thing are kept under: dated classes are looked for by their type."""
PEOPLE: Final = frozenset({Thing.MEMBER, Thing.LEAD})
"""Names are met by sound in any script: what is only like one counts where none is met."""
FLAT: Final = 60
"""Of rank fusion: how little the first places of a list count for more than the next."""

T = TypeVar("T", bound=Hashable)


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
    session.execute(LOOKING)
    wanted = [thing for thing in Thing if not things or thing in things]
    found = [_of_kind(session, actor, thing, text, now, limit) for thing in wanted]
    hits = chain.from_iterable(zip_longest(*found))
    return tuple(hit for hit in hits if hit is not None)[:limit]


def _of_kind(  # noqa: PLR0917 - the search's own, and which kind
    session: Session, actor: Actor, thing: Thing, text: str, now: datetime, limit: int
) -> list[Hit]:
    called = desk.called(session, actor, thing, text, now=now, limit=limit)
    if called and thing in PEOPLE:
        return called
    kind = KINDS[thing]
    lists = (
        alike(session, kind, text, limit),
        [] if thing in PEOPLE else worded(session, kind, text, limit),
        meant(session, kind, meanings_of(session).of(text)),
    )
    ids: list[UUID] = fused(lists)
    others = desk.shown(session, actor, thing, ids, now=now) if ids else []
    by_id = {hit.id: hit for hit in (*others, *called)}
    return [by_id[one] for one in fused(([hit.id for hit in called], [hit.id for hit in others]))]


def fused(lists: Iterable[Sequence[T]]) -> list[T]:
    """One list of several: what is high in many is first (reciprocal ranks); earlier lists lead."""
    points: dict[T, float] = defaultdict(float)
    for one in lists:
        for rank, key in enumerate(one):
            points[key] += 1 / (FLAT + rank)
    return sorted(points, key=lambda key: -points[key])
