"""Saved groups: the gym's own, and those that every gym has."""

from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.messages.filters import AudienceFilter
from app.messages.models import Segment
from app.messages.queries.audience import counting
from app.messages.views import SegmentView
from app.people.terms import MemberStatus
from app.studio import queries as studio

OF_EVERY_GYM: Final[dict[str, AudienceFilter]] = {
    "active": AudienceFilter(),
    "prospects": AudienceFilter(status=(MemberStatus.PROSPECT,)),
    "absent": AudienceFilter(absent_days=14),
    "expiring": AudienceFilter(expires_days=14),
    "few_credits": AudienceFilter(credits_at_most=2),
    "birthdays": AudienceFilter(birthday_days=7),
    "frozen": AudienceFilter(frozen=True),
    "no_health_form": AudienceFilter(health_form_missing=True),
    "unpaid": AudienceFilter(unpaid=True),
}


def segments(
    session: Session, org_id: UUID, *, counts: bool, unpaid: bool, now: datetime
) -> list[SegmentView]:
    """All groups, those of every gym first; counted in one query.

    `unpaid`: with those that tell who hasn't paid.
    """
    own = session.scalars(select(Segment).order_by(Segment.name, Segment.id)).all()
    found = [_of_every_gym(org_id, slug) for slug in OF_EVERY_GYM] + [_own(row) for row in own]
    shown = [one for one in found if unpaid or one.filter.unpaid is None]
    if not counts:
        return shown
    today = studio.today(session, org_id, now)
    sums = session.execute(select(*(counting(one.filter, today, now) for one in shown))).one()
    return [_with(one, number) for one, number in zip(shown, sums, strict=True)]


def segment(session: Session, org_id: UUID, segment_id: UUID) -> SegmentView:
    slugs = {system_id(org_id, slug): slug for slug in OF_EVERY_GYM}
    if segment_id in slugs:
        return _of_every_gym(org_id, slugs[segment_id])
    found = session.get(Segment, segment_id)
    if found is None:
        raise NotFound(what="segment")
    return _own(found)


def system_id(org_id: UUID, slug: str) -> UUID:
    """No row stands for it, so its id follows from the gym's."""
    return uuid5(org_id, f"segment:{slug}")


def _of_every_gym(org_id: UUID, slug: str) -> SegmentView:
    return SegmentView(system_id(org_id, slug), None, slug, OF_EVERY_GYM[slug], None)


def _own(row: Segment) -> SegmentView:
    return SegmentView(row.id, row.name, None, AudienceFilter.model_validate(row.filter), None)


def _with(one: SegmentView, members: int) -> SegmentView:
    return SegmentView(one.id, one.name, one.slug, one.filter, members)
