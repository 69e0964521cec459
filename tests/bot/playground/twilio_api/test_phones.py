"""People on phones: signed webhooks with Twilio's fields, its retries, and carrier keywords."""

import json

import pytest
import requests
from twilio.base.exceptions import TwilioRestException

from bot.channels.twilio.parse import Identity, PhoneMessage, parse_message
from bot.playground.twilio_api.config import TwilioConfig
from bot.playground.twilio_api.server import serve
from tests.bot.playground.twilio_api.catcher import Catcher, failing, slow
from tests.bot.playground.twilio_api.conftest import PHONE, Playground


def _heard(playground: Playground) -> PhoneMessage:
    caught = playground.webhook.last_heard()
    assert caught.genuine
    message = parse_message(caught.form)
    assert message is not None
    return message


def test_a_whatsapp_message_reaches_the_webhook(playground: Playground) -> None:
    sent = playground.phone("whatsapp", "שלום", profile_name="דנה", scoped_id="IL.77")

    assert sent["accepted"]
    heard = _heard(playground)
    assert (heard.sid, heard.body, heard.profile_name) == (sent["sid"], "שלום", "דנה")
    assert heard.identities == (Identity("phone", PHONE), Identity("bsuid", "IL.77"))
    form = playground.webhook.caught[0].form
    assert form["WaId"] == PHONE.removeprefix("+")
    assert form["SmsStatus"] == "received"
    assert json.loads(form["ChannelMetadata"])["data"]["context"]["ProfileName"] == "דנה"


def test_a_person_can_hide_the_number(playground: Playground) -> None:
    playground.phone("whatsapp", "hi", scoped_id="IL.77", scoped_only=True)

    assert _heard(playground).sender == Identity("bsuid", "IL.77")
    assert "WaId" not in playground.webhook.caught[0].form


def test_an_sms_reaches_the_webhook(playground: Playground) -> None:
    playground.phone("sms", "1")

    heard = _heard(playground)
    assert (heard.channel, heard.sender.value, heard.body) == ("sms", PHONE, "1")
    assert playground.webhook.caught[0].form["FromCountry"] == "IL"


def test_a_quoted_message_is_named(playground: Playground) -> None:
    playground.phone("whatsapp", "hi")
    quoted = playground.send("whatsapp", "Which Dana?").sid

    playground.phone("whatsapp", "1", quoted_sid=quoted)

    assert _heard(playground).quoted_sid == quoted


def test_a_failing_webhook_is_called_again_with_the_same_token(playground: Playground) -> None:
    playground.webhook.answers = [failing, failing]

    sent = playground.phone("sms", "hi")

    assert [one["status"] for one in sent["attempts"]] == [500, 500, 200]
    assert sent["accepted"]
    tokens = {one.headers["I-Twilio-Idempotency-Token"] for one in playground.webhook.caught}
    assert len(tokens) == 1
    assert len({one.form["MessageSid"] for one in playground.webhook.caught}) == 1


def test_by_default_a_500_is_not_tried_again(playground: Playground) -> None:
    playground.post("/_control/webhook", url=f"{playground.webhook.url}/inbound")
    playground.webhook.answers = [failing]

    sent = playground.phone("sms", "hi")

    assert not sent["accepted"]
    assert len(sent["attempts"]) == 1


def test_a_slow_webhook_counts_as_a_read_time_out(playground: Playground) -> None:
    url = f"{playground.webhook.url}/inbound#rt=100&rc=1&rp=rt"
    playground.post("/_control/webhook", url=url)
    playground.webhook.answers = [slow]

    sent = playground.phone("sms", "hi")

    assert [one["error"] for one in sent["attempts"]] == [11205, None]


def test_the_fallback_gets_the_same_message_and_the_reason(playground: Playground) -> None:
    url = f"{playground.webhook.url}/inbound#rc=0"
    fallback = f"{playground.webhook.url}/fallback"
    playground.post("/_control/webhook", url=url, fallback_url=fallback)
    playground.webhook.answers = [failing]

    sent = playground.phone("sms", "hi")

    assert sent["accepted"]
    first, second = playground.webhook.caught
    assert (first.path, second.path) == ("/inbound", "/fallback")
    assert second.genuine
    assert second.form["MessageSid"] == first.form["MessageSid"]
    assert (second.form["ErrorCode"], second.form["ErrorUrl"]) == (
        "11200",
        url.removesuffix("#rc=0"),
    )


