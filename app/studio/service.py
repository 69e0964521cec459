"""Setting up a gym."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID
from zoneinfo import available_timezones

from sqlalchemy.orm import Session

from app.core.errors import BadInput, NotFound
from app.studio.models import Location, Org
from app.studio.policy import merged
from app.studio.terms import Tier


@dataclass(frozen=True, slots=True)
class NewOrg:
    name: str
    slug: str
    tier: Tier = Tier.LITE
    timezone: str = "Asia/Jerusalem"
    language: str = "he"
    booking_policy: dict[str, Any] = field(default_factory=dict)


def create_org(session: Session, org_id: UUID, new: NewOrg) -> Org:
    """Make the org that this session is bound to. Raises BadInput for an unknown zone."""
    if new.timezone not in available_timezones():
        raise BadInput(fields="timezone")
    merged(new.booking_policy)
    made = Org(
        id=org_id,
        name=new.name,
        slug=new.slug,
        tier=new.tier,
        timezone=new.timezone,
        language=new.language,
        booking_policy=new.booking_policy,
    )
    session.add(made)
    session.flush()
    return made


def set_tier(session: Session, org_id: UUID, tier: Tier) -> Tier:
    """Give the tier it was on before; `desk.plans` tells the domains that a tier bounds.

    Raises NotFound.
    """
    row = session.get(Org, org_id, with_for_update=True)
    if row is None:
        raise NotFound(what="org")
    before, row.tier = row.tier, tier
    session.flush()
    return before


def add_location(
    session: Session, org_id: UUID, name: str, *, timezone: str | None = None
) -> Location:
    made = Location(org_id=org_id, name=name, timezone=timezone, address=None)
    session.add(made)
    session.flush()
    return made
