"""Five thousand people: when they joined, what they bought, who froze, who left."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import cache
from random import Random
from typing import Final
from uuid import UUID

from app.core.actor import Actor
from app.memberships import service as memberships
from app.memberships.service import NewPlan
from app.memberships.terms import MembershipStatus, PaymentStatus, PeriodUnit, PlanKind
from app.people.names import name_keys
from app.people.terms import MemberStatus
from bot.playground.demo.large.rows import ZONE, Rows
from bot.playground.demo.names import PLAN_NAMES, Person, members

YEARS: Final = 3
DAYS: Final = 365 * YEARS
REASONS: Final = ("moved away", "price", "injury", "no time", None)
_LIFE_DAYS: Final = 420
"""Days that a membership lasts, on the average."""


@dataclass(frozen=True, slots=True)
class Bought:
    """A membership as it was lived: to `left`, without the days of its freeze."""

    id: UUID
    member_id: UUID
    plan: str
    price: int
    since: date
    left: date | None
    frozen: tuple[date, date] | None

    def covers(self, day: date) -> bool:
        inside = self.since <= day and (self.left is None or day < self.left)
        return inside and not (self.frozen and self.frozen[0] <= day <= self.frozen[1])


@dataclass(frozen=True, slots=True)
class Crowd:
    bought: list[Bought] = field(default_factory=list)
    names: dict[UUID, Person] = field(default_factory=dict)

    def training(self, day: date) -> list[Bought]:
        return [one for one in self.bought if one.covers(day)]


def gather(rows: Rows, actor: Actor, rng: Random, count: int) -> Crowd:
    crowd, plans = Crowd(), _plans(rows, actor)
    pool = members(rng, 10_000)
    for number in range(count):
        person = pool[number] if number < len(pool) else rng.choice(pool)
        joined = rows.today - timedelta(days=rng.randrange(2, DAYS))
        _one(rows, rng, crowd, plans, (person, number, joined))
    return crowd


def _plans(rows: Rows, actor: Actor) -> dict[str, tuple[UUID, NewPlan]]:
    names = {key: words[actor.language] for key, words in PLAN_NAMES.items()}
    month = PeriodUnit.MONTH
    wanted = {
        "unlimited": NewPlan(names["unlimited"], PlanKind.RECURRING, 42_000, period_unit=month),
        "twice": NewPlan(
            names["twice"], PlanKind.RECURRING, 32_000, weekly_visit_limit=2, period_unit=month
        ),
        "card": NewPlan(names["card"], PlanKind.PUNCH_CARD, 55_000, 10, validity_days=90),
    }
    made = {
        key: (memberships.create_plan(rows.session, actor.org_id, plan), plan)
        for key, plan in wanted.items()
    }
    rows.session.flush()
    return made


@cache
def _keys(person: Person) -> list[str]:
    return name_keys(person.first, person.last)


def _one(
    rows: Rows,
    rng: Random,
    crowd: Crowd,
    plans: dict[str, tuple[UUID, NewPlan]],
    who: tuple[Person, int, date],
) -> None:
    """A member with one membership, and perhaps a second one after a while away."""
    person, number, joined = who
    spells = list(_spells(rng, joined, rows.today))
    still = spells[-1][1] is None
    member_id = rows.add(
        "member",
        at=_noon(joined),
        first_name=person.first,
        last_name=person.last,
        phone=phone_of(number),
        email=f"member{number}@demo.example",
        language=person.language,
        status=MemberStatus.ACTIVE if still else MemberStatus.INACTIVE,
        joined_on=joined,
        source=rng.choice(("walk_in", "instagram", "referral")),
        tags=["morning"] if rng.random() < 0.2 else [],  # noqa: PLR2004 - a fifth of them
        health_form_until=rows.today + timedelta(days=rng.randrange(-60, 365)),
        name_keys=_keys(person),
        marketing_consent_at=_noon(joined) if number % 2 else None,
    )
    crowd.names[member_id] = person
    for since, left in spells:
        crowd.bought.append(_membership(rows, rng, plans, member_id, (since, left)))


def _spells(rng: Random, joined: date, today: date) -> Iterator[tuple[date, date | None]]:
    """From and to; without an end they are still here."""
    since = joined
    while True:
        left = since + timedelta(days=round(rng.expovariate(1 / _LIFE_DAYS)) + 20)
        if left >= today:
            yield since, None
            return
        yield since, left
        since = left + timedelta(days=rng.randrange(30, 200))
        if since >= today or rng.random() > 0.15:  # noqa: PLR2004 - few come back
            return


def _membership(
    rows: Rows,
    rng: Random,
    plans: dict[str, tuple[UUID, NewPlan]],
    member_id: UUID,
    days: tuple[date, date | None],
) -> Bought:
    since, left = days
    plan = rng.choices(("unlimited", "twice", "card"), (55, 25, 20))[0]
    plan_id, sold = plans[plan]
    frozen = _freeze(rng, since, left or rows.today)
    frozen_now = bool(left is None and frozen and frozen[0] <= rows.today <= frozen[1])
    over = left is not None
    status = (
        MembershipStatus.CANCELLED
        if over
        else MembershipStatus.FROZEN
        if frozen_now
        else MembershipStatus.ACTIVE
    )
    membership_id = rows.add(
        "membership",
        at=_noon(since),
        member_id=member_id,
        plan_id=plan_id,
        status=status,
        start_date=since,
        billing_day=since.day,
        next_billing_date=None if over else rows.today + timedelta(days=rng.randrange(1, 30)),
        price_minor=sold.price_minor,
        credits_per_period=sold.credits,
        weekly_visit_limit=sold.weekly_visit_limit,
        payment_status=PaymentStatus.PAID,
        frozen=frozen_now,
        cancel_effective_on=left,
        cancel_reason=rng.choice(REASONS) if over else None,
    )
    bought = Bought(membership_id, member_id, plan, sold.price_minor, since, left, frozen)
    _history(rows, bought, plan_id)
    return bought


def _freeze(rng: Random, since: date, until: date) -> tuple[date, date] | None:
    """One in eight of the longer ones was frozen for a while."""
    if (until - since).days < 120 or rng.random() > 0.12:  # noqa: PLR2004 - as the docstring says
        return None
    begin = since + timedelta(days=rng.randrange(60, (until - since).days))
    return begin, begin + timedelta(days=rng.randrange(14, 45))


def _history(rows: Rows, bought: Bought, plan_id: UUID) -> None:
    """Every state it was in, from its day on."""
    states = [(bought.since, MembershipStatus.ACTIVE, False)]
    if bought.frozen is not None:
        begin, last = bought.frozen
        rows.add(
            "membership_freeze",
            at=_noon(begin),
            membership_id=bought.id,
            from_date=begin,
            until_date=last,
        )
        states.append((begin, MembershipStatus.FROZEN, True))
        thawed = last + timedelta(days=1)
        if thawed <= rows.today and (bought.left is None or thawed < bought.left):
            states.append((thawed, MembershipStatus.ACTIVE, False))
    if bought.left is not None:
        states.append((bought.left, MembershipStatus.CANCELLED, False))
    for step, (day, status, frozen) in enumerate(states, 1):
        rows.add(
            "membership_change",
            at=_noon(day),
            membership_id=bought.id,
            member_id=bought.member_id,
            effective_on=day,
            step=step,
            status=status,
            plan_id=plan_id,
            price_minor=bought.price,
            discount_minor=0,
            currency="ILS",
            frozen=frozen,
            cancel_effective_on=bought.left if status is MembershipStatus.CANCELLED else None,
        )


def phone_of(number: int) -> str:
    """Of the member who was made as the so manieth."""
    return f"+97250{2_000_000 + number}"


def _noon(day: date) -> datetime:
    return datetime.combine(day, time(12), tzinfo=ZONE)
