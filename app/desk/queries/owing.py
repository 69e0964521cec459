"""What a member owes the gym, in its money; nothing here moves any."""

from datetime import date
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.core.money import Money
from app.memberships import queries as memberships
from app.memberships.models import Membership
from app.memberships.queries.owing import marked
from app.people.models import Member
from app.studio import queries as studio


def owed(session: Session, member: Member, today: date) -> Money | None:
    """What every list of the unpaid says; None where that is nothing.

    Where no provider tells of charges, a membership that is marked as unpaid counts with its price.
    """
    charged = memberships.owed(session, today, [member.id]).get(member.id)
    if charged is not None:
        return Money(charged, studio.org(session, member.org_id).currency)
    return _marked(session, member.id)


def _marked(session: Session, member_id: UUID) -> Money | None:
    total = func.sum(Membership.price_minor - Membership.discount_minor)
    query = select(total, func.min(Membership.currency)).where(
        Membership.member_id == member_id, marked()
    )
    row = session.execute(query.having(total > 0)).one_or_none()
    return None if row is None else Money(*row)