def test_a_dead_webhook_is_reported(playground: Playground) -> None:
    playground.post("/_control/webhook", url="http://127.0.0.1:9/inbound")

    sent = playground.phone("sms", "hi")

    assert [one["error"] for one in sent["attempts"]] == [11210, 11210]
    assert not sent["accepted"]


def test_one_message_can_arrive_many_times_at_once(playground: Playground) -> None:
    sent = playground.phone("whatsapp", "hi", copies=10)
    playground.phone("whatsapp", "hi", sid=sent["sid"])

    assert len(sent["attempts"]) == 10
    sids = [one.form["MessageSid"] for one in playground.webhook.caught]
    assert sids == [sent["sid"]] * 11
    assert len(playground.thread("whatsapp")) == 1


def test_stop_blocks_the_sender_until_start(playground: Playground) -> None:
    playground.phone("sms", "Stop")

    assert _heard(playground).body == "Stop"
    with pytest.raises(TwilioRestException) as refused:
        playground.send("sms")
    assert refused.value.code == 21610

    playground.phone("sms", "START")
    assert playground.send("sms").status == "queued"
    directions = [one["direction"] for one in playground.thread("sms")]
    assert directions == ["inbound", "outbound-reply"] * 2 + ["outbound-api"]


def test_yes_from_somebody_who_never_opted_out_is_answered_by_nobody(
    playground: Playground,
) -> None:
    playground.phone("sms", "YES")
    playground.phone("sms", "STOP PLEASE")

    assert [one["direction"] for one in playground.thread("sms")] == ["inbound", "inbound"]


def test_whatsapp_has_no_carrier_keywords(playground: Playground) -> None:
    playground.phone("whatsapp", "STOP")

    assert playground.send("whatsapp").status == "queued"
    directions = [one["direction"] for one in playground.thread("whatsapp")]
    assert directions == ["inbound", "outbound-api"]


def test_advanced_opt_out_is_reported(webhook: Catcher) -> None:
    account, token = webhook.config.account_sid, webhook.config.auth_token
    config = TwilioConfig(account, token, f"{webhook.url}/inbound", advanced_opt_out=True)
    with serve(0, config) as server:
        Playground(server, webhook).phone("sms", "unsubscribe")

    assert webhook.caught[0].form["OptOutType"] == "STOP"


def test_the_thread_shows_both_ways_with_their_states(playground: Playground) -> None:
    playground.phone("sms", "who is in?")
    sid = playground.send("sms", "Dana").sid
    playground.webhook.wait_for(lambda: "delivered" in playground.webhook.statuses(sid))

    shown = [(one["body"], one["status"]) for one in playground.thread("sms")]
    assert shown == [("who is in?", "received"), ("Dana", "delivered")]
    assert playground.thread("whatsapp") == []


def test_events_wait_until_there_is_one(playground: Playground) -> None:
    playground.phone("sms", "one")
    first = playground.get("/_phone/events", after="0", number=PHONE)
    assert [one["body"] for one in first["events"]] == ["one"]

    nothing = playground.get("/_phone/events", after=str(first["last"]), timeout="0.05")
    assert nothing == {"events": [], "last": first["last"]}


def test_events_stream_to_a_page(playground: Playground) -> None:
    headers = {"Accept": "text/event-stream", "Last-Event-ID": "1"}
    playground.phone("sms", "one")
    playground.phone("sms", "two")
    url = f"{playground.server.url}/_phone/events"

    with requests.get(url, headers=headers, stream=True, timeout=5) as response:
        lines = response.iter_lines()
        found = [next(lines).decode() for _ in range(5)]

    assert found[:4] == [": open", "", "id: 2", "event: message"]
    assert json.loads(found[4].removeprefix("data: "))["body"] == "two"


def test_only_the_configured_page_may_drive_phones(webhook: Catcher) -> None:
    account, token = webhook.config.account_sid, webhook.config.auth_token
    for origin in ("", "http://127.0.0.1:8000"):
        config = TwilioConfig(account, token, page_origin=origin)
        with serve(0, config) as server:
            response = requests.get(f"{server.url}/_phone/thread", timeout=5)
        assert response.headers.get("Access-Control-Allow-Origin", "") == origin
