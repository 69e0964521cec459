"""Which members have no signed copy of a form that counts."""

from datetime import date, datetime
from typing import Final
from uuid import UUID

from sqlalchemy import ColumnElement, ScalarSelect, and_, case, func, or_, select
from sqlalchemy.orm import Session

from app.forms.models import FormInstance, FormTemplate
from app.forms.queries.templates import template
from app.forms.terms import ANSWERED, UNANSWERED, FormDecision, FormKind
from app.forms.views import MissingView
from app.people.models import Member
from app.people.queries import member_view
from app.people.terms import MemberStatus
from app.studio.paging import Cut, Page, page

_NEWEST: Final = (FormInstance.submitted_at.desc(), FormInstance.id.desc())
"""What somebody says last stands, whatever they said before (rule 43)."""


def missing(
    session: Session, template_id: UUID, *, today: date, through: date, cut: Cut
) -> Page[MissingView]:
    """Active members whose last copy doesn't count through a day, by name. Raises NotFound.

    One that was flagged counts once it was approved. A health declaration may also be of another
    form, or have been signed elsewhere: the member's own date says until when.
    """
    found = template(session, template_id)
    health = found.kind is FormKind.HEALTH_DECLARATION
    declared = func.coalesce(Member.health_form_until, date.min) < through
    query = (
        select(Member, _last_day(template_id), _waiting_since(template_id, today))
        .where(Member.status == MemberStatus.ACTIVE)
        .where(declared if health else ~_counts(template_id, through))
        .order_by(Member.first_name, Member.last_name, Member.id)
    )
    return page(session, query, cut, lambda row: MissingView(member_view(row[0]), row[1], row[2]))


def last_health_declaration(session: Session, member_id: UUID) -> tuple[UUID, date | None]:
    """The one they signed last, of whichever form, and until when it counts: None, not at all."""
    query = (
        select(FormInstance.id, case((_good(), FormInstance.valid_until)))
        .join(FormTemplate, FormTemplate.id == FormInstance.template_id)
        .where(
            FormTemplate.kind == FormKind.HEALTH_DECLARATION,
            FormInstance.member_id == member_id,
            FormInstance.status.in_(ANSWERED),
        )
        .order_by(*_NEWEST)
    )
    found_id, until = session.execute(query.limit(1)).one()
    return found_id, until


def _counts(template_id: UUID, through: date) -> ColumnElement[bool]:
    lasts = or_(FormInstance.valid_until.is_(None), FormInstance.valid_until >= through)
    newest = (
        select(and_(_good(), lasts))
        .where(
            FormInstance.member_id == Member.id,
            FormInstance.template_id == template_id,
            FormInstance.status.in_(ANSWERED),
        )
        .order_by(*_NEWEST)
        .limit(1)
    )
    return func.coalesce(newest.correlate(Member).scalar_subquery(), False)


def _good() -> ColumnElement[bool]:
    unflagged = and_(
        FormInstance.flagged.is_(False),
        FormInstance.decision.is_distinct_from(FormDecision.NEEDS_DOCUMENT),
    )
    return or_(FormInstance.decision == FormDecision.APPROVED, unflagged)


def _last_day(template_id: UUID) -> ScalarSelect[date | None]:
    return (
        select(func.max(FormInstance.valid_until))
        .where(
            FormInstance.member_id == Member.id,
            FormInstance.template_id == template_id,
            FormInstance.status.in_(ANSWERED),
        )
        .correlate(Member)
        .scalar_subquery()
    )


def _waiting_since(template_id: UUID, today: date) -> ScalarSelect[datetime]:
    return (
        select(func.max(FormInstance.sent_at))
        .where(
            FormInstance.member_id == Member.id,
            FormInstance.template_id == template_id,
            FormInstance.status.in_(UNANSWERED),
            FormInstance.expires_on >= today,
        )
        .correlate(Member)
        .scalar_subquery()
    )
