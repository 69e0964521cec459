"""Reading leads, what was done about them, and the pipeline."""

from collections.abc import Collection, Iterator
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, func, or_, select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.leads.models import Lead, LeadActivity
from app.leads.terms import OPEN, LeadStage
from app.leads.views import ActivityView, LeadFilter, LeadView, StageView
from app.people.contacts import phone_digits
from app.people.models import Staff
from app.studio.paging import Cut, Page, page

SHOWN = 3
"""Leads of each stage that the pipeline names."""


def leads(session: Session, wanted: LeadFilter, *, cut: Cut) -> Page[LeadView]:
    """Who is to be followed up first, then the newest."""
    query = _leads().where(*_terms(wanted))
    query = query.order_by(Lead.next_follow_up_at.asc().nulls_last(), Lead.id.desc())
    return page(session, query, cut, _view)


def lead(session: Session, lead_id: UUID) -> LeadView:
    row = session.execute(_leads().where(Lead.id == lead_id)).one_or_none()
    if row is None:
        raise NotFound(what="lead")
    return _view(row)


def names(session: Session, ids: Collection[UUID]) -> dict[UUID, str]:
    rows = session.scalars(select(Lead).where(Lead.id.in_(ids)))
    return {row.id: row.name for row in rows}


def open_with_phone(session: Session, phone: str) -> UUID | None:
    """The open lead that has this number (E.164); there is one at most."""
    return session.scalar(select(Lead.id).where(Lead.phone == phone, Lead.stage.in_(OPEN)))


def gyms_with(session: Session, phone: str) -> frozenset[UUID]:
    """The gyms that have a lead with this number, open or not; in a platform transaction."""
    return frozenset(session.scalars(select(Lead.org_id).where(Lead.phone == phone)))


def activities(session: Session, lead_id: UUID, *, cut: Cut) -> Page[ActivityView]:
    """What was done about a lead, the newest first."""
    query = (
        select(LeadActivity, Staff.name)
        .outerjoin(Staff, Staff.user_id == LeadActivity.actor_id)
        .where(LeadActivity.lead_id == lead_id)
        .order_by(LeadActivity.occurred_at.desc(), LeadActivity.id.desc())
    )
    return page(session, query, cut, _activity)


def pipeline(session: Session, wanted: LeadFilter) -> tuple[StageView, ...]:
    """The open stages in their order, empty ones too; of each the oldest and how many in all."""
    place = (
        func.row_number()
        .over(partition_by=Lead.stage, order_by=(Lead.stage_since, Lead.id))
        .label("place")
    )
    total = func.count().over(partition_by=Lead.stage).label("total")
    ranked = _leads().add_columns(place, total).where(*_terms(wanted)).subquery()
    numbers = select(ranked.c.id, ranked.c.total).where(ranked.c.place <= SHOWN)
    totals = {row.id: row.total for row in session.execute(numbers)}
    found = session.execute(_leads().where(Lead.id.in_(totals)).order_by(Lead.stage_since, Lead.id))
    views = [_view(row) for row in found]
    return tuple(_stage(stage, views, totals) for stage in OPEN)


def _stage(stage: LeadStage, views: list[LeadView], totals: dict[UUID, int]) -> StageView:
    oldest = tuple(one for one in views if one.stage is stage)
    return StageView(stage, totals[oldest[0].id] if oldest else 0, oldest)


def _leads() -> Select[Lead, str]:
    return select(Lead, Staff.name).outerjoin(Staff, Staff.id == Lead.owner_id)


def _terms(wanted: LeadFilter) -> Iterator[ColumnElement[bool]]:
    yield Lead.stage.in_(wanted.stages or OPEN)
    if wanted.q is not None:
        yield _meets(wanted.q)
    if wanted.sources:
        yield Lead.source.in_(wanted.sources)
    if wanted.owner_id is not None:
        yield Lead.owner_id == wanted.owner_id
    if wanted.created_since is not None:
        yield Lead.created_at >= wanted.created_since
    if wanted.follow_up_before is not None:
        yield Lead.next_follow_up_at < wanted.follow_up_before


def _meets(q: str) -> ColumnElement[bool]:
    if digits := phone_digits(q):
        return Lead.phone.contains(digits, autoescape=True)
    name = func.concat(Lead.first_name, " ", Lead.last_name)
    return or_(name.icontains(q, autoescape=True), Lead.email.icontains(q, autoescape=True))


def _activity(row: Row[LeadActivity, str | None]) -> ActivityView:
    found, by = row
    return ActivityView(
        id=found.id,
        kind=found.kind,
        stage=found.stage,
        outcome=found.outcome,
        body=found.body,
        at=found.occurred_at,
        by=by,
    )


def _view(row: Row[Lead, str | None]) -> LeadView:
    found, owner = row
    return LeadView(
        id=found.id,
        version=found.version,
        name=found.name,
        phone=found.phone,
        email=found.email,
        language=found.language,
        source=found.source,
        campaign=found.campaign,
        stage=found.stage,
        stage_since=found.stage_since,
        owner_id=found.owner_id,
        owner=owner,
        interest=found.interest,
        notes=found.notes,
        next_follow_up_at=found.next_follow_up_at,
        trial_booking_id=found.trial_booking_id,
        converted_member_id=found.converted_member_id,
        converted_at=found.converted_at,
        lost_reason=found.lost_reason,
        lost_at=found.lost_at,
        created_at=found.created_at,
    )
