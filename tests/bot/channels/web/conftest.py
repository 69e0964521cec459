"""The wire over real servers, with a scripted model behind it."""

from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from app.core.actor import Actor
from app.core.clock import Clock
from app.core.settings import Settings
from app.web.tokens import issue_token
from bot.wiring import Wiring
from tests.bot.channels.web.client import Client
from tests.browser.stage import Stage, served


@pytest.fixture
def stage(database_url: str, redis_url: str) -> Iterator[Stage]:
    settings = Settings(
        database_url=SecretStr(database_url),
        redis_url=SecretStr(redis_url),
        secret_key=SecretStr("k" * 40),
    )
    stage = Stage(Wiring(settings))
    yield stage.build()
    stage.close()


@pytest.fixture
def address(stage: Stage) -> Iterator[str]:
    with served(stage.app()) as url:
        yield url


@pytest.fixture
def person(stage: Stage) -> Actor:
    return stage.people["en"]


@pytest.fixture
def client(stage: Stage, address: str, person: Actor) -> Client:
    return Client(address, issue_token(stage.wiring.settings, person, now=Clock().now()))
