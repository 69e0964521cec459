"""What happens to memberships by the calendar alone: they begin, freeze, renew and end."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy import ColumnElement, and_, exists, or_, select
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role, Via
from app.core.errors import StudioError
from app.memberships import billing
from app.memberships.errors import AlreadyRecurring
from app.memberships.models import (
    Membership,
    MembershipFreeze,
    MembershipPlan,
    check_only_recurring,
    effective,
)
from app.memberships.service import credits as ledger
from app.memberships.service import ending, freezing, rows, selling
from app.memberships.service.payments import settle
from app.memberships.terms import LIVE, MembershipStatus, PlanKind
from app.people.models import Member
from app.studio import queries as studio

NOBODY = UUID(int=0)
"""The actor of what happens by itself."""
_DAY = timedelta(days=1)
_ON = MembershipStatus.ACTIVE
AT_ONCE: Final = 100
"""Members that one transaction keeps from others, with their memberships."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PlanKept:
    """A member stays on `plan`: `other`, theirs too, is for the classes of the agreed `wanted`."""

    member_id: UUID
    plan: str
    wanted: str
    other: str


Tell = Callable[[PlanKept], None]


def roll_over(
    session: Session,
    org_id: UUID,
    *,
    now: datetime,
    tell: Tell | None = None,
    at_once: int = AT_ONCE,
) -> Counter[str]:
    """Bring some of an org's memberships up to its local day; how many of what happened.

    Called until nothing does, it brings up all. However often, and however late: each change counts
    from the day on which it was due. Rows that somebody else is at are left for the next time.
    `tell` hears, within the transaction, of what a person should see to.
    """
    today = studio.today(session, org_id, now)
    turn = _Turn(session, Actor(org_id, NOBODY, Role.OWNER, via=Via.MACHINE), today, tell, at_once)
    done: Counter[str] = Counter()
    last = None
    # Those that a rule stands against come again each time: they mustn't stand before the others.
    while not done and (found := turn.due(after=last)):
        for row in found:
            done.update(turn.brought_up(row))
        last = max(row.member_id for row in found)
    done.update(settle(session, today=today))
    session.flush()
    return done


@dataclass(frozen=True, slots=True)
class _Event:
    """Something that is due on a day; of one day, the first named comes first."""

    on: date
    name: str
    carry_out: Callable[[], None]


