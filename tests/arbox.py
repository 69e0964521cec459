"""A gym with Arbox at its side: connected, read, and imported, without a network."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import select

from app.arbox import service as arbox
from app.arbox.models import ArboxMapping, ArboxRecord
from app.arbox.terms import Entity, Kind, MappingKind, Policy
from app.arbox.views import Planned, Preview
from app.core.errors import StudioError
from bot.playground.arbox_api.gym import ArboxGym, small_gym
from bot.playground.arbox_api.server import DEMO_KEY, narrowed
from tests.studio import Studio

ALL = frozenset(Entity)


def connected(studio: Studio, key: str = DEMO_KEY) -> None:
    """As the owner leaves it who has entered the key; again is as once."""
    with studio.act() as session:
        try:
            arbox.connected(session)
        except StudioError:
            word = arbox.begin(session, studio.owner, now=studio.now)
            arbox.enter_key(session, word, key, now=studio.now)


def read(studio: Studio, gym: ArboxGym, entities: Iterable[Entity] = Entity) -> None:
    """What a sync does, list by list, from the stand-in's own rows; a month of payments."""
    connected(studio)
    wanted, since = frozenset(entities), studio.day(-28)
    with studio.act() as session:
        lists, _ = arbox.begin_sync(session, studio.owner, wanted, now=studio.now, since=since)
        for one in lists:
            name = one.path.strip("/")
            rows = gym.of(name if name.startswith("leads/") else name.rpartition("/")[2])
            found = narrowed(rows, name.rpartition("/")[2], one.query)
            arbox.read(session, studio.owner, one.source, found)
        arbox.finish(session, len(lists), now=studio.now)


def gym_of(studio: Studio, people: int = 6) -> ArboxGym:
    return small_gym(studio.day(0), key=DEMO_KEY, people=people)


def preview(
    studio: Studio, entities: frozenset[Entity] = ALL, since: date | None = None
) -> Preview:
    with studio.act() as session:
        return arbox.preview(session, studio.org_id, entities, now=studio.now, since=since)


def imported(
    studio: Studio, policy: Policy = Policy.SKIP, entities: frozenset[Entity] = ALL
) -> tuple[UUID, list[Planned]]:
    """The batch, and what was done with each record; what raised is left out."""
    done: list[Planned] = []
    with studio.act() as session:
        found = arbox.preview(session, studio.org_id, entities, now=studio.now)
        batch_id, wanted = arbox.begin_import(session, studio.owner, found, policy)
        for one in wanted:
            with suppress(StudioError), session.begin_nested():
                record_id = one.record_id
                done.append(
                    arbox.import_one(session, studio.owner, batch_id, record_id, now=studio.now)
                )
    return batch_id, done


def rolled_back(studio: Studio, batch_id: UUID) -> tuple[int, list[str]]:
    """How many rows went or returned, and the codes of those that stayed."""
    gone, stayed = 0, []
    with studio.act() as session:
        for row_id, _ in arbox.rows_of(session, batch_id, now=studio.now):
            try:
                with session.begin_nested():
                    arbox.take_back(session, studio.owner, row_id, now=studio.now)
                gone += 1
            except StudioError as error:
                stayed.append(error.code)
    return gone, stayed


def record(studio: Studio, kind: Kind, arbox_id: object) -> ArboxRecord:
    with studio.act() as session:
        query = select(ArboxRecord).where(
            ArboxRecord.kind == kind, ArboxRecord.arbox_id == str(arbox_id)
        )
        return session.scalars(query).one()


def rows(studio: Studio, model: type[Any]) -> Sequence[Any]:
    with studio.act() as session:
        return session.scalars(select(model).order_by(model.id)).all()


def mapping(studio: Studio, kind: MappingKind, arbox_id: object) -> ArboxMapping:
    with studio.act() as session:
        query = select(ArboxMapping).where(
            ArboxMapping.kind == kind, ArboxMapping.arbox_id == str(arbox_id)
        )
        return session.scalars(query).one()
