"""One stage for the module's tests, without workers: what is due is done when a test says so."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlalchemy import update

from app.core.clock import Clock
from bot.cli.stage import Stage
from bot.conversation.models import InboundEvent, InboundState
from bot.playground.model_api.script import ScriptBrain
from tests.floor import Gym, floor_stage, open_gym
from tests.studio import NOW


@pytest.fixture(scope="session")
def script() -> ScriptBrain:
    return ScriptBrain()


@pytest.fixture(scope="session")
def opened(database_url: str, redis_url: str, script: ScriptBrain) -> Iterator[Stage]:
    with floor_stage(database_url, redis_url, script, working=False) as place:
        vars(place.wiring)["sender"] = replace(place.wiring.sender, pace_s=0.0)
        yield place


def forget_earlier(opened: Stage) -> None:
    """Reports on what other tests have sent; nobody has taken them."""
    with opened.wiring.db.platform() as session:
        left = update(InboundEvent).where(InboundEvent.state == InboundState.STORED)
        session.execute(left.values(state=InboundState.IGNORED))


@pytest.fixture
def gym(opened: Stage, script: ScriptBrain, database_url: str) -> Iterator[Gym]:
    assert opened.twilio is not None
    assert opened.model is not None
    clock = opened.wiring.db.clock
    object.__setattr__(clock, "offset", NOW - Clock().now())
    forget_earlier(opened)
    gym = open_gym(opened, script, database_url)
    yield gym
    opened.twilio.service.rules.clear()
    opened.model.forget()
    gym.studio.db.close()
