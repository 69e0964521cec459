"""The list of members, with what each has and when they last came."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, ScalarSelect, exists, func, or_, select
from sqlalchemy.orm import Session

from app.bookings import queries as bookings
from app.core.errors import NotFound
from app.memberships import queries as memberships
from app.memberships.models import Membership, MembershipPlan
from app.people.models import Member
from app.people.queries import HIDDEN, member_view
from app.people.terms import MemberStatus
from app.people.views import MemberView
from app.studio import queries as studio
from app.studio.paging import Cut, Page, page


class Sort(StrEnum):
    NAME = "name"
    LAST_VISIT = "last_visit"
    """Whoever has stayed away longest first; who never came before all."""
    JOINED = "joined"
    """The newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterFilter:
    """None: not asked about. Archived and erased members only where asked for by status."""

    statuses: tuple[MemberStatus, ...] = ()
    plan_id: UUID | None = None
    tag: str | None = None
    last_visit_before: date | None = None
    """They last came before that local day, or never."""
    sort: Sort = Sort.NAME


@dataclass(frozen=True, slots=True)
class RosterRow:
    member: MemberView
    plans: tuple[str, ...]
    last_visit: datetime | None


def roster(
    session: Session, org_id: UUID, wanted: RosterFilter, *, now: datetime, cut: Cut
) -> Page[RosterRow]:
    today = studio.today(session, org_id, now)
    last = bookings.last_visited()
    query = (
        select(Member, last)
        .where(*_conditions(session, org_id, wanted, last, today))
        .order_by(*_order(wanted.sort, last), Member.id)
    )
    found = page(session, query, cut, lambda row: row)
    plans = memberships.plans_of(session, [row[0].id for row in found.rows], today)
    rows = (RosterRow(member_view(row), plans.get(row.id, ()), last) for row, last in found.rows)
    return Page(tuple(rows), found.total, found.cursor)


def plan_name(session: Session, plan_id: UUID) -> str:
    """Raises NotFound."""
    name = session.scalar(select(MembershipPlan.name).where(MembershipPlan.id == plan_id))
    if name is None:
        raise NotFound(what="membership_plan")
    return name


def _conditions(
    session: Session,
    org_id: UUID,
    wanted: RosterFilter,
    last: ScalarSelect[datetime],
    today: date,
) -> Iterator[ColumnElement[bool]]:
    if wanted.statuses:
        yield Member.status.in_(wanted.statuses)
    else:
        yield Member.status.not_in(HIDDEN)
    if wanted.plan_id is not None:
        yield _holds(wanted.plan_id, today)
    if wanted.tag is not None:
        tag = func.unnest(Member.tags).column_valued("tag")
        same = func.lower(tag) == wanted.tag.lower()
        yield exists(tag).where(same).correlate(Member)
    if wanted.last_visit_before is not None:
        org = studio.org(session, org_id)
        before, _ = studio.instants(org, wanted.last_visit_before, None)
        yield or_(last.is_(None), last < before)


def _holds(plan_id: UUID, today: date) -> ColumnElement[bool]:
    held = (Membership.member_id == Member.id, Membership.plan_id == plan_id)
    return exists(Membership.id).where(*held, memberships.current(today))


def _order(sort: Sort, last: ScalarSelect[datetime]) -> tuple[ColumnElement[Any], ...]:
    name = (func.lower(Member.first_name), func.lower(Member.last_name))
    match sort:
        case Sort.NAME:
            return name
        case Sort.LAST_VISIT:
            return (last.asc().nulls_first(), *name)
        case Sort.JOINED:
            return (Member.joined_on.desc(), *name)
