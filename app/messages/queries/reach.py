"""Everybody that an audience means, by name."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.errors import NotAllowed
from app.messages.filters import AudienceFilter
from app.messages.queries import audience as terms
from app.messages.queries.people import persons_among
from app.messages.queries.segments import segment
from app.messages.views import Audience, Person
from app.people.models import Member
from app.studio import queries as studio


def members(session: Session, actor: Actor, audience: Audience, now: datetime) -> list[Person]:
    """All that is given must agree.

    Raises NotFound for ids that lead nowhere, NotAllowed where it tells a coach who hasn't paid.
    """
    terms.check_refers(session, audience)
    asked = [audience, *_of_segment(session, actor.org_id, audience)]
    for one in asked:
        check_may_know(actor, one.filter)
    today = studio.today(session, actor.org_id, now)
    kept = [term for one in asked for term in terms.terms_of(one, today, now)]
    return persons_among(session, *kept)


def count(session: Session, org_id: UUID, wanted: AudienceFilter, now: datetime) -> int:
    today = studio.today(session, org_id, now)
    query = select(func.count(Member.id)).where(*terms.terms_of(Audience(wanted), today, now))
    return session.scalar(query) or 0


def _of_segment(session: Session, org_id: UUID, audience: Audience) -> list[Audience]:
    if audience.segment_id is None:
        return []
    return [Audience(segment(session, org_id, audience.segment_id).filter)]


def may_know(actor: Actor, wanted: AudienceFilter) -> bool:
    """Who and how many haven't paid is for admins (rule 2)."""
    return wanted.unpaid is None or actor.role.at_least(Role.ADMIN)


def check_may_know(actor: Actor, wanted: AudienceFilter) -> None:
    """Raises NotAllowed."""
    if not may_know(actor, wanted):
        raise NotAllowed
