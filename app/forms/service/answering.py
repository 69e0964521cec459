"""Filling a form in: by whoever holds its link, once, for good (rules 43 and 44)."""

import json
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.sealed import sealer_of
from app.forms import queries
from app.forms.errors import AnswersMissing, NoSuchForm
from app.forms.fields import fields_of, flagged, read_answers
from app.forms.models import FormInstance, FormLink, FormResponse, FormTemplate, FormVersion
from app.forms.service.sending import hash_of
from app.forms.terms import UNANSWERED, FormKind, FormStatus
from app.forms.views import Sheet, Signed
from app.people.models import Member
from app.studio import queries as studio


def look(session: Session, token: str, *, now: datetime) -> Sheet:
    """The form that a link leads to. Raises NoSuchForm, whatever became of it."""
    return _sheet(session, _of_link(session, token, now))


def fill_in(session: Session, token: str, *, now: datetime) -> Sheet:
    """The same by a person, which is noted."""
    row = _of_link(session, token, now)
    if row.status is FormStatus.SENT:
        row.status, row.opened_at = FormStatus.OPENED, now
        session.flush()
    return _sheet(session, row)


def submit(
    session: Session,
    token: str,
    given: Mapping[str, str],
    *,
    signed_by: str,
    address: str,
    now: datetime,
) -> Sheet:
    """Keep the answers, sealed; nobody changes them afterwards.

    A health declaration counts at once, unless an answer flags it: then none before it counts
    either. Raises NoSuchForm, AnswersMissing, also for a signature that is missing.
    """
    row = _of_link(session, token, now)
    sheet = _sheet(session, row)
    answers = read_answers(sheet.fields, given)
    if sheet.requires_signature and not signed_by.strip():
        raise AnswersMissing(questions=())
    signed = Signed(answers, signed_by.strip() or None, address)
    _keep(session, row, signed, now)
    row.flagged = flagged(sheet.fields, answers)
    session.flush()
    count(session, row)
    return sheet


def count(session: Session, row: FormInstance) -> None:
    """Until when a member's health declaration holds, by what they said last (rule 43).

    A later day that is known from elsewhere stays, unless the last copy doesn't count.
    """
    if session.get_one(FormTemplate, row.template_id).kind is not FormKind.HEALTH_DECLARATION:
        return
    member = session.get_one(Member, row.member_id, with_for_update=True, populate_existing=True)
    last_id, until = queries.last_health_declaration(session, member.id)
    if last_id != row.id:
        return
    known = member.health_form_until
    member.health_form_until = max(until, known) if until and known else until
    session.flush()


def _of_link(session: Session, token: str, now: datetime) -> FormInstance:
    query = select(FormInstance).join(FormLink, FormLink.instance_id == FormInstance.id)
    query = query.where(FormLink.token_hash == hash_of(token))
    row = session.scalar(query.with_for_update(of=FormInstance))
    if row is None or row.status not in UNANSWERED:
        raise NoSuchForm
    if row.expires_on < studio.today(session, row.org_id, now):
        raise NoSuchForm
    return row


def _sheet(session: Session, row: FormInstance) -> Sheet:
    member = session.get_one(Member, row.member_id)
    asked = session.get_one(FormVersion, row.version_id)
    return Sheet(
        instance_id=row.id,
        member=member.name,
        language=session.get_one(FormTemplate, row.template_id).language,
        title=asked.title,
        fields=fields_of(asked.fields),
        requires_signature=asked.requires_signature,
    )


def _keep(session: Session, row: FormInstance, signed: Signed, now: datetime) -> None:
    told = {"answers": signed.answers, "signed_by": signed.signed_by, "address": signed.address}
    sealed = sealer_of(session).seal(json.dumps(told, ensure_ascii=False))
    made = FormResponse(org_id=row.org_id, instance_id=row.id, answers=sealed, signed_at=now)
    session.add(made)
    row.status, row.submitted_at = FormStatus.SUBMITTED, now
    row.valid_until = _valid_until(session, row, now)
    session.flush()


def _valid_until(session: Session, row: FormInstance, now: datetime) -> date | None:
    days = session.get_one(FormVersion, row.version_id).valid_for_days
    if days is None:
        return None
    return studio.today(session, row.org_id, now) + timedelta(days=days - 1)


def of_id(session: Session, instance_id: UUID) -> FormInstance | None:
    return session.get(FormInstance, instance_id, with_for_update=True, populate_existing=True)
