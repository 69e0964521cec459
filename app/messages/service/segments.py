"""Saving groups of members."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.messages import queries
from app.messages.filters import AudienceFilter
from app.messages.models import Segment
from app.messages.views import Audience


def save_segment(
    session: Session, actor: Actor, name: str, wanted: AudienceFilter, *, now: datetime
) -> UUID:
    """A group of the gym's own. Raises NotFound for ids that lead nowhere."""
    queries.members(session, actor, Audience(wanted), now)
    made = Segment(org_id=actor.org_id, name=name, filter=wanted.told)
    session.add(made)
    session.flush()
    return made.id
