"""Bringing up to date, one way: lists are read one by one, then what was imported follows."""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy.orm import Session

from app.arbox import queries
from app.arbox.errors import Incomplete
from app.arbox.port import Raw
from app.arbox.records import Wanted, lists_for
from app.arbox.service import connecting, importing
from app.arbox.service.keeping import Kept, keep
from app.arbox.terms import KINDS, Act, BatchKind, Entity, Policy
from app.core.actor import Actor
from app.core.errors import StudioError
from app.studio import queries as studio


@dataclass(frozen=True, slots=True)
class Followed:
    """How many rows of ours a sync made and changed."""

    made: int = 0
    changed: int = 0


def begin(
    session: Session,
    actor: Actor,
    entities: frozenset[Entity],
    *,
    now: datetime,
    since: date | None = None,
) -> tuple[list[Wanted], list[Entity]]:
    """The lists to be read, and what follows them: what was imported once. Raises NotConnected."""
    row = connecting.locked(session)
    row.lists_read = 0
    session.flush()
    today = studio.today(session, actor.org_id, now)
    wanted = lists_for(entities, since=since, today=today, branches=queries.branches(session))
    kinds = queries.imported_kinds(session)
    follow = [one for one in Entity if one in entities and kinds & set(KINDS[one])]
    return wanted, follow


def read(session: Session, actor: Actor, source: str, raws: list[Raw]) -> Kept:
    """Keep what one list had."""
    kept = keep(session, actor.org_id, source, raws)
    connecting.locked(session).lists_read += 1
    session.flush()
    return kept


def follow(session: Session, actor: Actor, entity: Entity, *, now: datetime) -> Followed:
    """Bring in what is new there and take over what only they changed; conflicts wait for people.

    What a rule of ours doesn't let in is left out, and shown by the next preview.
    """
    found = importing.preview(session, actor.org_id, frozenset({entity}), now=now)
    if not importing.to_do(found, Policy.SKIP):
        return Followed()
    batch_id, wanted = importing.begin(session, actor, found, Policy.SKIP, kind=BatchKind.SYNC)
    made = changed = 0
    for one in wanted:
        try:
            with session.begin_nested():
                done = importing.import_one(session, actor, batch_id, one.record_id, now=now)
        except StudioError:
            continue
        made += done.act is Act.CREATE
        changed += done.act is Act.UPDATE
    return Followed(made, changed)


def finish(session: Session, lists: int, *, now: datetime) -> None:
    """The next preview is of this reading, if it has all `lists`. Raises Incomplete."""
    row = connecting.locked(session)
    if row.lists_read < lists:
        raise Incomplete
    row.last_read_at, row.reads = now, row.reads + 1
    row.last_error = row.last_error_at = None
    session.flush()
