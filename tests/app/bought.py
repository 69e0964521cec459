"""What memberships a gym of the tests has, read as they are and as their history tells them."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from sqlalchemy import Select, select

from app.memberships import queries, service
from app.memberships.history import WATCHED
from app.memberships.models import Membership, MembershipChange
from app.memberships.service import FreezeWish
from app.memberships.views import MembershipView
from tests.studio import Studio


def view(studio: Studio, membership_id: UUID) -> MembershipView:
    with studio.act() as session:
        return queries.membership(session, membership_id, studio.day(0))


def freeze(studio: Studio, membership_id: UUID, first: int, last: int, **more: object) -> None:
    """From one day to another, counted from today."""
    with studio.act() as session:
        wish = FreezeWish(membership_id, studio.day(first), studio.day(last), **more)  # type: ignore[arg-type] # as FreezeWish
        service.freeze(session, studio.admin, wish, today=studio.day(0))


def roll_over(studio: Studio) -> dict[str, int]:
    with studio.act() as session:
        return dict(service.roll_over(session, studio.org_id, now=studio.now))


@dataclass(frozen=True, slots=True)
class Was:
    """A membership since a day."""

    on: date
    status: str
    price: int
    frozen: bool


def history(studio: Studio, membership_id: UUID) -> list[Was]:
    """Every row there is, in the order in which they count."""
    with studio.act() as session:
        rows = session.scalars(_ordered().where(MembershipChange.membership_id == membership_id))
        return [
            Was(row.effective_on, row.status.value, row.price_minor, row.frozen) for row in rows
        ]


def check_history(studio: Studio) -> None:
    """The last row of each membership's history is what it is, and its first has none before."""
    with studio.act() as session:
        rows = session.scalars(select(Membership)).all()
        for row in rows:
            told = session.scalars(_ordered().where(MembershipChange.membership_id == row.id)).all()
            assert told, "a membership without a history"
            last = {name: getattr(told[-1], name) for name in WATCHED}
            assert last == {name: getattr(row, name) for name in WATCHED}
            assert sum(one.before is None for one in told) == 1


def _ordered() -> Select[MembershipChange]:
    return select(MembershipChange).order_by(
        MembershipChange.effective_on, MembershipChange.created_at, MembershipChange.step
    )
