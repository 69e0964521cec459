"""The doors and the desk: sign-in by choice and by link, the week, one's own settings."""

from datetime import timedelta
from re import search

import pytest
from flask.testing import FlaskClient

from app.core.actor import Actor, Role, Via
from app.core.clock import Clock
from app.web.tokens import issue_token, sign_in_link
from bot.conversation.standing import standing
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


def test_a_browser_that_has_seen_no_page_has_no_word_to_guess(
    client: FlaskClient, stage: Stage
) -> None:
    """Else another site could sign somebody in as its own owner."""
    actor = stage.people["en"]
    address = sign_in_link(stage.wiring.settings, actor.org_id, actor.user_id)
    for path in ("/sign-in", "/sign-in/" + address.rpartition("/")[2]):
        for guess in ("", "-", "None"):
            form = {"person": str(actor.user_id), "csrf_token": guess}
            assert client.post(path, data=form).status_code == 403
    assert client.get("/").status_code == 401


@pytest.mark.parametrize("day", ["0001-01-01", "0001-01-07", "9999-12-25", "9999-12-31"])
def test_a_week_at_the_calendar_s_edge_is_this_week(
    client: FlaskClient, stage: Stage, day: str
) -> None:
    enter(client, stage.people["en"])
    assert client.get(f"/schedule?from={day}").text == client.get("/schedule").text


@pytest.mark.parametrize("day", ["0001-01-08", "9999-12-24"])
def test_the_last_weeks_of_the_calendar_are_shown(
    client: FlaskClient, stage: Stage, day: str
) -> None:
    enter(client, stage.people["en"])
    assert f'data-from="{day}"' in client.get(f"/schedule?from={day}").text


def test_a_program_gets_no_code_for_a_phone(client: FlaskClient, stage: Stage) -> None:
    """By that phone it could answer what is asked of its person."""
    actor = stage.people["en"].acting(Via.MACHINE)
    token = issue_token(stage.wiring.settings, actor, now=Clock().now())
    headers = {"Authorization": f"Bearer {token}"}
    refused = client.post("/api/v1/me/phone-codes", json={}, headers=headers)
    assert (refused.status_code, refused.get_json()["code"]) == (403, "not_allowed")


def test_somebody_acts_in_no_higher_role_than_their_token_s(stage: Stage) -> None:
    owner = stage.people["en"]
    with stage.db.transaction(owner.org_id) as session:
        assert standing(session, owner).role is Role.OWNER
        assert standing(session, owner.at_most(Role.COACH)).role is Role.COACH
