"""A large gym: 5,000 members and three years behind them, written in bulk."""

from dataclasses import dataclass
from datetime import datetime
from random import Random
from uuid import UUID

from app.core.actor import Actor, Role
from app.core.db import Database, as_org
from app.core.ids import new_id
from app.people import service as people
from app.schedule import service as schedule
from app.schedule.service import NewClassType
from app.studio import service as studio
from app.studio.service import NewOrg
from app.studio.terms import Tier
from bot.playground.demo.large.classes import hold
from bot.playground.demo.large.crowd import gather
from bot.playground.demo.large.desk import declare, write
from bot.playground.demo.large.growth import attract
from bot.playground.demo.large.money import bill
from bot.playground.demo.large.rows import Rows
from bot.playground.demo.large.training import train
from bot.playground.demo.names import CLASS_NAMES, GYM_NAMES
from bot.playground.demo.news import furnish
from bot.playground.demo.people import team
from bot.playground.demo.site import Site
from bot.playground.demo.timetable import CAPACITY

MEMBERS = 5_000


@dataclass(frozen=True, slots=True)
class LargeGym:
    """`owner` is a login; `rows` how many were written."""

    org_id: UUID
    owner: UUID
    rows: int


def build_large(
    db: Database, *, seed: int, now: datetime, language: str, members: int = MEMBERS
) -> LargeGym:
    """Make the gym `large-<seed>`: the same for a seed and a time."""
    rng, org_id = Random(seed), new_id()  # noqa: S311 - the same for a seed, not a secret
    with db.platform() as platform:
        staff = team(platform, seed + 1_000, language)
        owner, _, *coaches = staff
        with as_org(platform, org_id):
            new = NewOrg(GYM_NAMES[language], f"large-{seed}", tier=Tier.ELITE, language=language)
            studio.create_org(platform, org_id, new)
            place = studio.add_location(platform, org_id, "Yarkon 12")
            hired = {
                user: people.add_staff(platform, org_id, user, name=person.name, role=role)
                for user, (person, role) in staff.items()
            }
            types = {
                kind: schedule.create_class_type(
                    platform,
                    org_id,
                    NewClassType(name_en=en, name_he=he, name_ru=ru, capacity=CAPACITY[kind]),
                )
                for kind, (en, he, ru) in CLASS_NAMES.items()
            }
            actor = Actor(org_id, owner, Role.OWNER, language=language)
            rows = Rows(platform, org_id, now)
            crowd = gather(rows, actor, rng, members)
            hold(rows, crowd, rng, types, [hired[user] for user in coaches], place.id)
            attract(rows, crowd, rng, list(hired.values()))
            site = Site(platform, actor, rng, now)
            train(rows, crowd, site, types, [hired[user] for user in coaches])
            write(rows, crowd, site, list(hired.values()))
            declare(rows, crowd, site)
            furnish(platform, actor, (), now=now)
            rows.flush()
        bill(rows, crowd, rng)
        rows.flush()
    return LargeGym(org_id, owner, rows.written)
