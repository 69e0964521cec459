"""Keeping what was read: records in our terms, and what of theirs may stand for ours."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import structlog
from sqlalchemy import Select, case, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from app.arbox.models import ArboxMapping, ArboxRecord
from app.arbox.port import Raw
from app.arbox.reading import BadRecord, Record, name_key
from app.arbox.records import RECORDS, THINGS, Thing
from app.arbox.terms import Kind, MappingKind, MappingState
from app.core.db import now_of
from app.core.ids import new_id
from app.memberships.models import MembershipPlan
from app.people.models import Staff
from app.schedule.models import ClassType
from app.studio import queries as studio
from app.studio.models import Location

AT_ONCE: Final = 500
_MAPPED: Final = {Kind.CLASS_TYPE: MappingKind.CLASS_TYPE, Kind.PLAN: MappingKind.PLAN}

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Kept:
    """How many were read, and how many of them say nothing that can be used."""

    read: int
    unusable: int = 0


def keep(session: Session, org_id: UUID, source: str, raws: Sequence[Raw]) -> Kept:
    """Keep what one list had: records by their id, things as mappings."""
    if source in THINGS:
        things, bad = _read(raws, THINGS[source])
        _keep_things(session, org_id, things)
        return Kept(len(raws), bad)
    region = studio.org(session, org_id).phone_region
    records, bad = _read(raws, lambda raw: RECORDS[source](raw, region))
    known = {one.arbox_id: one for one in records}
    for part in _parts(list(known.values())):
        _keep_records(session, org_id, part)
    _keep_things(session, org_id, [_thing(one) for one in known.values() if one.kind in _MAPPED])
    return Kept(len(raws), bad)


def _read(raws: Iterable[Raw], read: Callable[[Raw], Any]) -> tuple[list[Any], int]:
    found, bad = [], 0
    for raw in raws:
        try:
            found.append(read(raw))
        except BadRecord:
            bad += 1
    if bad:
        _log.info("arbox_unreadable", count=bad)
    return found, bad


def _parts(records: list[Record]) -> Iterable[list[Record]]:
    return (records[start : start + AT_ONCE] for start in range(0, len(records), AT_ONCE))


def _keep_records(session: Session, org_id: UUID, records: list[Record]) -> None:
    """What is known already gets the new facts beside the old; an erased person stays erased."""
    now = now_of(session)
    rows = [
        {
            "id": new_id(),
            "created_at": now,
            "updated_at": now,
            "org_id": org_id,
            "version": 1,
            "kind": one.kind,
            "arbox_id": one.arbox_id,
            "person": one.person,
            "name": one.name,
            "phone": one.phone,
            "email": one.email,
            "facts": one.facts,
            "seen_at": now,
            "ignored": False,
        }
        for one in records
    ]
    made = insert(ArboxRecord).values(rows)
    new = made.excluded
    told = new.name != ""
    session.execute(
        made.on_conflict_do_update(
            index_elements=["org_id", "kind", "arbox_id"],
            set_={
                "name": case((told, new.name), else_=ArboxRecord.name),
                "phone": func.coalesce(new.phone, ArboxRecord.phone),
                "email": func.coalesce(new.email, ArboxRecord.email),
                "facts": ArboxRecord.facts.op("||")(new.facts),
                "seen_at": new.seen_at,
                "updated_at": new.updated_at,
                "version": ArboxRecord.version + 1,
            },
            where=~ArboxRecord.ignored,
        )
    )


def _thing(record: Record) -> Thing:
    return Thing(_MAPPED[record.kind], record.arbox_id, record.name)


def _keep_things(session: Session, org_id: UUID, things: Iterable[Thing]) -> None:
    """What is new is mapped by its name where exactly one of ours has it."""
    by_key = {(one.kind, one.arbox_id): one for one in things}
    if not by_key:
        return
    kinds = {kind for kind, _ in by_key}
    query = select(ArboxMapping).where(ArboxMapping.kind.in_(kinds))
    known = {(row.kind, row.arbox_id): row for row in session.scalars(query)}
    ours = {kind: _ours(session, kind) for kind in kinds}
    for key, thing in by_key.items():
        if key in known:
            known[key].arbox_name = thing.name
        else:
            session.add(_mapping(org_id, thing, ours[thing.kind]))
    session.flush()


def _mapping(org_id: UUID, thing: Thing, ours: dict[str, list[UUID]]) -> ArboxMapping:
    same = ours.get(name_key(thing.name), [])
    one = same[0] if len(same) == 1 else None
    return ArboxMapping(
        org_id=org_id,
        kind=thing.kind,
        arbox_id=thing.arbox_id,
        arbox_name=thing.name,
        local_id=one,
        state=MappingState.MAPPED if one else MappingState.UNMAPPED,
    )


def _ours(session: Session, kind: MappingKind) -> dict[str, list[UUID]]:
    found: dict[str, list[UUID]] = {}
    for row in session.execute(_NAMES[kind]).all() if kind in _NAMES else ():
        for key in {name_key(str(name)) for name in row[1:] if name}:
            found.setdefault(key, []).append(row[0])
    return found


_NAMES: Final[dict[MappingKind, Select[*tuple[Any, ...]]]] = {
    MappingKind.LOCATION: select(Location.id, Location.name).where(Location.active),
    MappingKind.STAFF: select(Staff.id, Staff.name).where(Staff.active),
    MappingKind.PLAN: select(MembershipPlan.id, MembershipPlan.name),
    MappingKind.CLASS_TYPE: select(
        ClassType.id, ClassType.name_en, ClassType.name_he, ClassType.name_ru
    ),
}
