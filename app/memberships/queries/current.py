"""Which memberships cover a day, as a part of a query: said once, for whoever asks."""

from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, and_, func, or_

from app.memberships.models import Membership
from app.memberships.terms import LIVE


def current(day: date) -> ColumnElement[bool]:
    """Whether it isn't over and covers a day; a frozen one does."""
    return and_(Membership.status.in_(LIVE), covering(day))


def covering(day: date) -> ColumnElement[bool]:
    """Whether it covers a day by its dates alone, though it may be over by now."""
    until = ends(Membership)
    return and_(Membership.start_date <= day, or_(until.is_(None), until >= day))


def ends(of: Any) -> ColumnElement[Any]:  # noqa: ANN401 - Membership, or another name for it
    """The last day that it covers, by its end or its cancellation; null: it goes on."""
    return func.least(of.end_date, of.cancel_effective_on - 1)
