"""Reading forms that were sent, and signed copies."""

import json
from collections.abc import Collection, Iterator
from datetime import date
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, exists, or_, select
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.columns import among
from app.core.errors import NotFound
from app.core.sealed import sealer_of
from app.forms.fields import fields_of, key_of
from app.forms.models import FormInstance, FormLink, FormResponse, FormTemplate, FormVersion
from app.forms.terms import UNANSWERED, FormStatus
from app.forms.views import Copy, InstanceFilter, InstanceView
from app.people.models import Member, Staff
from app.studio.paging import Cut, Page, page


def instances(
    session: Session, wanted: InstanceFilter, *, today: date, cut: Cut
) -> Page[InstanceView]:
    """What was sent last comes first."""
    query = _instances().where(*_terms(wanted, today))
    query = query.order_by(FormInstance.sent_at.desc(), FormInstance.id.desc())
    return page(session, query, cut, lambda row: _view(row, today))


def instance(session: Session, instance_id: UUID, *, today: date) -> InstanceView:
    row = session.execute(_instances().where(FormInstance.id == instance_id)).one_or_none()
    if row is None:
        raise NotFound(what="form_instance")
    return _view(row, today)


def waiting(
    session: Session, template_id: UUID, member_ids: Collection[UUID], *, today: date
) -> frozenset[UUID]:
    """Those of some members who have this form and haven't answered it."""
    query = select(FormInstance.member_id).where(
        FormInstance.template_id == template_id,
        among(FormInstance.member_id, member_ids),
        FormInstance.status.in_(UNANSWERED),
        FormInstance.expires_on >= today,
    )
    return frozenset(session.scalars(query))


def copy(session: Session, instance_id: UUID) -> Copy | None:
    """The signed copy; None where nothing was handed in, or where the person was erased."""
    query = (
        select(FormResponse, FormVersion.fields)
        .join(FormInstance, FormInstance.id == FormResponse.instance_id)
        .join(FormVersion, FormVersion.id == FormInstance.version_id)
        .where(FormResponse.instance_id == instance_id)
    )
    row = session.execute(query).one_or_none()
    if row is None or not row[0].answers:
        return None
    found, asked = row
    told = json.loads(sealer_of(session).unseal(found.answers))
    fields = fields_of(asked)
    answers = tuple(
        (field, told["answers"].get(key_of(position))) for position, field in enumerate(fields)
    )
    return Copy(answers, told["signed_by"], found.signed_at)


def may_read_medical(actor: Actor) -> bool:
    """Rule 2: a coach doesn't see medical answers."""
    return actor.role.at_least(Role.ADMIN)


def _instances() -> Select[FormInstance, FormTemplate, FormVersion, Member, str, bool]:
    return (
        select(FormInstance, FormTemplate, FormVersion, Member, Staff.name, _undelivered())
        .join(FormTemplate, FormTemplate.id == FormInstance.template_id)
        .join(FormVersion, FormVersion.id == FormInstance.version_id)
        .join(Member, Member.id == FormInstance.member_id)
        .outerjoin(Staff, Staff.user_id == FormInstance.reviewed_by)
    )


def _undelivered() -> ColumnElement[bool]:
    lost = FormLink.undelivered_at.is_not(None)
    return exists().where(FormLink.instance_id == FormInstance.id, lost).correlate(FormInstance)


def _terms(wanted: InstanceFilter, today: date) -> Iterator[ColumnElement[bool]]:
    if wanted.member_id is not None:
        yield FormInstance.member_id == wanted.member_id
    if wanted.template_id is not None:
        yield FormInstance.template_id == wanted.template_id
    if wanted.statuses:
        yield or_(*(_has_status(one, today) for one in wanted.statuses))


def _has_status(status: FormStatus, today: date) -> ColumnElement[bool]:
    over = FormInstance.expires_on < today
    if status is FormStatus.EXPIRED:
        return and_(FormInstance.status.in_(UNANSWERED), over)
    stored = FormInstance.status == status
    return and_(stored, ~over) if status in UNANSWERED else stored


def _view(
    row: Row[FormInstance, FormTemplate, FormVersion, Member, str | None, bool], today: date
) -> InstanceView:
    found, template, asked, member, reviewer, undelivered = row
    over = found.status in UNANSWERED and found.expires_on < today
    return InstanceView(
        id=found.id,
        version=found.version,
        template_id=found.template_id,
        kind=template.kind,
        title=asked.title,
        member_id=found.member_id,
        member=member.name,
        status=FormStatus.EXPIRED if over else found.status,
        channel=found.channel,
        due_on=found.due_on,
        sent_at=found.sent_at,
        undelivered=undelivered,
        opened_at=found.opened_at,
        submitted_at=found.submitted_at,
        valid_until=found.valid_until,
        flagged=found.flagged,
        decision=found.decision,
        review_note=found.review_note,
        reviewed_by=reviewer,
    )
