"""The whole of Spotter behind one page, with a phone beside it: a class is cancelled."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from app.core.clock import Clock
from bot.cli.rows import studio_rows
from bot.cli.stage import Stage, stage
from bot.playground.demo import DemoGym, build
from bot.playground.planner.brain import Planner
from tests.leftovers import end_leftovers

pytestmark = pytest.mark.browser

MONDAY = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Asia/Jerusalem"))
_seeds = count(901)


@pytest.fixture(scope="module")
def place(database_url: str, redis_url: str) -> Iterator[Stage]:
    offset = (MONDAY - Clock().now()).total_seconds()
    end_leftovers(database_url, redis_url)
    with stage(database_url, redis_url, brain=Planner(), clock_offset_s=offset) as place:
        yield place


@dataclass(frozen=True)
class Evening:
    """The owner of a gym at the playground's page."""

    place: Stage
    gym: DemoGym
    page: Page

    @property
    def desk(self) -> FrameLocator:
        return self.page.frame_locator("iframe")

    @property
    def class_status(self) -> str:
        rows = studio_rows(self.place.wiring.db, self.gym.org_id)["class_session"]
        return str(rows[str(self.gym.open_gym)]["status"])

    @property
    def line(self) -> str:
        return f".class[data-id='{self.gym.open_gym}']"

    def say(self, text: str) -> None:
        box = self.desk.locator("spotter-chat textarea")
        box.fill(text)
        box.press("Enter")

    def text(self, text: str) -> None:
        box = self.page.locator(".write textarea")
        box.fill(text)
        box.press("Enter")


@pytest.fixture
def evening(request: pytest.FixtureRequest, place: Stage, page: Page) -> Evening:
    language = getattr(request, "param", "en")
    now = place.wiring.clock.now()
    gym = build(place.wiring.db, seed=next(_seeds), now=now, language=language)
    page.goto(f"{place.base_url}/sign-in")
    page.locator(f"button[value='{gym.owner}']").click()
    expect(page.frame_locator("iframe").locator("spotter-chat .empty")).to_be_visible()
    return Evening(place, gym, page)


SENTENCES = [
    ("en", "cancel tomorrow's open gym"),
    ("he", "לבטל את האופן ג׳ים של מחר"),
    ("ru", "отмени завтрашний опен джим"),
]


@pytest.mark.parametrize(
    ("evening", "sentence"), SENTENCES, indirect=["evening"], ids=["en", "he", "ru"]
)
def test_tomorrows_open_gym_is_cancelled_and_taken_back(evening: Evening, sentence: str) -> None:
    evening.say(sentence)
    approve = evening.desk.locator("spotter-chat .card .option.main")
    expect(approve).to_be_visible()
    assert evening.class_status == "scheduled"
    approve.click()
    line = evening.desk.locator(evening.line)
    expect(line).to_have_class("class off changed")
    assert evening.class_status == "cancelled"
    evening.desk.locator("spotter-chat .toast button").first.click()
    expect(line).not_to_contain_class("off")
    assert evening.class_status == "scheduled"
    evening.page.reload()
    expect(evening.desk.locator("spotter-chat [data-kind=undone]")).to_be_visible()
    expect(evening.desk.locator("spotter-chat [data-kind=done]")).to_have_count(0)


def test_a_card_that_the_phone_got_is_answered_at_the_desk(evening: Evening) -> None:
    evening.desk.locator("[data-open=settings]").click()
    evening.desk.locator("[data-code]").click()
    told = evening.desk.locator("dialog .told")
    expect(told).not_to_be_empty()
    code = "".join(filter(str.isdigit, told.inner_text()))[:6]
    evening.desk.locator("dialog [data-close]").click()
    evening.text(code)
    expect(evening.page.locator(".message:not(.mine)")).to_have_count(1)
    evening.text("cancel tomorrow's open gym")
    waiting = evening.desk.locator("spotter-chat .elsewhere .card")
    expect(waiting).to_be_visible()
    waiting.locator(".option.main").click()
    expect(waiting.locator(".outcome")).to_be_visible()
    expect(evening.page.locator(".message:not(.mine)").last).to_contain_text("UNDO 1")
    assert evening.class_status == "cancelled"
    expect(evening.desk.locator(evening.line)).to_contain_class("off")


def test_what_is_worth_a_look_is_a_press_away(evening: Evening) -> None:
    chat = evening.desk.locator("spotter-chat")
    chat.locator(".empty .chip", has_text="Days without a workout").click()
    expect(chat.locator(".mine")).to_have_text("Days without a workout")
    expect(chat.locator("details[open] table").first).to_contain_text("still empty")
    expect(chat.locator(".said")).to_contain_text("what the gym's data say")
    expect(chat.locator(".flow")).to_have_attribute("aria-busy", "false")
    expect(chat.locator(".chip")).to_have_text(
        ["Copy last week to the empty days", "Write a workout for the first empty day"]
    )

    evening.say("ideas")
    expect(chat.locator(".chips[role=group] .chip")).to_have_count(9)
    expect(chat.locator(".chip", has_text="Copy last week")).to_have_count(0)
