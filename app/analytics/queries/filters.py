"""What figures may be narrowed to: it must be there."""

from uuid import UUID

from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.memberships.models import MembershipPlan
from app.people.models import Staff
from app.programs.models import Program


def check(
    session: Session,
    *,
    plan_id: UUID | None = None,
    coach_id: UUID | None = None,
    program_id: UUID | None = None,
) -> None:
    """Raises NotFound."""
    if plan_id is not None and session.get(MembershipPlan, plan_id) is None:
        raise NotFound(what="membership_plan")
    if coach_id is not None and session.get(Staff, coach_id) is None:
        raise NotFound(what="staff")
    if program_id is not None and session.get(Program, program_id) is None:
        raise NotFound(what="program")
