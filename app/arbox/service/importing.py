"""Importing: a preview that is reproduced, a batch, and one record after the other."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.arbox.errors import NothingRead, NothingToImport
from app.arbox.models import ArboxRecord, ImportBatch, ImportedRow
from app.arbox.reading import key_of
from app.arbox.service import connecting, making
from app.arbox.service.making import MODELS, Work
from app.arbox.service.planning import (
    MEMBERSHIP_FIELDS,
    PERSON_FIELDS,
    column_value,
    decide,
    known,
    payment_state,
)
from app.arbox.terms import KINDS, Act, BatchKind, Entity, Kind, Policy
from app.arbox.views import Planned, Preview
from app.automations import service as automations
from app.core.actor import Actor
from app.core.columns import among
from app.core.db import OrgRow
from app.core.errors import NotFound
from app.people import service as people
from app.people.service import MemberChanges
from app.studio import queries as studio

_ORDER: Final = list(Kind)
_EPOCH: Final = date(2000, 1, 1)
_DATED: Final = {Kind.PAYMENT: "on", Kind.LEAD: "since"}
"""The kinds that `since` narrows, and by which fact; memberships by their end."""


def preview(
    session: Session,
    org_id: UUID,
    entities: frozenset[Entity],
    *,
    now: datetime,
    since: date | None = None,
) -> Preview:
    """What an import would do, of what was last read; it stands under its id until that changes.

    Raises NotConnected, NothingRead.
    """
    connection = connecting.connected(session)
    if connection.last_read_at is None:
        raise NothingRead
    today = studio.today(session, org_id, now)
    planned = _planned(session, entities, since, today=today)
    preview_id = _id(entities, since, connection.reads, planned)
    return Preview(preview_id, connection.last_read_at, entities, planned)


def recalled(session: Session, org_id: UUID, preview_id: UUID, *, now: datetime) -> Preview:
    """The preview of that id, if making it again gives the same. Raises NotFound otherwise."""
    entities, since = _selection(preview_id)
    found = preview(session, org_id, entities, now=now, since=since)
    if found.id != preview_id:
        raise NotFound(what="arbox_preview")
    return found


def begin(
    session: Session,
    actor: Actor,
    found: Preview,
    policy: Policy,
    *,
    kind: BatchKind = BatchKind.IMPORT,
) -> tuple[UUID, list[Planned]]:
    """A batch, and what is to be done in it, in order. Raises NothingToImport."""
    wanted = to_do(found, policy)
    if not wanted:
        raise NothingToImport
    counts = {f"{entity}.{act}": count for (entity, act), count in found.counts.items()}
    batch = ImportBatch(
        org_id=actor.org_id,
        kind=kind,
        policy=policy,
        counts=counts,
        by=actor.user_id,
    )
    session.add(batch)
    session.flush()
    return batch.id, wanted


def to_do(found: Preview, policy: Policy) -> list[Planned]:
    conflicts = () if policy is Policy.SKIP else (Act.CONFLICT,)
    return found.of(Act.CREATE, Act.UPDATE, *conflicts)


def import_one(
    session: Session, actor: Actor, batch_id: UUID, record_id: UUID, *, now: datetime
) -> Planned:
    """Bring one record in as things are by now; a `skip`, or a conflict left open, says why.

    Raises what the domain's rules do.
    """
    work = _work(session, actor, batch_id, now=now)
    one = session.get_one(ArboxRecord, record_id, with_for_update=True)
    at = known(session, [one], today=work.today)
    planned = decide(one, at)
    match planned.act:
        case Act.CREATE:
            made = making.make(work, one, at)
            _note(work, one, planned, made, before=None)
        case Act.UPDATE | Act.CONFLICT if _may(work, planned):
            before = _write(work, one, planned)
            _note(work, one, planned, planned.local_id, before=before)
        case _:
            pass
    session.flush()
    return planned


def leave_alone(session: Session, record_ids: Collection[UUID], *, now: datetime) -> None:
    """Let no automation write to those who came with these records: it was so before they did."""
    query = select(ArboxRecord).where(among(ArboxRecord.id, record_ids))
    found = list(session.scalars(query))
    leads = {one.local_id for one in found if one.kind is Kind.LEAD}
    people_ = leads | {one.member_id for one in found}
    automations.seed_people(session, {one for one in people_ if one}, now=now)


def applies(planned: Planned, policy: Policy) -> bool:
    """Whether this came into the gym, if only as a link to what it has."""
    left = planned.act is Act.CONFLICT and policy is Policy.SKIP
    return not left and planned.act not in {Act.SKIP, Act.SAME}


def _planned(
    session: Session, entities: Iterable[Entity], since: date | None, *, today: date
) -> tuple[Planned, ...]:
    kinds = {kind for entity in entities for kind in KINDS[entity]}
    query = select(ArboxRecord).where(ArboxRecord.kind.in_(kinds))
    found = sorted(
        (one for one in session.scalars(query) if _since(one, since)),
        key=lambda one: (_ORDER.index(one.kind), one.name, one.arbox_id),
    )
    at = known(session, found, today=today, coming=True)
    return tuple(decide(one, at) for one in found)


def _since(one: ArboxRecord, since: date | None) -> bool:
    if since is None:
        return True
    if one.kind is Kind.MEMBERSHIP:
        return (one.facts.get("end") or "9999") >= since.isoformat()
    said = one.facts.get(_DATED.get(one.kind, ""))
    return said is None or said >= since.isoformat()


def _work(session: Session, actor: Actor, batch_id: UUID, *, now: datetime) -> Work:
    batch = session.get_one(ImportBatch, batch_id)
    org = studio.org(session, actor.org_id)
    today = studio.today(session, actor.org_id, now)
    return Work(session, actor, org, batch, batch.policy, today, now)


def _may(work: Work, planned: Planned) -> bool:
    return planned.local_id is not None and applies(planned, work.policy)


def _write(work: Work, one: ArboxRecord, planned: Planned) -> dict[str, Any]:
    """Write over ours what is theirs, unless ours is kept; the fields as they were."""
    if planned.act is Act.CONFLICT and work.policy is Policy.KEEP_OURS:
        return {}
    match one.kind:
        case Kind.PAYMENT:
            at = known(work.session, [one], today=work.today)
            making.take_payment(work, one, at, payment_state(one))
            return {}
        case Kind.LEAD:
            making.close_lead(work, one)
            return {}
        case Kind.MEMBER:
            return _write_member(work, one, planned)
        case _:
            return _write_membership(work, one, planned)


def _write_member(work: Work, one: ArboxRecord, planned: Planned) -> dict[str, Any]:
    row = _row(work.session, one, planned)
    facts = {column: fact for fact, column in PERSON_FIELDS.items()}
    new = {name: column_value(name, one.facts[facts[name]]) for name in planned.fields}
    before = _fields(row, planned.fields)
    changes = replace(MemberChanges(), **new)
    people.update_member(work.session, work.actor, row.id, changes, shared=True, today=work.today)
    return before


def _write_membership(work: Work, one: ArboxRecord, planned: Planned) -> dict[str, Any]:
    row = _row(work.session, one, planned)
    facts = {column: fact for fact, column in MEMBERSHIP_FIELDS.items()}
    before = _fields(row, planned.fields)
    for name in planned.fields:
        setattr(row, name, column_value(name, one.facts[facts[name]]))
    work.session.flush()
    return before


def _fields(row: OrgRow, names: Iterable[str]) -> dict[str, Any]:
    found = {name: getattr(row, name) for name in names}
    return {name: one.isoformat() if isinstance(one, date) else one for name, one in found.items()}


def _row(session: Session, one: ArboxRecord, planned: Planned) -> OrgRow:
    return session.get_one(MODELS[one.kind], planned.local_id)


def _note(
    work: Work,
    one: ArboxRecord,
    planned: Planned,
    local_id: UUID | None,
    *,
    before: dict[str, Any] | None,
) -> None:
    """Tie the record to what it became, and the batch to both."""
    if local_id is None:
        raise LookupError(one.arbox_id)
    work.session.flush()
    one.local_id, one.applied = local_id, dict(one.facts)
    one.member_id = local_id if one.kind is Kind.MEMBER else _member_of(work.session, one)
    row = work.session.get_one(MODELS[one.kind], local_id, populate_existing=True)
    work.session.add(
        ImportedRow(
            org_id=work.org.id,
            batch_id=work.batch.id,
            record_id=one.id,
            act=planned.act,
            local_id=local_id,
            before=before,
            version_left=row.version,
            position=_ORDER.index(one.kind),
        )
    )
    work.session.flush()
    _left_at(work, local_id, row.version)


def _left_at(work: Work, local_id: UUID, version: int) -> None:
    """What an earlier record of the batch made may be touched by this one: a freeze does it."""
    query = select(ImportedRow).where(
        ImportedRow.batch_id == work.batch.id, ImportedRow.local_id == local_id
    )
    for row in work.session.scalars(query):
        row.version_left = version
    work.session.flush()


def _member_of(session: Session, one: ArboxRecord) -> UUID | None:
    return session.scalar(
        select(ArboxRecord.local_id).where(
            ArboxRecord.kind == Kind.MEMBER, ArboxRecord.arbox_id == one.person
        )
    )


_ALL: Final = list(Entity)


def _id(
    entities: frozenset[Entity], since: date | None, reads: int, planned: tuple[Planned, ...]
) -> UUID:
    """What was asked for, readably, and a hash of what was found: 8, 16 and 104 bits."""
    mask = sum(1 << place for place, one in enumerate(_ALL) if one in entities)
    days = 0 if since is None else (since - _EPOCH).days
    found = [(str(one.record_id), one.act, one.why, str(one.local_id)) for one in planned]
    digest = int(key_of(reads, found), 16) & (1 << 104) - 1
    return UUID(int=mask << 120 | days << 104 | digest)


def _selection(preview_id: UUID) -> tuple[frozenset[Entity], date | None]:
    mask, days = preview_id.int >> 120, preview_id.int >> 104 & 0xFFFF
    entities = frozenset(one for place, one in enumerate(_ALL) if mask >> place & 1)
    return entities, _EPOCH + timedelta(days=days) if days else None
