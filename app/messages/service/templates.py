"""Making and deleting message templates, and what the provider says of them."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import column, select, table
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import NotFound
from app.messages.errors import TemplateInUse, TemplateTaken
from app.messages.models import MessageTemplate
from app.messages.queries.templates import template_view
from app.messages.terms import ProviderStatus
from app.messages.texts import places_of
from app.messages.views import TemplateView
from app.people.terms import Category, Channel

_AUTOMATION: Final = table("automation", column("name"), column("actions", JSONB()))
"""Read by name: the domain of automations stands above this one."""


@dataclass(frozen=True, slots=True)
class NewTemplate:
    name: str
    channel: Channel
    language: str
    body: str
    category: Category


def create_template(session: Session, actor: Actor, new: NewTemplate) -> TemplateView:
    """On WhatsApp it is a draft until the provider approves it. Raises TemplateTaken."""
    same = select(MessageTemplate.id).where(
        MessageTemplate.name == new.name,
        MessageTemplate.channel == new.channel,
        MessageTemplate.language == new.language,
    )
    if session.scalar(same) is not None:
        raise TemplateTaken(template=new.name)
    whatsapp = new.channel is Channel.WHATSAPP
    made = MessageTemplate(
        org_id=actor.org_id,
        name=new.name,
        channel=new.channel,
        language=new.language,
        category=new.category,
        body=new.body,
        variables=list(places_of(new.body)),
        provider_status=ProviderStatus.DRAFT if whatsapp else ProviderStatus.APPROVED,
    )
    session.add(made)
    session.flush()
    return template_view(made)


def preview_delete_template(session: Session, template_id: UUID) -> TemplateView:
    """Raises NotFound, TemplateInUse."""
    row = _template(session, template_id)
    users = _users(session, row)
    if users:
        raise TemplateInUse(automations=users, template=row.name)
    return template_view(row)


def delete_template(session: Session, template_id: UUID) -> TemplateView:
    view = preview_delete_template(session, template_id)
    session.delete(_template(session, template_id))
    session.flush()
    return view


def set_provider_status(
    session: Session, template_id: UUID, status: ProviderStatus, ref: str | None
) -> None:
    """What the provider decided, and by which id it knows the text."""
    row = _template(session, template_id)
    row.provider_status, row.provider_ref = status, ref
    session.flush()


def _template(session: Session, template_id: UUID) -> MessageTemplate:
    row = session.get(MessageTemplate, template_id)
    if row is None:
        raise NotFound(what="message_template")
    return row


def _users(session: Session, row: MessageTemplate) -> tuple[str, ...]:
    """The automations that send it, by name."""
    sends = [{"template_id": str(row.id)}]
    query = select(_AUTOMATION.c.name).where(_AUTOMATION.c.actions.contains(sends))
    return tuple(session.scalars(query.order_by(_AUTOMATION.c.name)))
