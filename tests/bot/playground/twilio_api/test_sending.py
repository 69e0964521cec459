"""The official library sends, looks up and lists; refusals come with Twilio's own codes."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import requests
from twilio.base.exceptions import TwilioRestException

from bot.channels.twilio.client import twilio_client
from tests.bot.playground.twilio_api.conftest import ACCOUNT, PHONE, SMS, WHATSAPP, Playground


def _refusal(playground: Playground, channel: str, **fields: Any) -> tuple[int, int]:  # noqa: ANN401  # form fields
    with pytest.raises(TwilioRestException) as refused:
        playground.send(channel, **fields)
    return refused.value.status, refused.value.code


def test_a_message_is_accepted_and_can_be_fetched(playground: Playground) -> None:
    sent = playground.send("sms", "ש" * 71)

    assert sent.sid.startswith("SM")
    assert len(sent.sid) == 34
    assert (sent.status, sent.num_segments, sent.direction) == ("queued", "2", "outbound-api")
    assert sent.error_code is None
    assert datetime.now(UTC) - sent.date_created < timedelta(minutes=1)
    assert playground.client.messages(sent.sid).fetch().body == "ש" * 71


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"to": "whatsapp:" + PHONE}, 21910),
        ({"to": ""}, 21604),
        ({"to": "0541234567"}, 21211),
        ({"to": "+2782093025461110999"}, 21211),
        ({"from_": "+15005550006"}, 21606),
        ({"from_": "whatsapp:+15005550006", "to": "whatsapp:" + PHONE}, 63007),
        ({"to": SMS}, 21266),
        ({"body": None}, 21619),
        ({"body": "  "}, 21619),
        ({"body": "a" * 1601}, 21617),
        ({"body": "\U0001f44d" * 801}, 21617),
        ({"status_callback": "http://a_host.example/status"}, 21609),
        ({"content_sid": "HX" + "0" * 32}, 21655),
    ],
)
def test_a_wrong_form_is_refused(
    playground: Playground, fields: dict[str, str | None], code: int
) -> None:
    assert _refusal(playground, "sms", **fields) == (400, code)


def test_a_body_at_the_limit_is_taken(playground: Playground) -> None:
    assert playground.send("sms", "a" * 1600).status == "queued"


def test_wrong_credentials_are_refused(playground: Playground) -> None:
    stranger = twilio_client(ACCOUNT, "guessed", api_url=playground.server.url)

    with pytest.raises(TwilioRestException) as refused:
        stranger.messages.create(to=PHONE, from_=SMS, body="hi")

    assert (refused.value.status, refused.value.code) == (401, 20003)


def test_an_unknown_message_is_not_found(playground: Playground) -> None:
    with pytest.raises(TwilioRestException) as refused:
        playground.client.messages("SM" + "0" * 32).fetch()

    assert (refused.value.status, refused.value.code) == (404, 20404)


def test_the_list_is_filtered_and_paged(playground: Playground) -> None:
    bodies = [str(number) for number in range(7)]
    for body in bodies:
        playground.send("sms", body)
    playground.send("sms", "to another", to="+972540000000")

    messages = playground.client.messages
    found = messages.list(to=PHONE, from_=SMS, page_size=3)
    assert [one.body for one in found] == bodies[::-1]
    hour = timedelta(hours=1)
    now = datetime.now(UTC)
    assert len(messages.list(to=PHONE, date_sent_after=now - hour)) == 7
    assert messages.list(to=PHONE, date_sent_after=now + hour) == []
    assert messages.list(to=PHONE, date_sent_before=now - hour) == []


def test_typing_is_shown_for_a_message_of_a_phone(playground: Playground) -> None:
    sid = playground.phone("whatsapp", "hello")["sid"]
    indicator = playground.client.messaging.v2.typing_indicator

    assert indicator.create(channel="whatsapp", message_id=sid).success is True
    with pytest.raises(TwilioRestException):
        indicator.create(channel="whatsapp", message_id="SM" + "0" * 32)
    kinds = [one["kind"] for one in playground.get("/_phone/events", timeout="0")["events"]]
    assert kinds == ["message", "typing"]


def test_media_is_fetched_with_credentials_and_then_without(playground: Playground) -> None:
    voice = [{"content_type": "audio/ogg", "base64": "T2dnUw=="}]
    playground.phone("whatsapp", "", media=voice)
    form = playground.webhook.caught[0].form
    path = form["MediaUrl0"].removeprefix("https://api.twilio.com")
    base = playground.server.url

    assert form["MediaContentType0"] == "audio/ogg"
    assert requests.get(base + path, timeout=5, allow_redirects=False).status_code == 401
    auth = (ACCOUNT, "a token of the playground")
    moved = requests.get(base + path, auth=auth, timeout=5, allow_redirects=False)
    assert moved.status_code == 302
    path = moved.headers["Location"].removeprefix("https://mms.twiliocdn.com")
    assert requests.get(base + path, timeout=5).content == b"OggS"
    assert requests.get(base + path, auth=auth, timeout=5).status_code == 400


def test_a_whatsapp_message_may_go_to_a_scoped_id(playground: Playground) -> None:
    assert playground.send("whatsapp", to="whatsapp:IL.4566546130240823").status == "queued"
    assert _refusal(playground, "sms", to="IL.4566546130240823") == (400, 21211)
    assert playground.send("whatsapp").from_ == WHATSAPP
