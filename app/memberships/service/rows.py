"""Finding the rows that are to be changed, and locking them.

Order of locks: the member, then the membership; so no two transactions wait for each other.
"""

from collections.abc import Collection
from contextlib import AbstractContextManager
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from app.core.errors import NotFound
from app.memberships.errors import NotPossibleNow
from app.memberships.models import (
    Membership,
    MembershipChange,
    MembershipPlan,
    effective,
)
from app.memberships.terms import OVER, MembershipStatus
from app.memberships.transitions import check_move
from app.people import service as people


def membership(session: Session, membership_id: UUID) -> Membership:
    row = session.get(Membership, membership_id)
    if row is None:
        raise NotFound(what="membership")
    return row


def locked(session: Session, membership_id: UUID) -> Membership:
    """A membership and its member for this transaction alone. Raises NotFound, MemberErased."""
    lock_member(session, membership(session, membership_id).member_id)
    return locked_many(session, [membership_id])[0]


def locked_many(session: Session, ids: Collection[UUID]) -> list[Membership]:
    query = select(Membership).where(Membership.id.in_(ids)).order_by(Membership.id)
    fresh = query.with_for_update(key_share=True).execution_options(populate_existing=True)
    return list(session.scalars(fresh))


def lock_member(session: Session, member_id: UUID) -> None:
    """Raises NotFound, and MemberErased: what they bought is on the books and stays as it is."""
    people.locked(session, member_id)


def plan(session: Session, plan_id: UUID) -> MembershipPlan:
    row = session.get(MembershipPlan, plan_id)
    if row is None:
        raise NotFound(what="membership_plan")
    return row


def check_live(row: Membership) -> None:
    """Raises NotPossibleNow for what is cancelled or expired."""
    if row.status in OVER:
        raise NotPossibleNow(state=row.status.value)


def move_to(row: Membership, status: MembershipStatus, *, reinstating: bool = False) -> None:
    """The only way a status changes. Raises NotPossibleNow (rule 27)."""
    check_move(row.status, status, reinstating=reinstating)
    row.status = status


def last_change(session: Session, membership_id: UUID) -> MembershipChange:
    """The last change that stands: what was taken back, and the taking back, don't count."""
    settling = aliased(MembershipChange)
    query = (
        select(MembershipChange)
        .outerjoin(settling, settling.settles_id == MembershipChange.id)
        .where(
            MembershipChange.membership_id == membership_id,
            MembershipChange.settles_id.is_(None),
            settling.id.is_(None),
        )
        .order_by(MembershipChange.step.desc())
        .limit(1)
    )
    return session.scalars(query).one()


def taking_back(
    session: Session, row: Membership, change: MembershipChange
) -> AbstractContextManager[None]:
    """What changes within is the end of that change, as though it had never been."""
    return effective(session, row, change.effective_on, settles=change.id)
