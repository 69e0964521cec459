"""Who is behind with payment is for admins: to others such a membership is active (rule 2)."""

from app.core.actor import Actor, Role
from app.core.errors import NotAllowed
from app.memberships.terms import MembershipStatus


def told_to(actor: Actor, status: MembershipStatus) -> MembershipStatus:
    """How a membership stands, as far as this person may know."""
    hidden = status is MembershipStatus.PAST_DUE and not _may_know(actor)
    return MembershipStatus.ACTIVE if hidden else status


def asked_by(actor: Actor, statuses: tuple[MembershipStatus, ...]) -> tuple[MembershipStatus, ...]:
    """What this person means by these. Raises NotAllowed for those who are behind."""
    if _may_know(actor):
        return statuses
    if MembershipStatus.PAST_DUE in statuses:
        raise NotAllowed
    active = MembershipStatus.ACTIVE in statuses
    return (*statuses, MembershipStatus.PAST_DUE) if active else statuses


def _may_know(actor: Actor) -> bool:
    return actor.role.at_least(Role.ADMIN)
