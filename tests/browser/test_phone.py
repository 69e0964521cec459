"""The playground page: the demo phone's two threads, its buttons and quotes, and the languages."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import requests
from playwright.sync_api import Page, expect
from pydantic import SecretStr
from werkzeug.datastructures import MultiDict

from app.core.clock import Clock
from app.core.settings import Settings
from app.web.tokens import issue_token
from bot.channels.twilio.client import twilio_client
from bot.channels.twilio.signature import SignatureConfig
from bot.playground.phone import Playground, playground
from bot.playground.phone.pages import phone_of
from bot.playground.twilio_api.config import TwilioConfig
from bot.playground.twilio_api.server import TwilioServer, serve
from bot.wiring import Wiring
from tests.bot.playground.twilio_api.catcher import Catcher, catching
from tests.browser.stage import Stage, served

pytestmark = pytest.mark.browser

ACCOUNT, TOKEN = "AC" + "5a1d" * 8, "a token"
WHATSAPP, SMS = "whatsapp:+14155238886", "+972552764100"
CARD = "*לבטל את השיעור?*\nOpen gym · 13:00–14:00\n1 לבטל את השיעור\n2 להשאיר"


@dataclass
class Desk:
    """The page, the number of its phone, and our side of the stand-in."""

    page: Page
    url: str
    number: str
    server: TwilioServer
    webhook: Catcher

    def send(self, channel: str, **more: object) -> Any:  # noqa: ANN401 - the library isn't annotated
        client = twilio_client(ACCOUNT, TOKEN, api_url=self.server.url, timeout=5)
        prefix, ours = ("whatsapp:", WHATSAPP) if channel == "whatsapp" else ("", SMS)
        return client.messages.create(to=prefix + self.number, from_=ours, **more)

    def heard(self, count: int) -> MultiDict[str, str]:
        """The newest of so many messages at the webhook."""
        forms: list[MultiDict[str, str]] = []
        deadline = time.monotonic() + 5
        while len(forms) < count and time.monotonic() < deadline:
            forms = [one.form for one in self.webhook.caught if one.path == "/in"]
            time.sleep(0.02)
        return forms[count - 1]

    def content(self, types: dict[str, Any]) -> str:
        body = {"friendly_name": "card", "language": "he", "variables": {}, "types": types}
        url = f"{self.server.url}/v1/Content"
        answer = requests.post(url, json=body, auth=(ACCOUNT, TOKEN), timeout=5)
        answer.raise_for_status()
        return str(answer.json()["sid"])


@pytest.fixture
def desk(page: Page, database_url: str, redis_url: str) -> Iterator[Desk]:
    signing = SignatureConfig(ACCOUNT, TOKEN)
    with (
        catching(signing) as webhook,
        serve(0, TwilioConfig(ACCOUNT, TOKEN, f"{webhook.url}/in")) as server,
    ):
        settings = Settings(
            database_url=SecretStr(database_url),
            redis_url=SecretStr(redis_url),
            secret_key=SecretStr("k" * 40),
            twilio_api_url=server.url,
            twilio_staff_whatsapp=WHATSAPP,
            playground=True,
        )
        stage = Stage(Wiring(settings)).build()
        place = Playground(stage.db, settings)
        with served(stage.app(playground(place))) as url:
            page.goto(f"{url}/sign-in")
            page.locator("button[name=person]").first.click()
            expect(page.locator("spotter-chat .empty")).to_be_visible()
            page.goto(f"{url}/playground")
            expect(page.frame_locator("iframe").locator("spotter-chat .empty")).to_be_visible()
            yield Desk(page, url, phone_of(place, stage.people["en"]), server, webhook)
            page.goto("about:blank")
        stage.close()


def write(page: Page, text: str) -> None:
    box = page.locator(".write textarea")
    box.fill(text)
    box.press("Enter")
    expect(page.locator(".message.mine").last).to_contain_text(text)


def test_what_the_phone_writes_reaches_the_webhook_and_stands_in_its_thread(desk: Desk) -> None:
    write(desk.page, "מי רשום ל-18:00?")
    expect(desk.page.locator(".message.mine .body")).to_have_text("מי רשום ל-18:00?")
    form = desk.heard(1)
    assert (form["Body"], form["From"]) == ("מי רשום ל-18:00?", f"whatsapp:{desk.number}")


def test_a_reply_shows_with_whatsapp_s_marks_and_the_direction_of_its_words(desk: Desk) -> None:
    write(desk.page, "hi")
    desk.send("whatsapp", body=CARD)
    body = desk.page.locator(".message:not(.mine) .body")
    expect(body.locator("strong")).to_have_text("לבטל את השיעור?")
    expect(body).to_have_css("direction", "rtl")


def test_a_tapped_button_goes_back_as_its_payload_and_quotes_its_message(desk: Desk) -> None:
    write(desk.page, "hi")
    actions = [{"title": "לבטל", "id": "tok:1"}, {"title": "להשאיר", "id": "tok:2"}]
    sid = desk.content({"twilio/quick-reply": {"body": "לבטל?", "actions": actions}})
    sent = desk.send("whatsapp", content_sid=sid, content_variables=json.dumps({}))
    desk.page.locator(".replies button").first.click()
    expect(desk.page.locator(".replies")).to_have_count(0)
    form = desk.heard(2)
    assert form["ButtonPayload"] == "tok:1"
    assert form["OriginalRepliedMessageSid"] == sent.sid


def test_a_quoted_message_is_named_in_the_answer(desk: Desk) -> None:
    write(desk.page, "hi")
    sent = desk.send("whatsapp", body="Which Dana?")
    desk.page.locator(".message:not(.mine)").click()
    expect(desk.page.locator(".quote span")).to_have_text("Which Dana?")
    write(desk.page, "2")
    expect(desk.page.locator(".message.mine .cited")).to_have_text("Which Dana?")
    assert desk.heard(2)["OriginalRepliedMessageSid"] == sent.sid


def test_an_sms_has_a_thread_of_its_own_and_says_that_it_came(desk: Desk) -> None:
    desk.send("sms", body="Cancel Open gym? 1 / 2")
    tab = desk.page.locator("[data-channel=sms]")
    expect(tab.locator("i")).to_be_visible()
    expect(desk.page.locator(".message")).to_have_count(0)
    tab.click()
    expect(desk.page.locator(".message .body")).to_have_text("Cancel Open gym? 1 / 2")
    expect(tab.locator("i")).to_be_hidden()


def test_the_language_of_the_person_changes_everywhere(desk: Desk) -> None:
    desk.page.locator("[data-language=he]").click()
    expect(desk.page.locator("html")).to_have_attribute("dir", "rtl")
    inside = desk.page.frame_locator("iframe")
    expect(inside.locator("html")).to_have_attribute("dir", "rtl")
    expect(inside.locator("spotter-chat .empty h3")).to_have_text("מה צריך לעשות?")


def test_a_phone_is_linked_with_a_code_from_the_dashboard(desk: Desk) -> None:
    inside = desk.page.frame_locator("iframe")
    inside.locator("[data-open=settings]").click()
    inside.locator("[data-code]").click()
    expect(inside.locator("dialog .told")).to_contain_text("+14155238886")


def test_where_no_playground_is_set_there_is_none(stage: Stage) -> None:
    place = Playground(stage.db, stage.wiring.settings)
    token = issue_token(stage.wiring.settings, stage.people["en"], now=Clock().now())
    client = stage.app(playground(place)).test_client()
    answer = client.get("/playground/phone/thread", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 404