@dataclass(frozen=True, slots=True)
class _Turn:
    session: Session
    actor: Actor
    today: date
    tell: Tell | None
    at_once: int

    def due(self, after: UUID | None = None) -> list[Membership]:
        """What is due, locked after its members: whoever spends credits locks those alone.

        Of those members that come after one, in the order of their ids.
        """
        is_due = and_(Membership.status.in_(LIVE), or_(*self._reasons()))
        holders = select(Member.id).where(
            exists().where(Membership.member_id == Member.id, is_due).correlate(Member)
        )
        if after is not None:
            holders = holders.where(Member.id > after)
        free = holders.order_by(Member.id).limit(self.at_once)
        locked = self.session.scalars(free.with_for_update(key_share=True, skip_locked=True)).all()
        query = select(Membership).where(Membership.member_id.in_(locked), is_due)
        fresh = query.order_by(Membership.id).execution_options(populate_existing=True)
        return list(self.session.scalars(fresh.with_for_update(key_share=True, skip_locked=True)))

    def brought_up(self, row: Membership) -> list[str]:
        """What happened to one; where a rule stands against it, nothing, and it is logged."""
        try:
            with self.session.begin_nested():
                return list(self._bring_up(row))
        except StudioError as error:
            _log.warning("membership_stuck", membership_id=str(row.id), reason=error.code)
            return []

    def _bring_up(self, row: Membership) -> Iterator[str]:
        """One event after the other, in the order in which they were due."""
        while row.status in LIVE:
            due = [one for one in self._events(row) if one.on <= self.today]
            if not due:
                return
            first = min(due, key=lambda one: one.on)
            with effective(self.session, row, first.on):
                first.carry_out()
            yield first.name

    def _events(self, row: Membership) -> Iterator[_Event]:
        if row.status is MembershipStatus.PENDING:
            yield _Event(row.start_date, "began", lambda: rows.move_to(row, _ON))
        if row.frozen:
            yield _Event(self._thaws_on(row), "thawed", lambda: freezing.end(row))
        if row.cancel_effective_on is not None:
            yield _Event(row.cancel_effective_on, "cancelled", lambda: ending.close(row))
        if row.end_date is not None:
            yield _Event(row.end_date + _DAY, "expired", lambda: ending.expire(row))
        on_now = self._freeze_on(row)
        if on_now is not None and not row.frozen:
            yield _Event(on_now.from_date, "froze", lambda: freezing.begin(row))
        if row.next_billing_date is not None:
            on = row.next_billing_date
            yield _Event(on, "renewed", lambda: self._renew(row, on))

    def _reasons(self) -> tuple[ColumnElement[bool], ...]:
        on_now = (
            select(MembershipFreeze.id)
            .where(
                MembershipFreeze.membership_id == Membership.id,
                MembershipFreeze.from_date <= self.today,
                MembershipFreeze.until_date >= self.today,
            )
            .correlate(Membership)
            .exists()
        )
        pending = Membership.status == MembershipStatus.PENDING
        return (
            and_(pending, Membership.start_date <= self.today),
            Membership.frozen != on_now,
            Membership.next_billing_date <= self.today,
            Membership.cancel_effective_on <= self.today,
            Membership.end_date < self.today,
        )

    def _renew(self, row: Membership, on: date) -> None:
        """A new period: on the plan agreed for then, with its credits; the last one's count."""
        plan, price = self._agreed(row)
        self._advance(row, plan, on)
        if price is not None:
            selling.switch(self.session, self.actor, row, plan, price, on=on)
            return
        if row.next_billing_date is not None and row.next_billing_date > self.today:
            given = row.credits_per_period
            ledger.grant_period(self.session, self.actor, row, given, after=on - _DAY)

    def _agreed(self, row: Membership) -> tuple[MembershipPlan, int | None]:
        """The plan and price agreed for then; where there are none, its own plan without a price.

        The own plan stays, too, where something bought since is for the same classes (rule 26).
        """
        own = rows.plan(self.session, row.plan_id)
        price = row.next_price_minor
        if row.next_plan_id is None or price is None:
            return own, None
        wanted = rows.plan(self.session, row.next_plan_id)
        try:
            check_only_recurring(self.session, row)
        except AlreadyRecurring as error:
            row.next_plan_id = row.next_price_minor = None
            _log.warning("plan_change_dropped", membership_id=str(row.id), reason=error.code)
            if self.tell is not None:
                other = str(error.values["plan"])
                self.tell(PlanKept(row.member_id, own.name, wanted.name, other))
            return own, None
        return wanted, price

    def _advance(self, row: Membership, plan: MembershipPlan, on: date) -> None:
        """To the billing date one period later, or behind a freeze that it falls into."""
        if plan.kind is not PlanKind.RECURRING or plan.period_unit is None:
            row.next_billing_date = None
            return
        anchor = row.billing_day or on.day
        row.next_billing_date = billing.next_after(on, plan.period_unit, plan.period_count, anchor)
        query = (
            select(MembershipFreeze)
            .where(
                MembershipFreeze.membership_id == row.id,
                MembershipFreeze.billing_moved == 0,
                MembershipFreeze.from_date > on,
                MembershipFreeze.from_date <= row.next_billing_date,
            )
            .order_by(MembershipFreeze.from_date)
        )
        for found in self.session.scalars(query):
            freezing.move_billing(row, found)

    def _thaws_on(self, row: Membership) -> date:
        """The day after the freeze that is on, or was on last; today where it is gone."""
        query = (
            select(MembershipFreeze.until_date)
            .where(
                MembershipFreeze.membership_id == row.id,
                MembershipFreeze.from_date <= self.today,
            )
            .order_by(MembershipFreeze.from_date.desc())
            .limit(1)
        )
        until = self.session.scalar(query)
        return self.today if until is None else until + _DAY

    def _freeze_on(self, row: Membership) -> MembershipFreeze | None:
        query = select(MembershipFreeze).where(
            MembershipFreeze.membership_id == row.id,
            MembershipFreeze.from_date <= self.today,
            MembershipFreeze.until_date >= self.today,
        )
        return self.session.scalar(query)
