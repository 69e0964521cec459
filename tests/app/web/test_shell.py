"""Errors in one shape, limits, health, and the headers of every response."""

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import chain

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from app.core.settings import Settings
from app.web.bodies import Bodies
from app.web.ports import Ports
from app.web.shell import create_app
from tests.app.web.conftest import COACH, People, views, words

texts = st.text(st.characters(exclude_categories=()))
json_values = st.recursive(
    texts | st.integers() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
    max_leaves=8,
)


def signed_in(client: FlaskClient) -> dict[str, str]:
    return {"X-CSRF-Token": client.post(f"/enter/{COACH.user_id}").get_json()["csrf"]}


def test_a_failure_has_a_code_its_values_and_words_in_the_person_s_language(
    client: FlaskClient,
) -> None:
    signed_in(client)
    answer = client.get("/api/v1/missing")
    assert answer.status_code == 404
    assert answer.mimetype == "application/problem+json"
    assert answer.get_json() == {
        "type": "/api/v1/docs#problem-not_found",
        "title": "Not found",
        "status": 404,
        "detail": "he:not_found:['what']",
        "code": "not_found",
        "values": {"what": "class"},
    }


def test_a_stranger_is_answered_in_the_browser_s_language(client: FlaskClient) -> None:
    answer = client.get("/api/v1/me", headers={"Accept-Language": "ru-RU, en;q=0.5"})
    assert answer.get_json()["detail"].startswith("ru:")


def test_a_body_that_does_not_fit_names_the_fields(client: FlaskClient) -> None:
    answer = client.post("/api/v1/shape", json={"n": "x"}, headers=signed_in(client))
    assert (answer.status_code, answer.get_json()["values"]["fields"]) == (422, ["n"])


def test_what_nobody_foresaw_tells_nothing_of_the_inside(client: FlaskClient) -> None:
    signed_in(client)
    answer = client.get("/api/v1/broken")
    assert answer.status_code == 500
    told = answer.get_json()
    assert (told["code"], told["detail"], told["values"]) == ("internal", "he:internal:[]", {})


def test_unknown_addresses_and_methods_have_codes_too(client: FlaskClient) -> None:
    assert client.get("/api/v1/nothing").get_json()["code"] == "not_found"
    assert client.get("/api/v1/change").get_json()["code"] == "method_not_allowed"


def test_people_get_a_page(client: FlaskClient) -> None:
    answer = client.get("/nothing", headers={"Accept": "text/html", "Accept-Language": "he"})
    assert answer.status_code == 404
    assert 'dir="rtl"' in answer.text


def test_a_body_over_a_megabyte_is_refused(client: FlaskClient) -> None:
    headers = signed_in(client)
    kept = client.post("/api/v1/change", data=b"x" * 900_000, headers=headers)
    refused = client.post("/api/v1/change", data=b"x" * 1_100_000, headers=headers)
    assert (kept.status_code, refused.status_code) == (200, 413)
    assert refused.get_json()["code"] == "too_large"


def test_every_response_forbids_what_it_must(client: FlaskClient) -> None:
    for address in ("/healthz", "/nothing", "/static/error.css"):
        with client.get(address) as answer:
            headers = answer.headers
        policy = headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "frame-ancestors 'self'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"


class Three:
    """Three requests a person, then a minute's wait."""

    def __init__(self) -> None:
        self.taken: dict[str, int] = {}

    def wait(self, key: str, now: datetime) -> float:
        assert now.tzinfo
        self.taken[key] = self.taken.get(key, 0) + 1
        return 0 if self.taken[key] <= 3 else 59.2


def test_limits_count_people_and_not_strangers(settings: Settings, people: People) -> None:
    ports = Ports(find_person=people.find, words=words, limiter=Three())
    client = create_app(settings, [views()], ports).test_client()
    assert {client.get("/api/v1/me").status_code for _ in range(9)} == {401}
    signed_in(client)
    answers = [client.get("/api/v1/me") for _ in range(4)]
    assert [one.status_code for one in answers] == [200, 200, 200, 429]
    assert answers[-1].headers["Retry-After"] == "60"


def test_ready_names_what_is_away(settings: Settings, people: People) -> None:
    def fail() -> None:
        raise ConnectionError

    pings = {"postgres": fail, "redis": lambda: None}
    ports = Ports(find_person=people.find, words=words, pings=pings)
    app: Flask = create_app(settings, [], ports)
    client = app.test_client()
    assert client.get("/healthz").get_json() == {"ok": True}
    answer = client.get("/readyz")
    assert (answer.status_code, answer.get_json()["away"]) == (503, ["postgres"])


@pytest.mark.parametrize(
    "body",
    [
        b'{"n":' + b"[" * 200 + b"]" * 200 + b"}",
        b'{"n":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"n":NaN}',
        b'{"n":-Infinity}',
        b"{",
        b"",
    ],
    ids=["deep", "bottomless", "not a number", "infinite", "cut off", "empty"],
)
def test_what_is_no_json_is_the_caller_s_fault(client: FlaskClient, body: bytes) -> None:
    kind = {"Content-Type": "application/json"}
    answer = client.post("/api/v1/shape", data=body, headers=signed_in(client) | kind)
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_input")


@given(json_values)
def test_whatever_a_body_holds_can_be_kept(value: object) -> None:
    read = Bodies(Flask("app.web")).loads(json.dumps(value))
    json.dumps(read, ensure_ascii=False).encode()
    assert not any("\x00" in text for text in texts_in(read))


def texts_in(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            yield from chain.from_iterable(map(texts_in, value))
        case dict():
            yield from chain.from_iterable(map(texts_in, [*value, *value.values()]))


def test_ordinary_text_in_a_body_stays_as_it_is() -> None:
    text = "Dana \u05d3\u05e0\u05d4 \U0001f9d8\u200d\u2640\ufe0f \u202e"
    assert Bodies(Flask("app.web")).loads(json.dumps({text: [text]})) == {text: [text]}
