"""Reading form templates, in the version that is sent now."""

from uuid import UUID

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.forms.fields import fields_of
from app.forms.models import FormInstance, FormTemplate, FormVersion
from app.forms.terms import ANSWERED, UNANSWERED, FormKind
from app.forms.views import TemplateView
from app.studio.paging import Cut, Page, page


def templates(
    session: Session, *, kind: FormKind | None = None, active: bool | None = True, cut: Cut
) -> Page[TemplateView]:
    query = _templates().order_by(FormVersion.title, FormTemplate.id)
    if kind is not None:
        query = query.where(FormTemplate.kind == kind)
    if active is not None:
        query = query.where(FormTemplate.active == active)
    return page(session, query, cut, _view)


def template(session: Session, template_id: UUID) -> TemplateView:
    row = session.execute(_templates().where(FormTemplate.id == template_id)).one_or_none()
    if row is None:
        raise NotFound(what="form_template")
    return _view(row)


def answered_count(session: Session, template_id: UUID) -> int:
    return _count(session, template_id, ANSWERED)


def unanswered_count(session: Session, template_id: UUID) -> int:
    return _count(session, template_id, UNANSWERED)


def _count(session: Session, template_id: UUID, statuses: tuple[str, ...]) -> int:
    query = select(func.count()).where(
        FormInstance.template_id == template_id, FormInstance.status.in_(statuses)
    )
    return session.scalar(query) or 0


def _templates() -> Select[FormTemplate, FormVersion]:
    current = (FormVersion.template_id == FormTemplate.id) & (
        FormVersion.number == FormTemplate.current
    )
    return select(FormTemplate, FormVersion).join(FormVersion, current)


def _view(row: Row[FormTemplate, FormVersion]) -> TemplateView:
    found, asked = row
    return TemplateView(
        id=found.id,
        version=found.version,
        kind=found.kind,
        title=asked.title,
        language=found.language,
        active=found.active,
        version_id=asked.id,
        number=asked.number,
        fields=fields_of(asked.fields),
        requires_signature=asked.requires_signature,
        valid_for_days=asked.valid_for_days,
    )
