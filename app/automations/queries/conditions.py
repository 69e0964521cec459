"""Whom an automation's conditions leave."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from app.automations.shapes import Holds, InSegment, OneOf, Shape
from app.core.columns import among
from app.leads.models import Lead
from app.leads.terms import LeadSource
from app.messages import queries as messages
from app.messages.filters import AudienceFilter
from app.messages.queries.audience import filter_terms
from app.people.models import Member
from app.studio import queries as studio


def kept(
    session: Session, org_id: UUID, shape: Shape, ids: Collection[UUID], now: datetime
) -> set[UUID]:
    """Those of some people who meet every condition."""
    if not shape.conditions:
        return {*ids}
    if shape.of_leads:
        return set(session.scalars(select(Lead.id).where(among(Lead.id, ids), *_of_leads(shape))))
    today = studio.today(session, org_id, now)
    terms = [
        term
        for wanted in _filters(session, org_id, shape)
        for term in filter_terms(wanted, today, now)
    ]
    return set(session.scalars(select(Member.id).where(among(Member.id, ids), *terms)))


def _of_leads(shape: Shape) -> list[ColumnElement[bool]]:
    terms: list[ColumnElement[bool]] = []
    for one in shape.conditions:
        match one:
            case OneOf(kind="languages", any=languages):
                terms.append(Lead.language.in_(languages))
            case OneOf(kind="lead_sources", any=sources):
                terms.append(Lead.source.in_([LeadSource(source) for source in sources]))
            case _:
                continue
    return terms


def _filters(session: Session, org_id: UUID, shape: Shape) -> list[AudienceFilter]:
    """A condition is a filter of one field, or that of a saved group."""
    found = []
    for one in shape.conditions:
        match one:
            case OneOf(kind="tags" | "without_tags" | "languages" as field, any=words):
                found.append(AudienceFilter.model_validate({field: words}))
            case Holds(any=plans):
                found.append(AudienceFilter(plan_ids=plans))
            case InSegment(segment_id=segment_id):
                found.append(messages.segment(session, org_id, segment_id).filter)
            case OneOf():
                continue
    return found
