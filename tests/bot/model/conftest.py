"""A stand-in for the Messages API, the real SDK pointed at it, and models that use both."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import anthropic
import pytest

from bot.model.adapter import ClaudeModel
from bot.model.client import connect
from bot.model.pace import Pace
from bot.model.prompt import OrgFacts, Prefix, Toolset, prefix
from bot.model.purse import Unbounded
from bot.model.settings import ModelSettings
from bot.model.usage import Usage
from bot.playground.model_api.script import ScriptBrain
from bot.playground.model_api.server import Server, serve
from bot.turn.events import Event
from tests.bot.model.samples import TOOLS

FACTS = OrgFacts(
    gym="Iron Fig", zone="Asia/Jerusalem", caller="Noa Bar", caller_id="u1", role="owner"
)


SETTINGS = ModelSettings(model="claude-sonnet-5-5", max_tokens=2_000)


@dataclass
class Talk:
    """Makes models on one stand-in; keeps what they recorded and how long they would sleep."""

    client: anthropic.Anthropic
    settings: ModelSettings = SETTINGS
    prefix: Prefix = field(default_factory=lambda: prefix(Toolset.of(TOOLS), FACTS))
    used: list[Usage] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)

    def model(self, earlier: Sequence[Sequence[Event]] = (), summary: str = "") -> ClaudeModel:
        pace = Pace(sleep=self.slept.append, chance=lambda: 1.0, between_deltas=0)
        return ClaudeModel(
            self.client,
            self.settings,
            self.prefix,
            earlier=earlier,
            summary=summary,
            purse=Unbounded(self.used.append),
            pace=pace,
        )


@pytest.fixture
def brain() -> ScriptBrain:
    return ScriptBrain()


@pytest.fixture
def server(brain: ScriptBrain) -> Iterator[Server]:
    with serve(brain) as running:
        yield running


@pytest.fixture
def talk(server: Server) -> Iterator[Talk]:
    with connect("test-key", server.url) as client:
        yield Talk(client)


@pytest.fixture
def play(brain: ScriptBrain, talk: Talk) -> Callable[..., Talk]:
    """Load a script, then talk."""

    def load(*steps: object) -> Talk:
        brain.load(list(steps))
        return talk

    return load
