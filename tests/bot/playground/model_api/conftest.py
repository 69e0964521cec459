"""A stand-in with an empty script and the real SDK pointed at it."""

from collections.abc import Iterator

import anthropic
import pytest

from bot.playground.model_api.script import ScriptBrain
from bot.playground.model_api.server import Server, serve


@pytest.fixture
def brain() -> ScriptBrain:
    return ScriptBrain([{"say": "Hello from the stand-in, in several fragments."}])


@pytest.fixture
def server(brain: ScriptBrain) -> Iterator[Server]:
    with serve(brain) as running:
        yield running


@pytest.fixture
def client(server: Server) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(api_key="test-key", base_url=server.url, max_retries=0) as sdk:
        yield sdk
