"""Stories: whole conversations over a whole Spotter, the planner standing in for the model."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from app.core.clock import Clock
from bot.cli.browsing import Browser
from bot.cli.phoning import Phone
from bot.cli.rows import Rows, difference, studio_rows
from bot.cli.stage import Stage, stage
from bot.conversation.models import Turn
from bot.playground.demo import DemoGym, build
from bot.playground.planner.brain import Planner
from tests.leftovers import end_leftovers

MONDAY = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Asia/Jerusalem"))
_seeds = count(101)
_numbers = count(541_000_000)


@pytest.fixture(scope="package")
def place(database_url: str, redis_url: str) -> Iterator[Stage]:
    offset = (MONDAY - Clock().now()).total_seconds()
    end_leftovers(database_url, redis_url)
    with stage(
        database_url, redis_url, brain=Planner(), clock_offset_s=offset, debounce_ms=0
    ) as place:
        yield place


@dataclass
class Chat:
    """One person of a gym of their own, on one channel. Reads like a script."""

    place: Stage
    gym: DemoGym
    mouth: Phone | Browser
    heard: list[str] = field(default_factory=list)
    before: Rows = field(default_factory=dict)

    def they(self, text: str) -> None:
        """The person writes; everything that comes back is heard."""
        self.mouth.write(text)
        self.heard = self.mouth.read()

    def hears(self) -> None:
        """Whatever comes without the person having written."""
        self.heard = self.mouth.read()

    def answers_what_waits(self, choice: str) -> None:
        """On the page: answer the one question that waits for the person anywhere."""
        assert isinstance(self.mouth, Browser)
        self.mouth.answer(choice)

    @property
    def text(self) -> str:
        return "\n".join(self.heard)

    def sees(self, *pieces: str) -> None:
        for piece in pieces:
            assert piece in bare(self.text), f"{piece!r} is not in\n{self.text}"

    def sees_not(self, *pieces: str) -> None:
        for piece in pieces:
            assert piece not in bare(self.text), f"{piece!r} is in\n{self.text}"

    def changes(self, table: str) -> list[dict[str, Any]]:
        """What differs in a table of the studio since the story began."""
        now = studio_rows(self.place.wiring.db, self.gym.org_id)
        return [one["change"] for one in difference(self.before, now) if one["table"] == table]

    def lanes(self) -> list[str | None]:
        """Those of the gym's turns."""
        with self.place.wiring.db.transaction(self.gym.org_id) as session:
            return list(session.scalars(select(Turn.lane).order_by(Turn.created_at)))

    def status_of(self, session_id: object) -> str:
        rows = studio_rows(self.place.wiring.db, self.gym.org_id)
        status: str = rows["class_session"][str(session_id)]["status"]
        return status


def bare(text: str) -> str:
    """Without direction marks, which the golden files hold."""
    marks = "\u200e\u200f\u2066\u2067\u2068\u2069"
    return text.translate({ord(mark): None for mark in marks})


@dataclass
class Storyteller:
    """Opens gyms and gives their people phones and pages."""

    place: Stage
    gym: DemoGym

    def phone(self, user: str = "owner", channel: str = "whatsapp") -> Chat:
        user_id = getattr(self.gym, user)
        number = f"+972{next(_numbers)}"
        phone = Phone(self.place, self.gym.org_id, user_id, channel, number)
        phone.link()
        return self._chat(phone)

    def page(self, user: str = "owner") -> Chat:
        return self._chat(Browser(self.place, self.gym.org_id, getattr(self.gym, user)))

    def stranger(self, channel: str = "whatsapp") -> Chat:
        number = f"+972{next(_numbers)}"
        return self._chat(Phone(self.place, self.gym.org_id, self.gym.owner, channel, number))

    def _chat(self, mouth: Phone | Browser) -> Chat:
        before = studio_rows(self.place.wiring.db, self.gym.org_id)
        return Chat(self.place, self.gym, mouth, before=before)


@pytest.fixture
def gym(place: Stage, request: pytest.FixtureRequest) -> Storyteller:
    """A fresh demo gym; parametrize `gym` indirectly with another language."""
    language = getattr(request, "param", "en")
    now = place.wiring.clock.now()
    built = build(place.wiring.db, seed=next(_seeds), now=now, language=language)
    return Storyteller(place, built)
