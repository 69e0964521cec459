"""The plan a gym is on: what it no longer includes is switched off with it."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.orm import Session

from app.automations import service as automations
from app.studio import service as studio
from app.studio.terms import Tier


@dataclass(frozen=True, slots=True)
class Moved:
    """From which tier to which, and how many automations went off."""

    before: Tier
    tier: Tier
    automations_off: int


def change_tier(session: Session, org_id: UUID, tier: Tier) -> Moved:
    """Nothing is deleted. Raises NotFound."""
    before = studio.set_tier(session, org_id, tier)
    return Moved(before, tier, automations.tier_changed(session, org_id))
