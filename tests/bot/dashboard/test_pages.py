"""The doors and the desk: sign-in by choice and by link, the week, one's own settings."""

from datetime import timedelta
from re import search

import pytest
from flask.testing import FlaskClient

from app.core.actor import Actor
from app.web.tokens import sign_in_link
from tests.browser.stage import Stage


@pytest.fixture
def client(stage: Stage) -> FlaskClient:
    return stage.app().test_client()


def word_of(page: str) -> str:
    found = search(r'name="csrf_token" value="([^"]+)"', page)
    assert found
    return found[1]


def enter(client: FlaskClient, actor: Actor) -> str:
    """Sign in as a person of the playground; returns the page's word."""
    word = word_of(client.get("/sign-in").text)
    client.post("/sign-in", data={"person": str(actor.user_id), "csrf_token": word})
    return word_of(client.get("/").text)


def test_a_stranger_is_shown_the_door(client: FlaskClient) -> None:
    answer = client.get("/", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/sign-in")


def test_the_door_speaks_the_browser_s_language(client: FlaskClient) -> None:
    page = client.get("/sign-in", headers={"Accept-Language": "he-IL,en;q=0.4"}).text
    assert '<html lang="he" dir="rtl">' in page


def test_nobody_comes_in_who_is_not_on_the_list(client: FlaskClient) -> None:
    word = word_of(client.get("/sign-in").text)
    refused = client.post("/sign-in", data={"person": "someone", "csrf_token": word})
    assert refused.status_code == 403
    assert client.post("/sign-in", data={"person": "someone"}).status_code == 403


def test_a_link_signs_in_after_a_button_and_not_by_being_looked_at(stage: Stage) -> None:
    actor = stage.people["ru"]
    client = stage.app().test_client()
    address = sign_in_link(stage.wiring.settings, actor.org_id, actor.user_id)
    path = "/sign-in/" + address.rpartition("/")[2]
    looked = client.get(path).text
    assert client.get("/").status_code == 401
    client.post(path, data={"csrf_token": word_of(looked)})
    assert '<html lang="ru"' in client.get("/").text


def test_a_forged_link_opens_nothing(client: FlaskClient) -> None:
    answer = client.get("/sign-in/abc.def.ghi")
    assert answer.status_code == 403
    word = word_of(client.get("/sign-in").text)
    assert client.post("/sign-in/abc.def.ghi", data={"csrf_token": word}).status_code == 403


def test_a_link_that_was_used_is_spent(stage: Stage) -> None:
    actor = stage.people["en"]
    client = stage.app(first_use=lambda _: False).test_client()
    address = sign_in_link(stage.wiring.settings, actor.org_id, actor.user_id)
    path = "/sign-in/" + address.rpartition("/")[2]
    word = word_of(client.get(path).text)
    assert client.post(path, data={"csrf_token": word}).status_code == 403
    assert client.get("/").status_code == 401


def test_signing_out_closes_the_door(client: FlaskClient, stage: Stage) -> None:
    word = enter(client, stage.people["en"])
    client.post("/sign-out", data={"csrf_token": word})
    assert client.get("/").status_code == 401


@pytest.mark.parametrize(
    ("language", "heading", "booked"),
    [
        ("en", "Schedule", "Booked: 0 of 12"),
        ("he", "לוח השיעורים", "רשומים: 0 מתוך 12"),
        ("ru", "Расписание", "Записано: 0 из 12"),
    ],
)
def test_the_week_is_in_the_person_s_language(
    client: FlaskClient, stage: Stage, language: str, heading: str, booked: str
) -> None:
    enter(client, stage.people[language])
    page = client.get("/").text
    assert f"<h1>{heading}</h1>" in page
    assert booked in page
    assert "/api/v1" in page


def test_another_week_is_asked_for_by_its_first_day(client: FlaskClient, stage: Stage) -> None:
    enter(client, stage.people["en"])
    here = client.get("/schedule").text
    later = stage.wiring.clock.now().date() + timedelta(days=60)
    there = client.get(f"/schedule?from={later}").text
    assert "Open gym" in here
    assert "Open gym" not in there
    assert client.get("/schedule?from=whenever").text == here


def test_a_person_s_language_changes_for_all_they_see(client: FlaskClient, stage: Stage) -> None:
    word = enter(client, stage.people["en"])
    headers = {"X-CSRF-Token": word}
    assert (
        client.post("/api/v1/me/language", json={"language": "xx"}, headers=headers).status_code
        == 422
    )
    client.post("/api/v1/me/language", json={"language": "ru"}, headers=headers)
    assert '<html lang="ru"' in client.get("/").text
    assert client.get("/api/v1/chat/words").get_json()["send"] == "Отправить"


def test_a_code_links_a_phone(client: FlaskClient, stage: Stage) -> None:
    word = enter(client, stage.people["en"])
    told = client.post("/api/v1/me/phone-codes", json={}, headers={"X-CSRF-Token": word}).get_json()
    assert len(told["code"]) == 6
    assert told["code"] in told["text"]
    assert "+14155238886" in told["text"]


def test_a_name_with_markup_stays_a_name(stage: Stage) -> None:
    hostile = stage.hire('<img src=x onerror="alert(1)">\u202e', "en")
    client = stage.app().test_client()
    enter(client, hostile)
    page = client.get("/").text
    assert "<img src=x" not in page
    assert "&lt;img src=x" in page
