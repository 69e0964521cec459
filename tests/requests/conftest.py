"""One stage and one gym for all requests of a process; each brings what it needs."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.core.actor import Role
from bot.cli.stage import Stage
from bot.playground.model_api.script import ScriptBrain
from tests.floor import Gym, Phone, floor_stage, open_gym


@pytest.fixture(scope="package")
def script() -> ScriptBrain:
    return ScriptBrain()


@pytest.fixture(scope="package")
def opened(database_url: str, redis_url: str, script: ScriptBrain) -> Iterator[Stage]:
    with floor_stage(database_url, redis_url, script, working=False) as place:
        vars(place.wiring)["sender"] = replace(place.wiring.sender, pace_s=0.0)
        yield place


@pytest.fixture(scope="module")
def gym(opened: Stage, script: ScriptBrain, database_url: str) -> Iterator[Gym]:
    gym = open_gym(opened, script, database_url)
    yield gym
    gym.studio.db.close()


@pytest.fixture(scope="module")
def phones(gym: Gym) -> dict[Role, Phone]:
    return {role: gym.linked(role=role) for role in (Role.COACH, Role.ADMIN, Role.OWNER)}
