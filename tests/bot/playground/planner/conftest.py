"""A person who writes to the planner through the whole way: engine, SDK, HTTP, stand-in."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.model.adapter import ClaudeModel
from bot.model.client import connect
from bot.model.prompt import OrgFacts, Toolset, prefix
from bot.model.purse import Unbounded
from bot.model.settings import ModelSettings
from bot.playground.model_api.server import Server, serve
from bot.playground.planner.brain import Planner
from bot.turn.advance import advance
from bot.turn.events import Answered, Asked, Delta, Ended, Event, Heard, Restart, Said
from tests.bot.playground.planner.gym import Gym, definitions
from tools.kit.calls import CallRunner, Decision

NOW = "now: Monday 2026-11-30 10:00 Asia/Jerusalem"
FACTS = OrgFacts(gym="Fig", zone="Asia/Jerusalem", caller="Noa", caller_id="u1", role="owner")


@dataclass
class Person:
    """Writes sentences; answers questions with what `answers` holds, else with yes or the first."""

    url: str
    runner: CallRunner
    tools: list[dict[str, Any]] = field(default_factory=definitions)
    turns: list[list[Event]] = field(default_factory=list)
    answers: list[int | bool] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    def writes(self, text: str, beside: str = NOW) -> str:
        """The last words of the turn; raises AssertionError where it doesn't end well."""
        turn: list[Event] = [Heard(text=text, beside=beside)]
        with connect("key", self.url) as client:
            settings = ModelSettings(model="claude-sonnet-5-5")
            model = ClaudeModel(
                client,
                settings,
                prefix(Toolset.of(self.tools), FACTS),
                earlier=self.turns,
                purse=Unbounded(),
            )
            while not isinstance(turn[-1], Ended):
                if isinstance(turn[-1], Asked):
                    turn.append(self._answer(turn[-1]))
                steps = advance(turn, model=model, runner=self.runner, watch=lambda: None)
                turn += [step for step in steps if not isinstance(step, Delta | Restart)]
        self.turns.append(turn)
        assert turn[-1] == Ended(reason="done")
        return next(event.text for event in reversed(turn) if isinstance(event, Said))

    def _answer(self, asked: Asked) -> Answered:
        self.asked.append(asked)
        decisions = {
            call: self._decision(asked, target)
            for call, target in zip(asked.call_ids, asked.targets, strict=True)
        }
        return Answered(question_id=asked.question_id, outcome="decided", decisions=decisions)

    def _decision(self, asked: Asked, target: str) -> Decision:
        answer = self.answers.pop(0) if self.answers else 1
        if asked.card.kind == "pick":
            if not answer:
                return Decision(approved=True, target=target)
            chosen = asked.card.options[int(answer) - 1]
            return Decision(approved=True, option=chosen.id, patch=chosen.patch, target=target)
        return Decision(approved=bool(answer), target=target)

    @property
    def gym(self) -> Gym:
        assert isinstance(self.runner, Gym)
        return self.runner

    @property
    def changes(self) -> list[str]:
        """Tools that changed something, in order."""
        writes = ("create", "cancel", "reschedule", "update", "book_member", "move")
        return [call.name for call in self.gym.calls if call.name.split("__")[1].startswith(writes)]


@pytest.fixture(scope="session")
def planner() -> Iterator[Server]:
    with serve(Planner()) as server:
        yield server


@pytest.fixture
def person(planner: Server) -> Callable[[CallRunner], Person]:
    return lambda runner: Person(planner.url, runner)
