"""The client against Arbox's habits: pages, pace, patience, and its several ways of saying no."""

from collections.abc import Iterator
from datetime import date
from urllib.parse import urlsplit

import pytest
import responses

from app.arbox.errors import ArboxAway, ArboxRefused, KeyRefused
from bot.channels.arbox.client import LIVE, TRIES, ArboxClient
from bot.playground.arbox_api.gym import ArboxGym, small_gym
from bot.playground.arbox_api.server import Arbox, ArboxServer, serve

TODAY = date(2026, 11, 30)
KEY = "a-key-of-the-tests"
USERS = f"{LIVE}/users"


@pytest.fixture(scope="module")
def server() -> Iterator[ArboxServer]:
    arbox = Arbox()
    arbox.add(small_gym(TODAY, key=KEY, people=0))
    with serve(arbox) as running:
        yield running


@pytest.fixture
def arbox(server: ArboxServer) -> Arbox:
    server.arbox.habits.faults.clear()
    server.arbox.habits.per_second = server.arbox.habits.retry_after = None
    server.arbox.asked.clear()
    return server.arbox


@pytest.fixture
def waited() -> list[float]:
    return []


@pytest.fixture
def client(server: ArboxServer, arbox: Arbox, waited: list[float]) -> ArboxClient:
    assert arbox is server.arbox
    return ArboxClient(KEY, server.url, pace_s=0.0, pause=waited.append)


def gym(arbox: Arbox) -> ArboxGym:
    return arbox.gyms[KEY]


def users(client: ArboxClient) -> list[object]:
    return [row["user_id"] for row in client.rows("/users", {})]


def test_all_pages_come_in_order_and_the_last_one_ends_it(
    client: ArboxClient, arbox: Arbox
) -> None:
    gym(arbox).lists["users"] = [{"user_id": n} for n in range(1_234)]
    assert users(client) == list(range(1_234))
    assert [query["page"] for _, query in arbox.asked] == ["1", "2", "3"]
    assert {query["limit"] for _, query in arbox.asked} == {"500"}
    gym(arbox).lists["users"] = []
    assert users(client) == []


def test_a_report_gives_200_a_page_and_no_more_than_31_days(
    client: ArboxClient, arbox: Arbox
) -> None:
    rows = [
        {"transaction_id": n, "transaction_date": "2026-11-15 10:00:00", "status": "OK"}
        for n in range(401)
    ]
    gym(arbox).lists["transactionsReport"] = rows
    path, month = "/reports/transactionsReport", {"fromDate": "2026-11-01", "toDate": "2026-11-30"}
    assert len(list(client.rows(path, month))) == 401
    assert list(client.rows(path, {**month, "status": "FAIL"})) == []
    with pytest.raises(ArboxRefused):
        list(client.rows(path, {"fromDate": "2026-10-01", "toDate": "2026-11-30"}))
    with pytest.raises(ArboxRefused):
        list(client.rows("/reports/transactions", month))


def test_a_key_that_it_does_not_know_is_said_at_once(server: ArboxServer, arbox: Arbox) -> None:
    other = ArboxClient("another-key", server.url, pace_s=0.0)
    with pytest.raises(KeyRefused):
        users(other)
    assert len(arbox.asked) == 1


@pytest.mark.parametrize("fault", [429, 500, 503, 0])
def test_what_passes_is_waited_for(
    client: ArboxClient, arbox: Arbox, waited: list[float], fault: int
) -> None:
    gym(arbox).lists["users"] = [{"user_id": 1}]
    arbox.habits.faults.extend([fault] * (TRIES - 1))
    assert users(client) == [1]
    assert len(waited) == TRIES - 1
    assert waited == sorted(waited)


def test_it_waits_as_long_as_it_is_told_to(
    client: ArboxClient, arbox: Arbox, waited: list[float]
) -> None:
    gym(arbox).lists["users"] = [{"user_id": 1}]
    arbox.habits.retry_after = 7
    arbox.habits.faults.append(429)
    assert users(client) == [1]
    assert waited == [7]


