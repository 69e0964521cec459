"""The demo gym's team, members, and what each of them bought."""

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.db import now_of
from app.memberships import service as memberships
from app.memberships.service import NewPlan
from app.memberships.terms import PaymentStatus, PeriodUnit, PlanKind
from app.people import service as people
from app.people.service import NewMember, NewUser
from bot.playground.demo.names import ADMIN, COACHES, DANAS, OWNER, PLAN_NAMES, Person, members

MEMBERS = 60
OWING = 4
PROSPECTS = 10
_PRICES = {"unlimited": 42_000, "card": 55_000, "twice": 32_000}


@dataclass(frozen=True, slots=True)
class Trainee:
    """A member as the demo books them: on `plan`, of which `credits` may be used."""

    id: UUID
    person: Person
    plan: str
    membership_id: UUID
    since: date
    credits: int = 0
    owes: bool = False

    @property
    def is_dana(self) -> bool:
        return self.person in DANAS

    @property
    def price(self) -> int:
        """In agorot."""
        return _PRICES[self.plan]


@dataclass(frozen=True, slots=True)
class Crowd:
    """`trainees` may be booked; `frozen`, `suspended` and who only looks around may not."""

    trainees: tuple[Trainee, ...]
    frozen: UUID
    suspended: UUID
    prospects: tuple[Person, ...]
    """People who aren't members."""


def team(platform: Session, seed: int, language: str) -> dict[UUID, tuple[Person, Role]]:
    """Logins of the owner, an admin and three coaches, by user id in that order."""
    roles = [(OWNER, Role.OWNER), (ADMIN, Role.ADMIN), *((one, Role.COACH) for one in COACHES)]
    made: dict[UUID, tuple[Person, Role]] = {}
    for number, (person, role) in enumerate(roles):
        speaks = person.language if person in COACHES[1:] else language
        made[_login(platform, person, f"demo{seed}", number + seed * 10, speaks)] = (person, role)
    return made


def crowd(session: Session, actor: Actor, rng: Random, today: date) -> Crowd:
    plans = _plans(session, actor)
    found = members(rng, MEMBERS + PROSPECTS)
    found, prospects = found[:MEMBERS], found[MEMBERS:]
    ids = [_member(session, actor, rng, one, today) for one in found]
    bought = list(zip(ids, found, strict=True))
    *regular, frozen, suspended, _prospect = bought
    owing = {one[0] for one in rng.sample(regular[len(DANAS) :], OWING)}
    trainees = tuple(_sold(session, actor, rng, one, plans, today, owing) for one in regular)
    return Crowd(
        trainees,
        _frozen(session, actor, frozen[0], plans["unlimited"], today),
        _suspended(session, actor, suspended[0], plans["unlimited"], today),
        tuple(prospects),
    )


def _login(platform: Session, person: Person, place: str, number: int, language: str) -> UUID:
    """Addresses that lead nowhere: example domains, and phones counted up from the seed."""
    slug = {OWNER: "owner", ADMIN: "admin"}.get(person, f"coach{number % 10 - 1}")
    new = NewUser(
        name=person.name,
        email=f"{slug}@{place}.example",
        phone=f"+97255{5_000_000 + number % 1_000_000:07d}",
        language=language,
    )
    return people.create_user(platform, new)


def _plans(session: Session, actor: Actor) -> dict[str, UUID]:
    names = {key: words[actor.language] for key, words in PLAN_NAMES.items()}
    kinds = {"card": PlanKind.PUNCH_CARD}
    terms: dict[str, dict[str, Any]] = {
        "unlimited": {"period_unit": PeriodUnit.MONTH},
        "card": {"credits": 10, "validity_days": 90},
        "twice": {"period_unit": PeriodUnit.MONTH, "weekly_visit_limit": 2},
    }
    wanted = {
        key: NewPlan(names[key], kinds.get(key, PlanKind.RECURRING), _PRICES[key], **more)
        for key, more in terms.items()
    }
    return {
        key: memberships.create_plan(session, actor.org_id, plan) for key, plan in wanted.items()
    }


def _member(session: Session, actor: Actor, rng: Random, person: Person, today: date) -> UUID:
    new = NewMember(
        first_name=person.first,
        last_name=person.last,
        phone=f"+97252{rng.randrange(2_000_000, 10_000_000)}",
        language=person.language,
        joined_on=today - timedelta(days=rng.randrange(30, 900)),
        health_form_until=today + timedelta(days=365),
    )
    return people.add_member(session, actor.org_id, new, today=today)


def _sold(  # noqa: PLR0917 - one row of a table
    session: Session,
    actor: Actor,
    rng: Random,
    bought: tuple[UUID, Person],
    plans: dict[str, UUID],
    today: date,
    owing: set[UUID],
) -> Trainee:
    """A third of the members have a card; every Dana comes as often as she likes."""
    member_id, person = bought
    plan = rng.choices(("unlimited", "card", "twice"), (55, 30, 15))[0]
    plan = "unlimited" if person in DANAS else plan
    start = today - timedelta(days=rng.randrange(10, 20))
    owes = member_id in owing
    payment = PaymentStatus.OVERDUE if owes else PaymentStatus.PAID
    held = memberships.sell(session, actor, member_id, plans[plan], start=start, payment=payment)
    credits_ = 8 if plan == "card" else 0
    return Trainee(member_id, person, plan, held, start, credits=credits_, owes=owes)


def _frozen(session: Session, actor: Actor, member_id: UUID, plan: UUID, today: date) -> UUID:
    start = today - timedelta(days=60)
    held = memberships.sell(session, actor, member_id, plan, start=start)
    days = (today - timedelta(days=5), today + timedelta(days=25))
    memberships.bring_in_freeze(session, actor, held, *days, today=today)
    return member_id


def _suspended(session: Session, actor: Actor, member_id: UUID, plan: UUID, today: date) -> UUID:
    memberships.sell(session, actor, member_id, plan, start=today - timedelta(days=60))
    people.suspend(session, actor, member_id, now=now_of(session))
    return member_id
