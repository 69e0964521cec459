"""Taking a batch back, row by row: what it made goes, what it changed is as before.

A row that was touched since stays, and is named. A membership has its history, so it is closed as
if it had never been; a payment is the provider's, so it is void; whatever else refers to a member,
a plan or a class type keeps that, out of sight.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.arbox.errors import AlreadyRolledBack, TouchedSince
from app.arbox.models import ArboxMapping, ArboxRecord, ImportBatch, ImportedRow
from app.arbox.service import making
from app.arbox.service.making import MODELS, Work
from app.arbox.service.planning import column_value, known
from app.arbox.terms import Act, Kind, MappingState
from app.core.actor import Actor
from app.core.db import OrgRow
from app.core.errors import NotFound
from app.leads import service as leads
from app.memberships import service as memberships
from app.memberships.terms import PaymentState
from app.people import service as people
from app.people.models import Member
from app.people.names import name_keys
from app.people.terms import MemberStatus
from app.schedule import service as schedule
from app.schedule.errors import ClassTypeInUse
from app.studio import queries as studio


def rows_of(session: Session, batch_id: UUID, *, now: datetime) -> list[tuple[UUID, str]]:
    """Ids and names of what a batch did that still stands, the last first.

    Raises NotFound, AlreadyRolledBack.
    """
    batch = session.get(ImportBatch, batch_id, with_for_update=True)
    if batch is None:
        raise NotFound(what="import_batch")
    found = standing(session, batch_id)
    if not found:
        raise AlreadyRolledBack
    batch.rolled_back_at = now
    return found


def standing(session: Session, batch_id: UUID) -> list[tuple[UUID, str]]:
    query = (
        select(ImportedRow.id, ArboxRecord.name)
        .join(ArboxRecord, ArboxRecord.id == ImportedRow.record_id)
        .where(ImportedRow.batch_id == batch_id, ~ImportedRow.rolled_back)
        .order_by(ImportedRow.position.desc(), ImportedRow.id.desc())
    )
    return [(row_id, name) for row_id, name in session.execute(query)]


def take_back(session: Session, actor: Actor, row_id: UUID, *, now: datetime) -> bool:
    """Undo one row; True where it was removed, False where it was restored. Raises TouchedSince."""
    done = session.get_one(ImportedRow, row_id, with_for_update=True)
    one = session.get_one(ArboxRecord, done.record_id, with_for_update=True)
    batch = session.get_one(ImportBatch, done.batch_id)
    today = studio.today(session, actor.org_id, now)
    org = studio.org(session, actor.org_id)
    work = Work(session, actor, org, batch, batch.policy, today, now)
    row = session.get(MODELS[one.kind], done.local_id, populate_existing=True)
    if row is None or row.version != done.version_left:
        raise TouchedSince(name=one.name)
    made = done.act is Act.CREATE
    if made:
        _remove(work, one, done.local_id)
    else:
        _restore(work, one, row, done.before or {})
    _untie(work, one, done)
    return made


def _remove(work: Work, one: ArboxRecord, local_id: UUID) -> None:
    session = work.session
    match one.kind:
        case Kind.PAYMENT:
            at = known(session, [one], today=work.today)
            making.take_payment(work, one, at, PaymentState.VOID)
        case Kind.LEAD:
            leads.delete(session, local_id)
        case Kind.MEMBERSHIP:
            memberships.unsell(session, work.actor, local_id, today=work.today)
        case Kind.FREEZE:
            undoing = replace(work.actor, undoing=True)
            memberships.unfreeze(session, undoing, local_id, None, today=work.today)
        case Kind.MEMBER:
            _remove_member(work, local_id)
        case Kind.CLASS_TYPE | Kind.PLAN:
            _remove_mapped(work, one, local_id)


def _remove_member(work: Work, member_id: UUID) -> None:
    """Gone, unless something here is theirs: then out of all lists."""
    session = work.session
    try:
        with session.begin_nested():
            session.delete(session.get_one(Member, member_id))
            session.flush()
    except IntegrityError:
        people.archive(session, work.actor, member_id, now=work.now)


def _remove_mapped(work: Work, one: ArboxRecord, local_id: UUID) -> None:
    session = work.session
    if one.kind is Kind.PLAN:
        try:
            with session.begin_nested():
                session.delete(session.get_one(MODELS[Kind.PLAN], local_id))
                session.flush()
        except IntegrityError:
            memberships.archive_plan(session, local_id)
    else:
        try:
            schedule.delete_class_type(session, local_id)
        except ClassTypeInUse:
            schedule.set_active(session, local_id, active=False)
    query = select(ArboxMapping).where(ArboxMapping.local_id == local_id)
    for mapping in session.scalars(query):
        mapping.local_id, mapping.state = None, MappingState.UNMAPPED


def _restore(work: Work, one: ArboxRecord, row: OrgRow, before: Mapping[str, Any]) -> None:
    """The fields as they were; a lead that was closed stays so: that is so at Arbox too."""
    for name, value in before.items():
        setattr(row, name, column_value(name, value))
    if isinstance(row, Member):
        if row.status is MemberStatus.ERASED:
            raise TouchedSince(name=one.name)
        row.name_keys = name_keys(row.first_name, row.last_name, row.nickname, row.display_name)
    work.session.flush()


def _untie(work: Work, one: ArboxRecord, done: ImportedRow) -> None:
    """The next preview shows the record as if it had never been imported."""
    done.rolled_back = True
    one.local_id = one.applied = None
    work.session.flush()
    _relearn(work, one, done.local_id)


def _relearn(work: Work, one: ArboxRecord, local_id: UUID) -> None:
    """A freeze that is taken back moves its membership, which is still to be taken back."""
    row = work.session.get(MODELS[one.kind], local_id)
    if row is None:
        return
    beside = select(ImportedRow).where(
        ImportedRow.batch_id == work.batch.id, ImportedRow.local_id == local_id
    )
    for other in work.session.scalars(beside):
        other.version_left = row.version
    work.session.flush()
