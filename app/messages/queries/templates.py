"""Reading message templates."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.messages.models import MessageTemplate
from app.messages.terms import ProviderStatus
from app.messages.texts import Variant, Wording
from app.messages.views import TemplateView
from app.people.terms import Channel
from app.studio.paging import Cut, Page, page


def template(session: Session, template_id: UUID) -> TemplateView:
    found = session.get(MessageTemplate, template_id)
    if found is None:
        raise NotFound(what="message_template")
    return template_view(found)


def list_templates(
    session: Session,
    *,
    channel: Channel | None = None,
    language: str | None = None,
    statuses: Collection[ProviderStatus] = (),
    cut: Cut,
) -> Page[TemplateView]:
    query = select(MessageTemplate).order_by(
        MessageTemplate.name, MessageTemplate.channel, MessageTemplate.language
    )
    if channel is not None:
        query = query.where(MessageTemplate.channel == channel)
    if language is not None:
        query = query.where(MessageTemplate.language == language)
    if statuses:
        query = query.where(MessageTemplate.provider_status.in_(statuses))
    return page(session, query, cut, lambda row: template_view(row[0]))


def unapproved(session: Session, *, before: datetime) -> list[TemplateView]:
    """Those for WhatsApp that are to be handed in, or wait for its word, made before a time."""
    rows = session.scalars(_unapproved(select(MessageTemplate), before))
    return [template_view(row) for row in rows.all()]


def orgs_unapproved(platform: Session, *, before: datetime) -> list[UUID]:
    """The gyms that have such templates."""
    return list(platform.scalars(_unapproved(select(MessageTemplate.org_id), before).distinct()))


def _unapproved(query: Select[Any], before: datetime) -> Select[Any]:
    waiting = (ProviderStatus.DRAFT, ProviderStatus.PENDING)
    return query.where(
        MessageTemplate.channel == Channel.WHATSAPP,
        MessageTemplate.provider_status.in_(waiting),
        MessageTemplate.created_at < before,
    )


def wording_of(session: Session, one: TemplateView, given: dict[str, str]) -> Wording:
    """A template with its translations: those of the same name on the same channel."""
    rows = session.scalars(
        select(MessageTemplate)
        .where(MessageTemplate.name == one.name, MessageTemplate.channel == one.channel)
        .order_by(MessageTemplate.id != one.id, MessageTemplate.language)
    )
    return Wording(variants={row.language: variant_of(row) for row in rows}, given=given)


def variant_of(row: MessageTemplate) -> Variant:
    approved = row.provider_status is ProviderStatus.APPROVED
    ref = row.provider_ref if approved else None
    return Variant(body=row.body, ref=ref, variables=tuple(row.variables))


def template_view(row: MessageTemplate) -> TemplateView:
    return TemplateView(
        id=row.id,
        version=row.version,
        name=row.name,
        channel=row.channel,
        language=row.language,
        category=row.category,
        body=row.body,
        variables=tuple(row.variables),
        provider_status=row.provider_status,
        provider_ref=row.provider_ref,
    )
