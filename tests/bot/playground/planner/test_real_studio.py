"""The planner over the real studio: its tools, its rules, its database, demo gyms of all sorts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from app.bookings import queries
from app.core.actor import Actor, Role, Via
from app.core.db import Database
from bot.model.turn_context import Beside, compose
from bot.playground.demo import DemoGym, build
from bot.playground.planner.fold import language_of
from tests.bot.playground.planner.conftest import Person
from tests.studio import SetClock
from tools.kit.calls import CallRunner
from tools.kit.registry import Registry, discover
from tools.kit.runner import Runner
from tools.kit.schema import definitions

pytestmark = pytest.mark.long

ZONE = "Asia/Jerusalem"
MORNING = datetime(2026, 12, 1, 9, 30, tzinfo=ZoneInfo(ZONE))
SEEDS = count(700)
WORDS = compose(Beside("web"), MORNING, ZONE)


@pytest.fixture(scope="module")
def db(database_url: str) -> Iterator[Database]:
    database = Database(database_url, SetClock(hands=[MORNING]))
    yield database
    database.close()


@pytest.fixture(scope="module")
def registry() -> Registry:
    return discover("tools.catalog")


@dataclass
class Visit:
    """Someone of a fresh demo gym, writing."""

    someone: Person
    gym: DemoGym
    runner: Runner

    def writes(self, text: str) -> str:
        return self.someone.writes(text, beside=WORDS)

    @property
    def asked(self) -> list[str]:
        return [asked.kind for asked in self.someone.asked]


@pytest.fixture
def visit(
    request: pytest.FixtureRequest,
    db: Database,
    registry: Registry,
    person: Callable[[CallRunner], Person],
) -> Visit:
    language = getattr(request, "param", "en")
    gym = build(db, seed=next(SEEDS), now=MORNING, language=language)
    actor = Actor(gym.org_id, gym.owner, Role.OWNER, language=language, via=Via.AGENT)
    runner = Runner(db, registry, actor, "turn", zone=ZONE)
    someone = person(runner)
    someone.tools = definitions(registry, Role.OWNER)
    return Visit(someone, gym, runner)


SCHEDULE = ("what's on tomorrow?", "מה יש מחר?", "что завтра?")
CREATE = (
    "put open gym tomorrow 13:00-14:00",
    "תפתח אופן ג׳ים מחר 13-14",
    "поставь опен джим завтра с 13 до 14",
)
CANCEL = ("cancel tomorrow's 11:00", "תבטל את השיעור של 11:00 מחר", "отмени завтра 11:00")


@pytest.mark.parametrize(
    ("visit", "language"), [("en", "he"), ("he", "ru"), ("ru", "en")], indirect=["visit"]
)
def test_a_gyms_day_is_planned_in_any_language(visit: Visit, language: str) -> None:
    def texts(three: tuple[str, ...]) -> str:
        return next(text for text in three if language_of(text) == language)

    before = _number(visit.writes(texts(SCHEDULE)))
    assert "13:00–14:00" in visit.writes(texts(CREATE))
    assert _number(visit.writes(texts(SCHEDULE))) == before + 1
    assert "11:00" in visit.writes(texts(CANCEL))
    assert visit.asked == ["confirm"]


def test_one_of_several_danas_is_booked_once(visit: Visit) -> None:
    visit.someone.answers = [2]
    told = visit.writes("book Dana into the 18:00 tomorrow")
    assert told.startswith("Booked: ")
    booked = told.removeprefix("Booked: ").partition(",")[0]
    assert visit.asked == ["pick"]
    roster = visit.writes("who's in the 18:00 tomorrow")
    assert _number(roster) >= 1
    cancelled = visit.writes(f"cancel {booked}'s booking for the 18:00 tomorrow")
    assert cancelled.startswith(f"Booking cancelled: {booked}")


def test_a_full_class_asks_and_a_place_in_the_queue_is_told_as_one(
    visit: Visit, db: Database
) -> None:
    start = _start_of(db, visit.gym.org_id, visit.gym.full_class)
    visit.someone.answers = [1, 1]
    told = visit.writes(f"book Dana into the {start} tomorrow")
    assert visit.asked == ["pick", "pick"]
    assert told.startswith("On the waitlist: ")


def test_what_the_studio_refuses_is_said_in_its_words(visit: Visit, db: Database) -> None:
    start = _start_of(db, visit.gym.org_id, visit.gym.full_class)
    told = visit.writes(f"make tomorrow's {start} 1 places")
    assert "is less than are booked" in told


def _number(told: str) -> int:
    return int("".join(letter for letter in told.rpartition(":")[2] if letter.isdigit()))


def _start_of(db: Database, org_id: UUID, session_id: UUID) -> str:
    with db.transaction(org_id) as session:
        return f"{queries.session_view(session, session_id, 'en').slot.start:%H:%M}"


def test_questions_about_the_gym_are_answered_from_its_rows(visit: Visit) -> None:
    assert visit.writes("who hasn't paid this month?") == "With a payment open: 4."
    assert visit.writes("what are my tasks?") == "Your open tasks: 2."
    assert visit.writes("any new leads?") == "New leads: 3."
    assert visit.writes("show me the leads") == "Open leads: 9."
    assert visit.writes("show me today's figures").startswith("These are the figures of Tue 1 Dec")
    assert "Rowing and thrusters" in visit.writes("what's today's workout?")
    assert "no workout is set" in visit.writes("what's the workout tomorrow?")
    assert visit.writes("who may leave?").startswith("May leave: ")
