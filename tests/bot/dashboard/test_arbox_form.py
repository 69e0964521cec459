"""The page for the Arbox key: for whoever has the link, once, and the key goes nowhere else."""

from collections.abc import Iterator
from datetime import date

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import SecretStr
from sqlalchemy import text

from app.arbox import queries
from app.arbox import service as arbox
from app.core.actor import Role
from app.core.settings import Settings
from app.studio.paging import Cut
from bot.operations.serving import create_web
from bot.playground.arbox_api.gym import small_gym
from bot.playground.arbox_api.server import Arbox, serve
from bot.wiring import Wiring
from tests.bot.dashboard.test_pages import word_of
from tests.studio import SECRET, Studio, open_studio

KEY = "the-key-of-this-gym-4711"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    stand_in = Arbox()
    stand_in.add(small_gym(date(2026, 11, 30), key=KEY, people=1))
    with serve(stand_in) as running:
        yield running.url


@pytest.fixture
def web(database_url: str, redis_url: str, url: str) -> Iterator[Flask]:
    settings = Settings(
        database_url=SecretStr(database_url),
        redis_url=SecretStr(redis_url),
        secret_key=SecretStr(SECRET),
        arbox_api_url=url,
        arbox_pace_s=0.0,
    )
    wiring = Wiring(settings)
    yield create_web(wiring)
    wiring.close()


@pytest.fixture
def client(web: Flask) -> FlaskClient:
    return web.test_client()


@pytest.fixture
def gym(database_url: str) -> Iterator[Studio]:
    studio = open_studio(database_url)
    studio.clock.hands[0] = Wiring(Settings()).clock.now()
    yield studio
    studio.db.close()


@pytest.fixture
def path(gym: Studio) -> str:
    with gym.act() as session:
        return f"/connect/arbox/{arbox.begin(session, gym.owner, now=gym.now)}"


def enter(client: FlaskClient, path: str, key: str) -> tuple[int, str]:
    word = word_of(client.get(path).text)
    answer = client.post(path, data={"key": key, "csrf_token": word})
    return answer.status_code, answer.text


def last4(gym: Studio) -> str | None:
    with gym.act() as session:
        return queries.status(session).last4


def test_a_key_that_arbox_takes_is_kept_and_its_end_is_shown(
    client: FlaskClient, path: str, gym: Studio
) -> None:
    page = client.get(path)
    assert 'type="password"' in page.text
    assert page.headers["Referrer-Policy"] == "same-origin"
    status, told = enter(client, path, f"  {KEY}\n")
    assert status == 200
    assert "4711" in told
    assert KEY not in told
    assert last4(gym) == "4711"
    with gym.act() as session:
        assert [row.arbox_name for row in queries.mappings(session, "en", cut=Cut()).rows]
    assert client.get(path).status_code == 410


def test_a_key_that_it_refuses_is_not_kept_and_may_be_tried_again(
    client: FlaskClient, path: str, gym: Studio
) -> None:
    for wrong in ("another-key-0000", "short", "ключ-не-из-латиницы"):
        status, told = enter(client, path, wrong)
        assert status == 422
        assert "refused" in told
        assert wrong not in told
    assert last4(gym) is None
    assert enter(client, path, KEY)[0] == 200


def test_a_form_of_another_page_is_refused(client: FlaskClient, path: str, gym: Studio) -> None:
    client.get(path)
    assert client.post(path, data={"key": KEY}).status_code == 403
    assert last4(gym) is None


@pytest.mark.parametrize("word", ["x", "x.y", "0" * 32 + ".abc", "../../etc"])
def test_what_is_no_link_opens_nothing(client: FlaskClient, word: str) -> None:
    assert client.get(f"/connect/arbox/{word}").status_code in {404, 410}


def test_whoever_is_no_owner_any_more_can_not_enter_it(
    client: FlaskClient, path: str, gym: Studio
) -> None:
    with gym.act() as session:
        session.execute(
            text("UPDATE staff SET role = 'admin' WHERE user_id = :user"),
            {"user": gym.actors[Role.OWNER].user_id},
        )
    assert client.get(path).status_code == 410


def test_nowhere_in_the_database_is_the_key_readable(
    client: FlaskClient, path: str, gym: Studio
) -> None:
    enter(client, path, KEY)
    with gym.db.engine.connect() as connection:
        kept = text("SELECT count(*) FROM arbox_key WHERE org_id = :org")
        assert connection.execute(kept, {"org": gym.org_id}).scalar() == 1, "nothing is hidden"
        tables = connection.execute(
            text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        ).scalars()
        for table in tables:
            found = text(f'SELECT count(*) FROM "{table}" t WHERE t::text LIKE :key')  # noqa: S608 - our own names
            assert connection.execute(found, {"key": f"%{KEY}%"}).scalar() == 0, table
