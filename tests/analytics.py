"""A gym whose months and payments are written by hand, for tests of its figures."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, time
from uuid import UUID
from zoneinfo import ZoneInfo

from app.core.ids import new_id
from app.memberships import service as memberships
from app.memberships.models import Membership, effective
from app.memberships.service import payments
from app.memberships.service.payments import Payment
from app.memberships.terms import (
    MembershipStatus,
    PaymentKind,
    PaymentState,
    PeriodUnit,
    PlanKind,
)
from tests.studio import ZONE, Studio


@dataclass
class Books:
    """Writes memberships and payments as they would have been written at the time."""

    studio: Studio
    plans: dict[tuple[int, str, int], UUID] = field(default_factory=dict)

    def plan(self, price: int, unit: str = "month", count: int = 1) -> UUID:
        key = (price, unit, count)
        if key not in self.plans:
            with self.studio.act() as session:
                new = memberships.NewPlan(
                    f"{price / 100:.0f} a {unit}",
                    PlanKind.RECURRING,
                    price,
                    None,
                    period_unit=PeriodUnit(unit),
                    period_count=count,
                )
                self.plans[key] = memberships.create_plan(session, self.studio.org_id, new)
        return self.plans[key]

    def sold(
        self,
        day: date,
        price: int,
        *,
        member: UUID | None = None,
        unit: str = "month",
        count: int = 1,
        discount: int = 0,
    ) -> UUID:
        """A membership that begins on a day; of somebody new, unless it is said whose."""
        with self.studio.act() as session:
            row = Membership(
                org_id=self.studio.org_id,
                member_id=member or self.studio.person(f"Member {new_id().hex[-6:]}"),
                plan_id=self.plan(price, unit, count),
                start_date=day,
                price_minor=price,
                discount_minor=discount,
            )
            with effective(session, row, day):
                session.add(row)
            return row.id

    @contextmanager
    def on(self, day: date, membership_id: UUID) -> Iterator[Membership]:
        """Change a membership, from a day on."""
        with self.studio.act() as session:
            row = session.get_one(Membership, membership_id)
            with effective(session, row, day):
                yield row

    def ends(self, day: date, membership_id: UUID, reason: str | None = None) -> None:
        with self.on(day, membership_id) as row:
            row.status = MembershipStatus.CANCELLED
            row.cancel_effective_on = day
            row.cancel_reason = reason

    def freezes(self, day: date, membership_id: UUID) -> None:
        with self.on(day, membership_id) as row:
            row.status, row.frozen = MembershipStatus.FROZEN, True

    def thaws(self, day: date, membership_id: UUID) -> None:
        with self.on(day, membership_id) as row:
            row.status, row.frozen = MembershipStatus.ACTIVE, False

    def costs(self, day: date, membership_id: UUID, price: int) -> None:
        with self.on(day, membership_id) as row:
            row.price_minor = price

    def of(self, membership_id: UUID) -> UUID:
        with self.studio.act() as session:
            return session.get_one(Membership, membership_id).member_id

    def paid(
        self,
        member_id: UUID,
        amount: int,
        due: date,
        *,
        status: str = "succeeded",
        kind: str = "charge",
        on: date | None = None,
        at: time = time(12),
        invoice: str | None = None,
        membership: UUID | None = None,
    ) -> None:
        """What the provider tells of a payment; one that succeeded came on the day it was due."""
        day = on or (due if status == "succeeded" else None)
        told = Payment(
            member_id=member_id,
            membership_id=membership,
            kind=PaymentKind(kind),
            status=PaymentState(status),
            amount_minor=amount,
            due_date=due,
            paid_at=datetime.combine(day, at, ZoneInfo(ZONE)) if day else None,
            invoice_no=invoice,
        )
        with self.studio.db.platform() as platform:
            payments.take_in(platform, self.studio.org_id, [told])
