"""Building the demo gym: one for each seed, around whatever time it is."""

from dataclasses import dataclass
from datetime import datetime, time
from random import Random
from uuid import UUID

from sqlalchemy.orm import Session

from app.bookings import service as bookings
from app.core.actor import Actor, Role
from app.core.db import Database, as_org
from app.core.ids import new_id
from app.people import service as people
from app.schedule import service as schedule
from app.schedule.service import NewClassType, NewSession
from app.studio import service as studio
from app.studio.service import NewOrg
from app.studio.terms import Tier
from bot.playground.demo.filling import Filling
from bot.playground.demo.front_desk import keep_busy
from bot.playground.demo.money import bill
from bot.playground.demo.names import CLASS_NAMES, GYM_NAMES
from bot.playground.demo.news import furnish
from bot.playground.demo.next_door import NextDoor, build_next_door
from bot.playground.demo.people import Crowd, crowd, team
from bot.playground.demo.site import ZONE, Site
from bot.playground.demo.timetable import CAPACITY, Planned, timetable
from bot.playground.demo.training import train

TOMORROW = 1


@dataclass(frozen=True, slots=True)
class DemoGym:
    """`owner`, `admin` and `coaches` are logins; the rest are rows of this org."""

    org_id: UUID
    owner: UUID
    admin: UUID
    coaches: tuple[UUID, ...]
    class_types: dict[str, UUID]
    """By kind: open_gym, wod, weightlifting, gymnastics."""
    danas: tuple[UUID, ...]
    """The first three may be booked into `open_gym`."""
    open_gym: UUID
    """Tomorrow's."""
    full_class: UUID
    """Tomorrow's, with people waiting."""
    frozen: UUID
    suspended: UUID
    next_door: NextDoor

    @property
    def coach(self) -> UUID:
        return self.coaches[0]


@dataclass(frozen=True, slots=True)
class _Week:
    """What is on the schedule: the classes planned, and their ids in the same order."""

    planned: list[Planned]
    ids: list[UUID]
    open_gym: int
    full: int
    """Places in these lists: tomorrow's open gym, and the class that is full."""


def build(db: Database, *, seed: int, now: datetime, language: str) -> DemoGym:
    """Make the gym `demo-<seed>`: the same people and classes for a seed and a time."""
    rng, org_id = Random(seed), new_id()  # noqa: S311 - the same for a seed, not a secret
    with db.platform() as platform:
        staff = team(platform, seed, language)
        owner, admin, *coaches = staff
        with as_org(platform, org_id):
            _open(platform, org_id, seed, language)
            hired = {
                user: people.add_staff(platform, org_id, user, name=person.name, role=role)
                for user, (person, role) in staff.items()
            }
            actor = Actor(org_id, owner, Role.OWNER, language=language)
            site = Site(platform, actor, rng, now)
            types = _class_types(site)
            found = crowd(platform, actor, rng, site.today)
            week = _schedule(site, types, [hired[user] for user in coaches])
            _fill(site, found, week)
            furnish(platform, actor, [one.id for one in found.trainees], now=now)
            keep_busy(site, found.prospects, list(hired.values()))
            train(site, types["wod"], found.trainees[0].id)
        bill(site, found.trainees)
    return DemoGym(
        org_id=org_id,
        owner=owner,
        admin=admin,
        coaches=tuple(coaches),
        class_types=types,
        danas=tuple(one.id for one in found.trainees if one.is_dana),
        open_gym=week.ids[week.open_gym],
        full_class=week.ids[week.full],
        frozen=found.frozen,
        suspended=found.suspended,
        next_door=build_next_door(db, seed=seed, now=now, language=language),
    )


def _open(session: Session, org_id: UUID, seed: int, language: str) -> None:
    new = NewOrg(GYM_NAMES[language], f"demo-{seed}", tier=Tier.PRO, language=language)
    studio.create_org(session, org_id, new)
    studio.add_location(session, org_id, "Yarkon 12")


def _class_types(site: Site) -> dict[str, UUID]:
    return {
        kind: schedule.create_class_type(
            site.session,
            site.actor.org_id,
            NewClassType(name_en=en, name_he=he, name_ru=ru, capacity=CAPACITY[kind]),
        )
        for kind, (en, he, ru) in CLASS_NAMES.items()
    }


def _schedule(site: Site, types: dict[str, UUID], coaches: list[UUID]) -> _Week:
    planned = timetable(site.today)
    wanted = [
        NewSession(types[one.kind], one.day, one.start, coach_id=coaches[number % len(coaches)])
        for number, one in enumerate(planned)
    ]
    ids = schedule.bring_in(site.session, site.actor, wanted, now=site.now)
    tomorrow = [
        place for place, one in enumerate(planned) if (one.day - site.today).days == TOMORROW
    ]
    open_gym = next(place for place in tomorrow if planned[place].kind == "open_gym")
    full = next(place for place in tomorrow if planned[place].kind == "wod")
    return _Week(planned, ids, open_gym, full)


def _fill(site: Site, found: Crowd, week: _Week) -> None:
    """Tomorrow first: no Dana is in a class then, and the full class is full whatever else is."""
    filling = Filling(site.rng, found.trainees, site.now)
    tomorrow = week.planned[week.full].day
    filling.keep_free(tomorrow, {one.id for one in found.trainees if one.is_dana})
    places = list(range(len(week.planned)))
    places.sort(key=lambda place: (place != week.full, place != week.open_gym, place))
    known = [
        one
        for place in places
        for one in filling.fill(
            week.planned[place],
            week.ids[place],
            over=_ends(week.planned[place]) <= site.now,
            full=place == week.full,
        )
    ]
    bookings.bring_in(site.session, site.actor, known)


def _ends(planned: Planned) -> datetime:
    end = time(planned.start.hour + 1)
    return datetime.combine(planned.day, end, tzinfo=ZONE)
