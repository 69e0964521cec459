"""Which members have no signed copy of a form that counts."""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import ColumnElement, ScalarSelect, and_, exists, func, or_, select
from sqlalchemy.orm import Session

from app.forms.models import FormInstance
from app.forms.queries.templates import template
from app.forms.terms import ANSWERED, UNANSWERED, FormDecision, FormKind
from app.forms.views import MissingView
from app.people.models import Member
from app.people.queries import member_view
from app.people.terms import MemberStatus
from app.studio.paging import Cut, Page, page


def missing(
    session: Session, template_id: UUID, *, today: date, through: date, cut: Cut
) -> Page[MissingView]:
    """Active members whose copy doesn't count through a day, by name. Raises NotFound.

    One that was flagged counts once it was approved. A health declaration may also have been
    signed elsewhere: then the member's own date says until when.
    """
    found = template(session, template_id)
    query = (
        select(Member, _last_day(template_id), _waiting_since(template_id, today))
        .where(Member.status == MemberStatus.ACTIVE, ~_counts(template_id, through))
        .order_by(Member.first_name, Member.last_name, Member.id)
    )
    if found.kind is FormKind.HEALTH_DECLARATION:
        query = query.where(func.coalesce(Member.health_form_until, date.min) < through)
    return page(session, query, cut, lambda row: MissingView(member_view(row[0]), row[1], row[2]))


def _counts(template_id: UUID, through: date) -> ColumnElement[bool]:
    return (
        exists()
        .where(
            FormInstance.member_id == Member.id,
            FormInstance.template_id == template_id,
            *_good(),
            or_(FormInstance.valid_until.is_(None), FormInstance.valid_until >= through),
        )
        .correlate(Member)
    )


def _good() -> tuple[ColumnElement[bool], ...]:
    unflagged = and_(
        FormInstance.flagged.is_(False),
        FormInstance.decision.is_distinct_from(FormDecision.NEEDS_DOCUMENT),
    )
    approved = FormInstance.decision == FormDecision.APPROVED
    return FormInstance.status.in_(ANSWERED), or_(unflagged, approved)


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
