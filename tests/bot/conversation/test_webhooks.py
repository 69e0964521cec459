"""Nothing unsigned is stored, everything signed is stored once, whatever is in it."""

from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
import requests
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr
from sqlalchemy import select
from twilio.request_validator import HMAC_SHA1, HMAC_SHA256, RequestValidator
from werkzeug.test import TestResponse

from bot.channels.twilio.inbound import forget_forms
from bot.cli.stage import ACCOUNT, STAFF_WHATSAPP, TOKEN, Stage
from bot.conversation.models import InboundEvent, InboundState
from bot.operations.serving import create_web
from bot.wiring import Wiring
from tests.floor import Gym, Phone

INBOUND = "/hooks/twilio/inbound"
FALLBACK = "/hooks/twilio/inbound-fallback"
STATUS = "/hooks/twilio/status"
KEY, SECRET = "SK1", "a shared secret"


@pytest.fixture(scope="module")
def app(opened: Stage) -> Flask:
    """The same web process, with a shared key for the newer signatures and a plain address."""
    keys = {KEY: SecretStr(SECRET)}
    changed = {"twilio_webhook_keys": keys, "public_base_url": "https://gym.example/spotter"}
    wiring = Wiring(opened.wiring.settings.model_copy(update=changed))
    vars(wiring).update(db=opened.wiring.db, brisk_redis=opened.wiring.brisk_redis)
    return create_web(wiring)


