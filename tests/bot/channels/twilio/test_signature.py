"""The vendor's signature vectors, our narrower rules on top, and that no request breaks them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twilio.request_validator import HMAC_SHA1, HMAC_SHA256, RequestValidator
from werkzeug.datastructures import MultiDict

from bot.channels.twilio.signature import SignatureConfig, is_genuine, is_signed, signed_url

TOKEN = "12345"
ACCOUNT = "AC" + "5a1d" * 8
SHARED = "webhooks_sharedkey_01"
BASE_URL = "https://mycompany.com/myapp.php?foo=1&bar=2"
CALL = [
    ("CallSid", "CA1234567890ABCDE"),
    ("Digits", "1234"),
    ("From", "+14158675309"),
    ("To", "+18005551212"),
    ("Caller", "+14158675309"),
]
REPEATED = [
    ("Sid", "CA123"),
    ("SidAccount", "AC123"),
    ("Digits", "5678"),
    ("Digits", "1234"),
    ("Digits", "1234"),
]
URL = "https://spotter.example/hooks/twilio/inbound?x=%20a&y="
CONFIG = SignatureConfig(ACCOUNT, TOKEN, {SHARED: "a shared secret"})
SHA256_SETTINGS = f"key={SHARED},algorithm=HMAC_SHA256"


def _form(**fields: str) -> MultiDict[str, str]:
    return MultiDict({"AccountSid": ACCOUNT, "Body": "שלום", "MediaUrl0": "", **fields})


def _headers(
    secret: str = TOKEN, algorithm: str = HMAC_SHA1, url: str = URL, settings: str | None = None
) -> dict[str, str]:
    signature = RequestValidator(secret).compute_signature(url, _form(), algorithm)
    headers = {"X-Twilio-Signature": signature}
    return headers | ({"X-Twilio-Webhooks-Signature-Settings": settings} if settings else {})


@pytest.mark.parametrize(
    ("url", "fields", "algorithm", "signature"),
    [
        (BASE_URL, CALL, HMAC_SHA1, "RSOYDt4T1cUTdK1PDd93/VVr8B8="),
        (BASE_URL.replace(".com", ".com:1234"), CALL, HMAC_SHA1, "RSOYDt4T1cUTdK1PDd93/VVr8B8="),
        (BASE_URL, CALL, HMAC_SHA1, "kvajT1Ptam85bY51eRf/AJRuM3w="),
        (BASE_URL.replace("https", "http"), CALL, HMAC_SHA1, "0ZXoZLH/DfblKGATFgpif+LLRf4="),
        (
            BASE_URL.replace("https", "http").replace(".com", ".com:1234"),
            CALL,
            HMAC_SHA1,
            "Zmvh+3yNM1Phv2jhDCwEM3q5ebU=",
        ),
        (BASE_URL, REPEATED, HMAC_SHA1, "IK+Dwps556ElfBT0I3Rgjkr1wJU="),
        (BASE_URL, CALL, HMAC_SHA256, "033hgUJA9M/hXIZsYjwkerEP/DBm35nEri5FhCYjA5s="),
        (
            "https://x.io/h",
            [("Body", "שלום"), ("MediaUrl0", "")],
            HMAC_SHA1,
            "je2tH/U5+MO+Z6JQrJkUmeN3wIU=",
        ),
    ],
)
def test_the_published_vectors_hold(
    url: str, fields: list[tuple[str, str]], algorithm: str, signature: str
) -> None:
    form = MultiDict(fields)

    assert is_signed(url, form, signature, (TOKEN, algorithm))
    assert not is_signed(url, form, signature, ("54321", algorithm))
    assert not is_signed(url + "x", form, signature, (TOKEN, algorithm))
    form.add("Extra", "1")
    assert not is_signed(url, form, signature, (TOKEN, algorithm))


def test_both_modes_are_taken_when_right() -> None:
    assert is_genuine(URL, _form(), _headers(), CONFIG)
    sha256 = _headers("a shared secret", HMAC_SHA256, settings=SHA256_SETTINGS)
    assert is_genuine(URL, _form(), sha256, CONFIG)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Twilio-Signature": ""},
        {"X-Twilio-Signature": "תת"},
        _headers("another token"),
        _headers(url=URL.replace("https", "http")),
        _headers(url=URL.replace(".example", ".example:8443")),
        _headers(url=URL.replace("spotter", "evil")),
        _headers(url=URL.replace("inbound", "status")),
        # the settings header may neither choose another algorithm for a secret nor another secret
        _headers(TOKEN, HMAC_SHA256, settings="algorithm=HMAC_SHA256"),
        _headers(TOKEN, HMAC_SHA1, settings=f"key={SHARED},algorithm=HMAC_SHA1"),
        _headers("a shared secret", HMAC_SHA1, settings=f"key={SHARED},algorithm=HMAC_SHA1"),
        _headers("a shared secret", HMAC_SHA256, settings="key=other,algorithm=HMAC_SHA256"),
        _headers("a shared secret", HMAC_SHA256),
        _headers("", HMAC_SHA256, settings="key=,algorithm=HMAC_SHA256"),
    ],
)
def test_anything_else_is_refused(headers: dict[str, str]) -> None:
    assert not is_genuine(URL, _form(), headers, CONFIG)


def test_another_account_is_refused_though_signed() -> None:
    other = SignatureConfig("AC" + "0" * 32, TOKEN)

    assert not is_genuine(URL, _form(), _headers(), other)


def test_two_account_fields_are_refused() -> None:
    form = _form()
    form.add("AccountSid", "AC" + "0" * 32)
    signature = RequestValidator(TOKEN).compute_signature(URL, form)

    assert not is_genuine(URL, form, {"X-Twilio-Signature": signature}, CONFIG)


def test_an_empty_secret_opens_nothing() -> None:
    blank = SignatureConfig(ACCOUNT, "", {SHARED: ""})

    assert not is_genuine(URL, _form(), _headers(""), blank)
    sha256 = _headers("", HMAC_SHA256, settings=SHA256_SETTINGS)
    assert not is_genuine(URL, _form(), sha256, blank)


def test_a_signed_json_body_is_no_form_of_ours() -> None:
    digest = "0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620"
    headers = {"X-Twilio-Signature": "a9nBmqA0ju/hNViExpshrM61xv4="}

    assert not is_genuine(f"{BASE_URL}&bodySHA256={digest}", MultiDict(), headers, CONFIG)


def test_the_url_is_the_configured_address_and_the_raw_target() -> None:
    assert signed_url("https://spotter.example/", "/hooks?x=%20a&y=") == (
        "https://spotter.example/hooks?x=%20a&y="
    )
    assert signed_url("https://spotter.example/base", "/a%2Fb") == (
        "https://spotter.example/base/a%2Fb"
    )


def test_secrets_are_not_shown() -> None:
    assert TOKEN not in repr(CONFIG)
    assert "a shared secret" not in repr(CONFIG)


@given(
    url=st.text() | st.text().map("https://".__add__),
    fields=st.dictionaries(st.text(), st.text(), max_size=4),
    signature=st.text(),
    settings=st.none() | st.text() | st.just(SHA256_SETTINGS),
)
def test_no_request_breaks_the_check(
    url: str, fields: dict[str, str], signature: str, settings: str | None
) -> None:
    headers = {"X-Twilio-Signature": signature}
    if settings is not None:
        headers["X-Twilio-Webhooks-Signature-Settings"] = settings

    assert not is_genuine(url, _form(**fields), headers, CONFIG)
