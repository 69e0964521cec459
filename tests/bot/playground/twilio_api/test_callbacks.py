"""What becomes of a sent message, and the signed reports on it, in good days and bad."""

import pytest
import requests
from twilio.base.exceptions import TwilioRestException

from bot.playground.twilio_api.config import TwilioConfig
from bot.playground.twilio_api.server import serve
from tests.bot.playground.twilio_api.catcher import Catcher, failing
from tests.bot.playground.twilio_api.conftest import PHONE, Playground


def _reports(playground: Playground, sid: str, count: int) -> list[str]:
    playground.webhook.wait_for(lambda: len(playground.webhook.statuses(sid)) >= count)
    return playground.webhook.statuses(sid)


def test_reports_come_signed_and_in_order(playground: Playground) -> None:
    sid = playground.send("sms").sid

    assert _reports(playground, sid, 2) == ["sent", "delivered"]
    assert all(one.genuine for one in playground.webhook.caught)
    assert playground.client.messages(sid).fetch().status == "delivered"


def test_a_read_whatsapp_is_reported(playground: Playground) -> None:
    playground.phone("whatsapp", "hi")
    playground.post("/_control", channel="whatsapp", outcome="read", times=1)
    sid = playground.send("whatsapp").sid

    assert _reports(playground, sid, 3) == ["sent", "delivered", "read"]
    assert playground.webhook.reports(sid)[-1]["EventType"] == "READ"


def test_reports_can_come_out_of_order_and_doubled(playground: Playground) -> None:
    playground.post("/_control", to=PHONE, order="reversed", copies=2)
    sid = playground.send("sms").sid

    assert _reports(playground, sid, 4) == ["delivered", "delivered", "sent", "sent"]
    assert playground.client.messages(sid).fetch().status == "delivered"


@pytest.mark.parametrize("code", [63003, 63024, 63016])
def test_a_failure_shows_only_later(playground: Playground, code: int) -> None:
    playground.phone("whatsapp", "hi")
    playground.post("/_control", to=PHONE, channel="whatsapp", outcome="fail", code=code)
    sid = playground.send("whatsapp").sid

    assert _reports(playground, sid, 2) == ["sent", "undelivered"]
    assert playground.webhook.reports(sid)[-1]["ErrorCode"] == str(code)
    assert playground.client.messages(sid).fetch().error_code == code


def test_whatsapp_is_closed_to_who_never_wrote(playground: Playground) -> None:
    sid = playground.send("whatsapp").sid
    assert _reports(playground, sid, 1) == ["failed"]
    assert playground.webhook.reports(sid)[-1]["ErrorCode"] == "63016"

    playground.phone("whatsapp", "hi")
    assert _reports(playground, playground.send("whatsapp").sid, 2) == ["sent", "delivered"]

    playground.post("/_control/close_window", number=PHONE)
    assert _reports(playground, playground.send("whatsapp").sid, 1) == ["failed"]


def test_a_message_can_stay_undelivered_for_ever(playground: Playground) -> None:
    playground.post("/_control", to=PHONE, outcome="stay_sent", times=1)
    stuck = playground.send("sms").sid
    passed = playground.send("sms").sid

    assert _reports(playground, passed, 2) == ["sent", "delivered"]
    assert playground.webhook.statuses(stuck) == ["sent"]


def test_a_refusal_on_demand(playground: Playground) -> None:
    playground.post("/_control", to=PHONE, outcome="refuse", code=20429, http_status=429, times=1)

    with pytest.raises(TwilioRestException) as refused:
        playground.send("sms")

    assert (refused.value.status, refused.value.code) == (429, 20429)
    assert playground.send("sms").status == "queued"


def test_a_500_may_mean_that_it_was_sent(playground: Playground) -> None:
    playground.post("/_control", outcome="accept_then_500", times=1)
    with pytest.raises(TwilioRestException) as failed:
        playground.send("sms", "sent after all")
    assert (failed.value.status, failed.value.code) == (500, 20500)
    assert [one.body for one in playground.client.messages.list(to=PHONE)] == ["sent after all"]

    playground.post("/_control", outcome="refuse_500", times=1)
    with pytest.raises(TwilioRestException):
        playground.send("sms", "never sent")
    assert len(playground.client.messages.list(to=PHONE)) == 1


def test_a_silent_api_runs_into_the_client_s_time_limit(playground: Playground) -> None:
    playground.post("/_control", outcome="hang", seconds=30, times=1)
    playground.client.http_client._http.timeout = 0.2  # noqa: SLF001  # the test can't wait 10 s

    with pytest.raises(requests.exceptions.Timeout):
        playground.send("sms", "slow")

    assert [one["body"] for one in playground.thread("sms")] == ["slow"]


def test_a_rule_covers_only_what_it_names(playground: Playground) -> None:
    playground.post("/_control", only="content", outcome="refuse", code=21655)
    playground.post("/_control", channel="whatsapp", outcome="refuse", code=63007)
    playground.post("/_control", to="+972540000000", outcome="refuse", code=21211)

    assert playground.send("sms").status == "queued"


def test_rules_can_be_cleared(playground: Playground) -> None:
    playground.post("/_control", outcome="refuse", code=30002)
    requests.delete(f"{playground.server.url}/_control", timeout=5)

    assert playground.send("sms").status == "queued"


def test_a_misspelt_rule_is_refused(playground: Playground) -> None:
    response = requests.post(
        f"{playground.server.url}/_control", json={"outcom": "fail"}, timeout=5
    )

    assert response.status_code == 400


def test_a_failing_callback_is_tried_again_by_its_overrides(playground: Playground) -> None:
    playground.webhook.answers = [failing, failing]
    callback = f"{playground.webhook.url}/status?x=%20y#rc=2&rp=5xx"
    sid = playground.send("sms", status_callback=callback).sid

    assert _reports(playground, sid, 4) == ["sent", "sent", "sent", "delivered"]
    assert all(one.genuine for one in playground.webhook.caught)


def test_the_sha256_mode_is_signed_with_the_shared_key(webhook: Catcher) -> None:
    account, token = webhook.config.account_sid, webhook.config.auth_token
    config = TwilioConfig(account, token, shared_key=("key_1", "a shared secret"))
    with serve(0, config) as server:
        playground = Playground(server, webhook)
        _reports(playground, playground.send("sms").sid, 2)

    caught = webhook.caught[0]
    assert caught.genuine
    assert caught.headers["X-Twilio-Webhooks-Signature-Settings"] == (
        "key=key_1,algorithm=HMAC_SHA256"
    )


def test_what_is_due_later_is_dropped_at_the_end(config: TwilioConfig, webhook: Catcher) -> None:
    with serve(0, config) as server:
        playground = Playground(server, webhook)
        playground.post("/_control", delay=3600)
        sid = playground.send("sms").sid

    assert webhook.statuses(sid) == []
