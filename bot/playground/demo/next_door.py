"""Another gym beside the demo gym: small, and none of its business."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from app.bookings import service as bookings
from app.bookings.service import KnownBooking
from app.bookings.terms import BookingStatus
from app.core.actor import Actor, Role
from app.core.db import Database, as_org
from app.core.ids import new_id
from app.memberships import service as memberships
from app.memberships.service import NewPlan
from app.memberships.terms import PlanKind
from app.people import service as people
from app.people.service import NewMember, NewUser
from app.schedule import service as schedule
from app.schedule.service import NewClassType, NewSession
from app.studio import service as studio
from app.studio.service import NewOrg

ZONE = "Asia/Jerusalem"


@dataclass(frozen=True, slots=True)
class NextDoor:
    """What must never be seen from the demo gym: a Dana, her booking, her class."""

    org_id: UUID
    owner: UUID
    class_type_id: UUID
    dana: UUID
    class_session_id: UUID
    booking_id: UUID


def build_next_door(db: Database, *, seed: int, now: datetime, language: str) -> NextDoor:
    org_id = new_id()
    today = now.astimezone(ZoneInfo(ZONE)).date()
    with db.platform() as platform:
        owner = people.create_user(
            platform,
            NewUser("Ron Bar", email=f"owner@next-door{seed}.example", language=language),
        )
        with as_org(platform, org_id):
            actor = Actor(org_id, owner, Role.OWNER, language=language)
            studio.create_org(platform, org_id, NewOrg("Next Door", f"demo-{seed}-next-door"))
            studio.add_location(platform, org_id, "Yarkon 14")
            people.add_staff(platform, org_id, owner, name="Ron Bar", role=Role.OWNER)
            kind = schedule.create_class_type(platform, org_id, NewClassType("Open gym", 10))
            plan = memberships.create_plan(
                platform, org_id, NewPlan("Monthly", PlanKind.RECURRING, 35_000)
            )
            dana = people.add_member(platform, org_id, NewMember("Dana", "Bar"), today=today)
            held = memberships.sell(platform, actor, dana, plan, start=today)
            new = NewSession(kind, today + timedelta(days=1), time(11))
            (class_session_id,) = schedule.bring_in(platform, actor, [new], now=now)
            known = KnownBooking(class_session_id, dana, held, BookingStatus.BOOKED, now)
            (booking_id,) = bookings.bring_in(platform, actor, [known])
    return NextDoor(org_id, owner, kind, dana, class_session_id, booking_id)
