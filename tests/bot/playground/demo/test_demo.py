"""The demo gym holds what its users rely on, whatever the seed and the time."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.bookings import service
from app.bookings.errors import MembershipFrozen, MemberSuspended
from app.bookings.models import Booking
from app.bookings.queries import bookings, session_view, sessions
from app.bookings.terms import BookingStatus
from app.bookings.views import BookingFilter, SessionFilter
from app.core.clock import Clock
from app.core.db import Database
from app.memberships.queries import balance
from app.people import queries as people
from app.people.models import AppUser, Member
from app.schedule.models import ClassSession
from app.schedule.terms import SessionStatus
from app.studio.models import Org
from app.studio.paging import Cut
from bot.playground.demo import DemoGym, build

pytestmark = pytest.mark.long

ZONE = ZoneInfo("Asia/Jerusalem")
MONDAY = datetime(2026, 11, 30, 10, 0, tzinfo=ZONE)
SEEDS = iter(range(1, 10_000))
"""Each gym has its own, as the names of gyms are taken once."""

TIMES = {
    "monday": MONDAY,
    "before midnight": datetime(2026, 12, 1, 23, 59, tzinfo=ZONE),
    "thursday, tomorrow is short": datetime(2026, 12, 3, 21, 0, tzinfo=ZONE),
    "friday, tomorrow is saturday": datetime(2026, 12, 4, 6, 0, tzinfo=ZONE),
    "the night the clocks go forward": datetime(2027, 3, 25, 23, 0, tzinfo=ZONE),
    "the night they go back": datetime(2027, 10, 31, 0, 30, tzinfo=ZONE),
}


@pytest.fixture(scope="module")
def db(database_url: str) -> Iterator[Database]:
    opened = Database(database_url, Clock(MONDAY - datetime.now(UTC)))
    yield opened
    opened.close()


def gym_at(db: Database, now: datetime, language: str = "en") -> DemoGym:
    return build(db, seed=next(SEEDS), now=now.astimezone(UTC), language=language)


@pytest.fixture(scope="module", params=list(TIMES.values()), ids=list(TIMES))
def visit(request: pytest.FixtureRequest, db: Database) -> tuple[DemoGym, datetime]:
    return gym_at(db, request.param), request.param


def test_tomorrow_has_one_open_gym_where_danas_can_be_booked(
    db: Database, visit: tuple[DemoGym, datetime]
) -> None:
    gym, now = visit
    tomorrow = (now + timedelta(days=1)).date()
    with db.transaction(gym.org_id) as session:
        day = SessionFilter(tomorrow, tomorrow, class_type_id=gym.class_types["open_gym"])
        found = sessions(session, day, "en", cut=Cut()).rows
        assert [one.id for one in found] == [gym.open_gym]
        assert 4 <= found[0].booked < found[0].capacity
        able = [
            dana
            for dana in gym.danas
            if service.check(session, gym.open_gym, dana, now=now).reason is None
        ]
        seen = people.find_members(session, "Dana", cut=Cut()).rows
    assert len(able) >= 3
    assert len(seen) >= len({"Dana", "דנה", "Дана"})


def test_one_class_is_full_with_people_waiting(
    db: Database, visit: tuple[DemoGym, datetime]
) -> None:
    gym, now = visit
    with db.transaction(gym.org_id) as session:
        view = session_view(session, gym.full_class, "en")
    assert view.booked == view.capacity
    assert view.waiting == 3
    assert view.slot.date == (now + timedelta(days=1)).date()


def test_what_is_booked_breaks_no_rule(db: Database, visit: tuple[DemoGym, datetime]) -> None:
    gym, now = visit
    with db.transaction(gym.org_id) as session:
        classes = {one.id: one for one in session.scalars(select(ClassSession))}
        held = [one for one in session.scalars(select(Booking)) if _holds(one)]
        cards = [balance(session, one, now.date()) for one in session.scalars(select(Member.id))]
    in_class = Counter(one.class_session_id for one in held)
    a_day = Counter((one.member_id, classes[one.class_session_id].local_date) for one in held)
    assert all(count <= classes[key].capacity for key, count in in_class.items())
    assert set(a_day.values()) == {1}
    assert min(cards) == 0
    assert max(cards) >= 2
    over = {one.status for one in classes.values() if one.ends_at <= now}
    assert over == {SessionStatus.COMPLETED}


def test_the_frozen_and_the_suspended_are_refused_for_that(
    db: Database, visit: tuple[DemoGym, datetime]
) -> None:
    gym, now = visit
    with db.transaction(gym.org_id) as session:
        frozen = service.check(session, gym.open_gym, gym.frozen, now=now).reason
        suspended = service.check(session, gym.open_gym, gym.suspended, now=now).reason
    assert isinstance(frozen, MembershipFrozen)
    assert isinstance(suspended, MemberSuspended)


def test_the_same_seed_makes_the_same_gym(db: Database) -> None:
    seed = next(SEEDS)
    told = []
    for _ in range(2):
        gym = build(db, seed=seed, now=MONDAY.astimezone(UTC), language="en")
        with db.transaction(gym.org_id) as session:
            told.append(_content(session))
        _make_room(db, gym)
    assert told[0] == told[1]
    assert len(told[0]) > 500


@pytest.mark.parametrize(
    ("language", "open_gym"), [("en", "Open gym"), ("he", "אופן ג׳ים"), ("ru", "Open gym")]
)
def test_the_gym_speaks_the_language_asked_for(db: Database, language: str, open_gym: str) -> None:
    gym = gym_at(db, MONDAY, language)
    with db.transaction(gym.org_id) as session:
        assert session.get_one(Org, gym.org_id).language == language
        assert session_view(session, gym.open_gym, language).title == open_gym
    with db.platform() as platform:
        assert platform.get_one(AppUser, gym.owner).language == language


def test_the_gym_next_door_is_walled_off(db: Database) -> None:
    gym = gym_at(db, MONDAY)
    with db.transaction(gym.org_id) as session:
        assert session.get(Member, gym.next_door.dana) is None
    with db.transaction(gym.next_door.org_id) as session:
        wanted = BookingFilter(member_id=gym.next_door.dana)
        assert bookings(session, wanted, "en", cut=Cut()).total == 1


def _holds(one: Booking) -> bool:
    return one.status in {BookingStatus.BOOKED, BookingStatus.ATTENDED}


def _content(session: Session) -> list[tuple[str, str | None, datetime, BookingStatus]]:
    """Every booking without its ids, in the order it was made."""
    query = (
        select(Member.first_name, Member.phone, ClassSession.starts_at, Booking.status)
        .select_from(Booking)
        .join(Member, Member.id == Booking.member_id)
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .order_by(Booking.id)
    )
    return [(name, phone, starts, status) for name, phone, starts, status in session.execute(query)]


def _make_room(db: Database, gym: DemoGym) -> None:
    """Give up the names and logins that only one gym can have."""
    for org_id in (gym.org_id, gym.next_door.org_id):
        with db.transaction(org_id) as session:
            session.get_one(Org, org_id).slug = f"gone-{org_id}"
    with db.platform() as platform:
        for user in platform.scalars(select(AppUser)):
            user.email = user.phone = None