class Vendor:
    """Posts forms as Twilio does; what is wrong with them is told by keyword."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def post(
        self,
        form: dict[str, Any],
        path: str = INBOUND,
        *,
        signed_for: str = "https://gym.example/spotter{path}",
        token: str = TOKEN,
        signature: str | None = None,
        settings_header: str | None = None,
        algorithm: str = HMAC_SHA1,
    ) -> TestResponse:
        url = signed_for.replace("{path}", path)
        made = RequestValidator(token).compute_signature(url, form, algorithm)
        headers = {"X-Twilio-Signature": made if signature is None else signature}
        if signature == "missing":
            headers = {}
        if settings_header is not None:
            headers["X-Twilio-Webhooks-Signature-Settings"] = settings_header
        return self.client.post(path, data=form, headers=headers)


@pytest.fixture
def vendor(app: Flask) -> Vendor:
    return Vendor(app)


def message(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of a form
    return {
        "MessageSid": f"SM{uuid4().hex}",
        "AccountSid": ACCOUNT,
        "From": f"whatsapp:+97250{uuid4().int % 10**7:07d}",
        "To": STAFF_WHATSAPP,
        "Body": "hello",
        "NumMedia": "0",
        **fields,
    }


def stored(opened: Stage, form: dict[str, Any]) -> list[InboundEvent]:
    with opened.wiring.db.platform() as session:
        rows = select(InboundEvent).where(InboundEvent.key == form["MessageSid"])
        return list(session.scalars(rows))


def test_a_signed_message_is_stored_and_acknowledged_with_nothing(
    opened: Stage, vendor: Vendor
) -> None:
    form = message()
    answer = vendor.post(form)
    assert (answer.status_code, answer.mimetype) == (HTTPStatus.OK, "text/xml")
    assert answer.text.endswith("<Response/>")
    (row,) = stored(opened, form)
    assert (row.state, row.sender) == (InboundState.STORED, form["From"])
    assert row.form == {name: [value] for name, value in form.items()}


SHA256 = {"token": SECRET, "algorithm": HMAC_SHA256}


@pytest.mark.parametrize(
    "wrong",
    [
        {"signature": "missing"},
        {"signature": ""},
        {"signature": "bm9wZQ=="},
        {"token": "another account's"},
        {"signed_for": "https://gym.example{path}"},
        {"signed_for": "https://gym.example/spotter{path}/"},
        {"signed_for": "https://gym.example/spotter{path}?x=1"},
        {"signed_for": "https://other.example/spotter{path}"},
        {"signed_for": "https://gym.example:8443/spotter{path}"},
        {"signed_for": "http://gym.example/spotter{path}"},
        {"signed_for": "http://localhost{path}"},
        {"settings_header": f"key={KEY},algorithm=HMAC_SHA256"},
        {**SHA256},
        {**SHA256, "settings_header": "key=SK2,algorithm=HMAC_SHA256"},
        {**SHA256, "settings_header": f"key={KEY},algorithm=HMAC_SHA1"},
        {**SHA256, "settings_header": f"key={KEY}"},
        {**SHA256, "settings_header": "nonsense"},
        {**SHA256, "token": TOKEN, "settings_header": f"key={KEY},algorithm=HMAC_SHA256"},
    ],
)
@pytest.mark.parametrize("path", [INBOUND, FALLBACK])
def test_a_wrong_signature_is_refused_and_leaves_no_row(
    opened: Stage, vendor: Vendor, wrong: dict[str, str], path: str
) -> None:
    form = message()
    assert vendor.post(form, path, **wrong).status_code == HTTPStatus.FORBIDDEN
    assert stored(opened, form) == []


def test_the_newer_signature_is_accepted(opened: Stage, vendor: Vendor) -> None:
    form = message()
    header = f"key={KEY},algorithm=HMAC_SHA256"
    answer = vendor.post(form, settings_header=header, token=SECRET, algorithm=HMAC_SHA256)
    assert answer.status_code == HTTPStatus.OK
    assert len(stored(opened, form)) == 1


@pytest.mark.parametrize("account", [{"AccountSid": "AC" + "2" * 32}, {"AccountSid": ""}])
def test_another_accounts_message_is_refused(
    opened: Stage, vendor: Vendor, account: dict[str, str]
) -> None:
    form = message(**account)
    assert vendor.post(form).status_code == HTTPStatus.FORBIDDEN
    assert stored(opened, form) == []


def test_what_was_changed_on_the_way_is_refused(opened: Stage, vendor: Vendor) -> None:
    form = message()
    signature = RequestValidator(TOKEN).compute_signature(
        f"https://gym.example/spotter{INBOUND}", form
    )
    changed = {**form, "Body": "cancel all classes"}
    assert vendor.post(changed, signature=signature).status_code == HTTPStatus.FORBIDDEN
    assert stored(opened, form) == []


def test_the_same_message_on_both_addresses_and_for_ever_is_one_row(
    opened: Stage, vendor: Vendor, gym: Gym
) -> None:
    form = message()
    for path in (INBOUND, FALLBACK, INBOUND):
        assert vendor.post(form, path).status_code == HTTPStatus.OK
    gym.later(days=400)
    assert vendor.post(form).status_code == HTTPStatus.OK
    assert len(stored(opened, form)) == 1


def test_raw_forms_are_forgotten_after_ninety_days_and_their_keys_are_not(
    opened: Stage, vendor: Vendor, gym: Gym
) -> None:
    form = message()
    vendor.post(form)
    gym.later(days=89)
    forget_forms(gym.db)
    assert stored(opened, form)[0].form is not None
    gym.later(days=2)
    forget_forms(gym.db)
    assert stored(opened, form)[0].form is None
    vendor.post(form)
    assert len(stored(opened, form)) == 1


@pytest.mark.parametrize(
    "body",
    ["", "\x00", "a\x00b", "🤸‍♀️💪", "x" * 10_000, "שלום", "\u202e\u200f1", "<Response>", "%00&a=b"],
)
def test_whatever_is_written_is_kept_as_it_came(opened: Stage, vendor: Vendor, body: str) -> None:
    form = message(Body=body)
    assert vendor.post(form).status_code == HTTPStatus.OK
    (row,) = stored(opened, form)
    assert row.form is not None
    assert row.form["Body"] == [body]


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(body=st.text(max_size=300), name=st.text(max_size=30))
def test_any_text_at_all_is_taken(vendor: Vendor, body: str, name: str) -> None:
    form = message(Body=body, ProfileName=name)
    assert vendor.post(form).status_code == HTTPStatus.OK


@pytest.mark.parametrize(
    "strange", [{"From": "whatsapp:+972\x0050"}, {"From": "x" * 5_000}, {"MessageSid": "y" * 5_000}]
)
def test_a_strange_address_breaks_nothing(vendor: Vendor, strange: dict[str, str]) -> None:
    assert vendor.post(message(**strange)).status_code == HTTPStatus.OK


def test_a_megabyte_is_refused(opened: Stage, vendor: Vendor) -> None:
    form = message(Body="x" * 1_100_000)
    assert vendor.post(form).status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    assert stored(opened, form) == []


@pytest.mark.parametrize("missing", ["MessageSid", "From"])
def test_what_is_no_message_is_acknowledged_and_not_kept(vendor: Vendor, missing: str) -> None:
    form = message()
    del form[missing]
    assert vendor.post(form).status_code == HTTPStatus.OK


def test_a_status_is_stored_once_and_an_unknown_one_not_at_all(
    opened: Stage, vendor: Vendor
) -> None:
    form = message(MessageStatus="delivered")
    for _ in range(2):
        assert vendor.post(form, STATUS).status_code == HTTPStatus.NO_CONTENT
    assert vendor.post({**form, "MessageStatus": "levitating"}, STATUS).status_code == 204
    with opened.wiring.db.platform() as session:
        keys = InboundEvent.key.startswith(form["MessageSid"])
        assert session.scalars(select(InboundEvent.key).where(keys)).all() == [
            f"{form['MessageSid']}:delivered"
        ]


def test_an_unsigned_status_is_refused(vendor: Vendor) -> None:
    form = message(MessageStatus="delivered")
    assert vendor.post(form, STATUS, token="nobody's").status_code == HTTPStatus.FORBIDDEN


def test_a_query_is_signed_with_its_bytes(opened: Stage, gym: Gym) -> None:
    """Over real HTTP: the server's own reading of a path must not change what was signed."""
    base, form = opened.base_url, message()
    for query in ("?a=1&b=%20%2F", "?x=%D7%90&x=+"):
        url = f"{base}{INBOUND}{query}"
        signature = RequestValidator(TOKEN).compute_signature(url, form)
        headers = {
            "X-Twilio-Signature": signature,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        answer = requests.post(url, data=urlencode(form), headers=headers, timeout=10)
        assert answer.status_code == HTTPStatus.OK
    assert len(stored(opened, form)) == 1
    assert gym.turns() == []


def test_the_same_message_ten_times_at_once_is_one_turn(gym: Gym) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    phone: Phone = gym.linked()
    sid = f"SM{uuid4().hex}"
    with ThreadPoolExecutor(10) as threads:
        codes = list(threads.map(lambda _: phone.posts(MessageSid=sid, Body="hello"), range(10)))
    assert codes == [HTTPStatus.OK] * 10
    gym.settle()
    assert [event.key for event in gym.inbound(phone)].count(sid) == 1
    assert len(gym.turns()) == 1
    assert phone.got() == ["Hi."]


def test_a_flood_is_kept_and_not_acted_on(gym: Gym) -> None:
    phone = gym.linked()
    with ThreadPoolExecutor(10) as threads:
        codes = list(threads.map(lambda _: phone.posts(Body="help"), range(75)))
    assert set(codes) == {HTTPStatus.OK}
    states = [event.state for event in gym.inbound(phone)]
    assert len(states) == 76
    assert states.count(InboundState.IGNORED) >= 5
    with gym.db.platform() as session:
        for event in gym.inbound(phone):
            session.merge(event).state = InboundState.IGNORED
