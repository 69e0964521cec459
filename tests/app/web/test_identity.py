"""Who may call, by token and by session."""

from datetime import UTC, datetime, timedelta

import jwt
import pytest
from flask.testing import FlaskClient
from pydantic import SecretStr

from app.core.actor import Actor, Role, Via
from app.core.ids import new_id
from app.core.settings import Settings
from app.web.tokens import BadToken, issue_token, read_link, sign_in_link
from tests.app.web.conftest import COACH, MEMBER, People


def now() -> datetime:
    return datetime.now(UTC)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def claims(**changed: object) -> dict[str, object]:
    base: dict[str, object] = {
        "org": str(COACH.org_id),
        "sub": str(COACH.user_id),
        "role": "coach",
        "aud": "spotter",
        "exp": now() + timedelta(minutes=5),
    }
    return {key: value for key, value in {**base, **changed}.items() if value is not None}


def signed(key: str = "k" * 40, algorithm: str = "HS256", **changed: object) -> str:
    return jwt.encode(claims(**changed), key, algorithm=algorithm)


def test_a_good_token_makes_the_actor(client: FlaskClient, settings: Settings) -> None:
    token = issue_token(settings, COACH, now=now())
    answer = client.get("/api/v1/me", headers=bearer(token))
    assert answer.json == {"name": "Noa", "role": "coach", "via": "person"}


def test_a_machine_s_token_says_so(client: FlaskClient, settings: Settings) -> None:
    token = issue_token(settings, COACH.acting(Via.MACHINE), now=now())
    answer = client.get("/api/v1/me", headers=bearer(token))
    assert answer.get_json()["via"] == "machine"


BAD = {
    "another audience": signed(aud="elsewhere"),
    "no audience": signed(aud=None),
    "expired": signed(exp=datetime(2020, 1, 1, tzinfo=UTC)),
    "no expiry": signed(exp=None),
    "no org": signed(org=None),
    "no role": signed(role=None),
    "a role that isn't one": signed(role="king"),
    "an agent's": signed(via="agent"),
    "another key": signed("x" * 40),
    "another shared algorithm": signed("k" * 64, "HS512"),
    "unsigned": jwt.encode(claims(), "", algorithm="none"),
    "another org": signed(org=str(new_id())),
    "nobody": signed(sub=str(new_id())),
    "noise": "a.b.c",
    "nothing": "",
}


@pytest.mark.parametrize("token", BAD.values(), ids=BAD.keys())
def test_a_bad_token_is_nobody(client: FlaskClient, token: str) -> None:
    answer = client.get("/api/v1/me", headers=bearer(token))
    assert answer.status_code == 401
    assert answer.get_json()["code"] == "sign_in_needed"


def test_members_are_refused_by_token_and_by_session(client: FlaskClient) -> None:
    token = signed(sub=str(MEMBER.user_id), role="owner")
    assert client.get("/api/v1/me", headers=bearer(token)).status_code == 403
    client.post(f"/enter/{MEMBER.user_id}")
    assert client.get("/api/v1/me").status_code == 403


def test_a_role_taken_away_counts_at_once(client: FlaskClient, people: People) -> None:
    token = signed(role="owner")
    assert client.get("/api/v1/me", headers=bearer(token)).get_json()["role"] == "coach"
    people.all[COACH.user_id] = Actor(COACH.org_id, COACH.user_id, Role.MEMBER)
    assert client.get("/api/v1/me", headers=bearer(token)).status_code == 403


def test_a_session_changes_nothing_without_the_page_s_word(client: FlaskClient) -> None:
    word = client.post(f"/enter/{COACH.user_id}").get_json()["csrf"]
    assert client.get("/api/v1/me").status_code == 200
    assert client.post("/api/v1/change").status_code == 403
    assert client.post("/api/v1/change", headers={"X-CSRF-Token": "é"}).status_code == 403
    assert client.post("/api/v1/change", headers={"X-CSRF-Token": word}).status_code == 200


def test_a_token_needs_no_word_and_beats_the_session(client: FlaskClient) -> None:
    client.post(f"/enter/{COACH.user_id}")
    assert client.post("/api/v1/change", headers=bearer(signed())).status_code == 200
    assert client.post("/api/v1/change", headers=bearer("no")).status_code == 401


def test_webhooks_stand_open_and_the_rest_does_not(client: FlaskClient) -> None:
    assert client.post("/webhook").status_code == 200
    assert client.post("/api/v1/change").status_code == 401
    assert client.get("/page", headers={"Accept": "text/html"}).headers["Location"] == "/sign-in"


def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(client: FlaskClient) -> None:
    cookie = client.post(f"/enter/{COACH.user_id}").headers["Set-Cookie"]
    assert {"HttpOnly", "Secure", "SameSite=Lax"} <= set(cookie.split("; "))


def test_a_sign_in_link_names_its_person_and_can_t_be_forged(settings: Settings) -> None:
    address = sign_in_link(settings, COACH.org_id, COACH.user_id)
    word = address.removeprefix("https://gym.example/sign-in/")
    link = read_link(settings, word)
    assert (link.org_id, link.user_id) == (COACH.org_id, COACH.user_id)
    with pytest.raises(BadToken):
        read_link(settings, word[:-2] + "zz")
    with pytest.raises(BadToken):
        read_link(Settings(secret_key=SecretStr("other" * 9)), word)


def test_without_a_key_nothing_is_believed() -> None:
    with pytest.raises(BadToken):
        sign_in_link(Settings(secret_key=SecretStr("")), COACH.org_id, COACH.user_id)
