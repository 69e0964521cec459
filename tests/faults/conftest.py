"""A whole Spotter over servers of its own, that tests may stop and kill."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli.stage import Stage
from bot.playground.model_api.script import ScriptBrain
from bot.playground.servers import PrivateServers, private_servers
from tests.floor import Gym, floor_stage, open_gym


@pytest.fixture(scope="session")
def own_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateServers]:
    folder: Path = tmp_path_factory.mktemp("servers")
    with private_servers(folder / "own") as servers:
        yield servers


@pytest.fixture(scope="session")
def script() -> ScriptBrain:
    return ScriptBrain()


@pytest.fixture(scope="session")
def busy(own_servers: PrivateServers, script: ScriptBrain) -> Iterator[Stage]:
    """With workers and their pulse."""
    urls = own_servers.database_url, own_servers.redis_url
    with floor_stage(*urls, script, debounce_ms=300) as place:
        yield place


@pytest.fixture
def gym(busy: Stage, own_servers: PrivateServers, script: ScriptBrain) -> Iterator[Gym]:
    yield from opened_gym(busy, script, own_servers.database_url)


@pytest.fixture(scope="session")
def idle(database_url: str, redis_url: str, script: ScriptBrain) -> Iterator[Stage]:
    """Without workers: a test starts those that it kills."""
    with floor_stage(database_url, redis_url, script, working=False, turn_threads=4) as place:
        yield place


@pytest.fixture
def bare_gym(idle: Stage, script: ScriptBrain, database_url: str) -> Iterator[Gym]:
    yield from opened_gym(idle, script, database_url)


def opened_gym(place: Stage, script: ScriptBrain, database_url: str) -> Iterator[Gym]:
    assert place.twilio is not None
    assert place.model is not None
    gym = open_gym(place, script, database_url, working=True)
    yield gym
    place.twilio.service.rules.clear()
    place.model.forget()
    gym.studio.db.close()