def test_patience_has_an_end(client: ArboxClient, arbox: Arbox) -> None:
    arbox.habits.faults.extend([503] * TRIES)
    with pytest.raises(ArboxAway):
        users(client)
    assert len(arbox.asked) == TRIES


def test_a_server_that_is_away_is_no_fault_of_the_key(waited: list[float]) -> None:
    nobody = ArboxClient(KEY, "http://127.0.0.1:9", pace_s=0.0, pause=waited.append)
    with pytest.raises(ArboxAway):
        users(nobody)


def test_it_keeps_its_pace(server: ArboxServer, arbox: Arbox) -> None:
    gym(arbox).lists["users"] = [{"user_id": n} for n in range(1_001)]
    waits: list[float] = []
    slow = ArboxClient(KEY, server.url, pace_s=30.0, pause=waits.append)
    assert len(users(slow)) == 1_001
    assert len(waits) == 2
    assert all(wait > 25 for wait in waits)


def test_the_key_is_in_a_header_and_nowhere_else(client: ArboxClient) -> None:
    assert KEY not in repr(client)
    with responses.RequestsMock() as live:
        live.get(USERS, json={"statusCode": 200, "data": []})
        list(ArboxClient(KEY, pace_s=0.0).rows("/users", {}))
        (call,) = live.calls
    assert call.request.headers["api-key"] == KEY
    assert KEY not in str(call.request.url)


@pytest.mark.parametrize(
    "body",
    [
        {"statusCode": 200, "data": {"users": [{"user_id": 1}]}},
        {"statusCode": 200, "data": [{"user_id": 1}, None, "odd"], "extra": []},
        [{"user_id": 1}],
    ],
)
def test_records_are_found_in_whatever_they_are_wrapped(body: object) -> None:
    with responses.RequestsMock() as live:
        live.get(USERS, json=body)
        assert users(ArboxClient(KEY, pace_s=0.0)) == [1]


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (200, {"statusCode": 401, "error": "NOT UNIQUE API KEY"}, KeyRefused),
        (400, {"statusCode": 400, "error": "INVALID API USER"}, KeyRefused),
        (422, {"statusCode": 422, "message": "ValidationException"}, ArboxRefused),
        (404, {"statusCode": 404}, ArboxRefused),
    ],
)
def test_a_no_is_told_apart_by_status_and_words(
    status: int, body: object, error: type[Exception]
) -> None:
    with responses.RequestsMock() as live:
        live.get(USERS, json=body, status=status)
        with pytest.raises(error):
            users(ArboxClient(KEY, pace_s=0.0))


def test_a_redirect_is_not_followed_with_the_key() -> None:
    with responses.RequestsMock() as live:
        live.get(USERS, status=302, headers={"Location": "http://elsewhere.example/"}, json={})
        with pytest.raises(ArboxRefused):
            users(ArboxClient(KEY, pace_s=0.0))
        assert len(live.calls) == 1


def test_the_next_pages_address_is_never_followed() -> None:
    """It comes over http and has lost the question."""
    page = {
        "statusCode": 200,
        "extra": {"pagination": {"next_page_url": "http://x.example/?page=2"}},
    }
    with responses.RequestsMock() as live:
        live.get(USERS, json={**page, "data": [{"user_id": 1}]})
        live.get(USERS, json={"statusCode": 200, "data": [{"user_id": 2}]})
        found = [one["user_id"] for one in ArboxClient(KEY, pace_s=0.0).rows("/users", {"a": "b"})]
        assert found == [1, 2]
        asked = [urlsplit(str(call.request.url)) for call in live.calls]
    assert {one.netloc for one in asked} == {"arboxserver.arboxapp.com"}
    assert all("a=b" in one.query for one in asked)
