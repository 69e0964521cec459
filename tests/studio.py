"""A gym for tests: an org of its own for each, and one line for each thing in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from pydantic import SecretStr
from sqlalchemy.orm import Session

from app.bookings import service as bookings
from app.core.actor import Actor, Role
from app.core.clock import Clock
from app.core.db import Database, as_org
from app.core.ids import new_id
from app.core.sealed import Sealer
from app.memberships import service as memberships
from app.memberships.terms import PlanKind
from app.people import service as people
from app.people.service import NewMember, NewUser
from app.schedule import service as schedule
from app.schedule.service import NewClassType, NewSession
from app.studio import service as studio_service
from app.studio.service import NewOrg

ZONE = "Asia/Jerusalem"
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo(ZONE)).astimezone(UTC)
"""A Monday."""
SECRET = "stage-secret-of-32-characters-len"
"""As the stage has it: what one has sealed the other reads."""
SEALING = SecretStr(SECRET)


@dataclass(frozen=True)
class SetClock(Clock):
    """A clock that stands until it is moved."""

    hands: list[datetime] = field(default_factory=lambda: [NOW])

    def now(self) -> datetime:
        return self.hands[0]


@dataclass
class Studio:
    db: Database
    clock: SetClock
    org_id: UUID
    actors: dict[Role, Actor]
    staff: dict[Role, UUID]
    class_type_id: UUID
    plans: dict[object, UUID] = field(default_factory=dict)

    @property
    def now(self) -> datetime:
        return self.clock.now()

    @property
    def owner(self) -> Actor:
        return self.actors[Role.OWNER]

    @property
    def admin(self) -> Actor:
        return self.actors[Role.ADMIN]

    @property
    def coach(self) -> Actor:
        return self.actors[Role.COACH]

    @contextmanager
    def act(self) -> Iterator[Session]:
        with self.db.transaction(self.org_id) as session:
            yield session

    def wait(self, **span: float) -> None:
        """Let time pass: `studio.wait(hours=2)`."""
        self.clock.hands[0] += timedelta(**span)

    def day(self, ahead: int) -> date:
        """A local day so many days from today."""
        return self.now.astimezone(ZoneInfo(ZONE)).date() + timedelta(days=ahead)

    def policy(self, **rules: Any) -> UUID:  # noqa: ANN401 - any rule of the policy
        """Another class type, with rules of its own; `session()` makes its classes from now on."""
        with self.act() as session:
            new = NewClassType("Class with rules", capacity=12, booking_policy=rules)
            self.class_type_id = schedule.create_class_type(session, self.org_id, new)
        return self.class_type_id

    def plan(self, credits_: int | None = None, **more: Any) -> UUID:  # noqa: ANN401 - as NewPlan
        with self.act() as session:
            kind = PlanKind.RECURRING if credits_ is None else PlanKind.PUNCH_CARD
            new = memberships.NewPlan(f"Plan {credits_}", kind, 38_000, credits_, **more)
            return memberships.create_plan(session, self.org_id, new)

    def person(self, name: str = "Dana Levi", **more: Any) -> UUID:  # noqa: ANN401 - as NewMember
        """A member without a membership."""
        first, _, last = name.partition(" ")
        with self.act() as session:
            new = NewMember(first, last, **more)
            return people.add_member(session, self.org_id, new, today=self.day(0))

    def member(
        self, name: str = "Dana Levi", *, credits_: int | None = None, until: int | None = None
    ) -> UUID:
        """A member whose membership covers anything; with a punch card if `credits_` are given."""
        member_id = self.person(name)
        plan = self.plans.get(credits_)
        if plan is None:
            plan = self.plans[credits_] = self.plan(credits_)
        self.sell(member_id, plan, until=until)
        return member_id

    def sell(self, member_id: UUID, plan_id: UUID, *, until: int | None = None) -> UUID:
        with self.act() as session:
            end = None if until is None else self.day(until)
            start = self.day(-30)
            return memberships.sell(session, self.owner, member_id, plan_id, start=start, end=end)

    def session(
        self,
        at: str = "18:00",
        *,
        day: int = 1,
        capacity: int = 12,
        minutes: int = 60,
        coach: UUID | None = None,
    ) -> UUID:
        with self.act() as session:
            new = NewSession(
                class_type_id=self.class_type_id,
                date=self.day(day),
                start=time.fromisoformat(at),
                minutes=minutes,
                capacity=capacity,
                coach_id=coach,
            )
            return schedule.create(session, self.owner, new, now=self.now).id

    def booking(self, member_id: UUID, session_id: UUID, **more: Any) -> UUID:  # noqa: ANN401 - as BookingRequest
        with self.act() as session:
            wish = bookings.BookingRequest(session_id, member_id, **more)
            return bookings.book(session, self.coach, wish, now=self.now).booking.id


def open_studio(url: str, **org: Any) -> Studio:  # noqa: ANN401 - as NewOrg
    clock = SetClock(hands=[NOW])
    db = Database(url, clock, pool=12, sealer=Sealer([SEALING]))
    org_id = new_id()
    with db.platform() as platform:
        users = {role: _user(platform, role) for role in (Role.COACH, Role.ADMIN, Role.OWNER)}
        with as_org(platform, org_id):
            new = NewOrg("Gym", f"gym-{uuid4().hex[:12]}", **org)
            studio_service.create_org(platform, org_id, new)
            studio_service.add_location(platform, org_id, "Main hall")
            staff = {
                role: people.add_staff(platform, org_id, user, name=f"{role} one", role=role)
                for role, user in users.items()
            }
            kind = schedule.create_class_type(platform, org_id, NewClassType("WOD", capacity=12))
    actors = {role: Actor(org_id, user, role, name=role) for role, user in users.items()}
    return Studio(db, clock, org_id, actors, staff, kind)


def _user(platform: Session, role: Role) -> UUID:
    return people.create_user(platform, NewUser(f"{role} one", language="en"))
