"""Calling tools as the assistant does: by name, with JSON, saying yes where it asks."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from app.core.actor import Actor, Via
from app.core.ids import new_token
from tests.studio import Studio
from tools.kit.calls import Call, Decision, Outcome, Question
from tools.kit.cards import AnyCard, Done, for_model
from tools.kit.registry import discover
from tools.kit.runner import Runner
from tools.kit.undo import undo

REGISTRY = discover("tools.catalog")


@dataclass
class Asking:
    studio: Studio
    actor: Actor

    def by(self, actor: Actor) -> "Asking":
        return Asking(self.studio, actor)

    @property
    def runner(self) -> Runner:
        return Runner(self.studio.db, REGISTRY, self.actor.acting(Via.AGENT), "turn")

    def question(self, tool: str, **given: Any) -> Question | None:  # noqa: ANN401 - any JSON
        return self.runner.question(_call(tool, given))

    def outcome(self, tool: str, **given: Any) -> Outcome:  # noqa: ANN401 - any JSON
        """Run it; a yes to whatever it asks."""
        call = _call(tool, given)
        question = self.runner.question(call)
        decision = Decision(approved=True, target=question.target) if question else None
        return self.runner.run(call, decision)

    def decided(self, decision: Decision, tool: str, **given: Any) -> Outcome:  # noqa: ANN401 - JSON
        """Run it with what was decided on it."""
        return self.runner.run(_call(tool, given), decision)

    def card(self, tool: str, **given: Any) -> AnyCard:  # noqa: ANN401 - any JSON
        return self.outcome(tool, **given).card

    def told(self, tool: str, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
        """What the model reads."""
        return for_model(self.card(tool, **given))

    def choose(self, option: int, tool: str, **given: Any) -> Outcome:  # noqa: ANN401 - any JSON
        """Take an option, from 1, of the choice it offers; 0 takes none."""
        question = self.question(tool, **given)
        assert question is not None
        return self.chosen(question, option, tool, **given)

    def chosen(self, asked: Question, option: int, tool: str, **given: Any) -> Outcome:  # noqa: ANN401 - as above
        """The same of a choice that was offered earlier."""
        assert asked.card.kind == "pick"
        chosen = asked.card.options[option - 1] if option else None
        decision = Decision(
            approved=True,
            target=asked.target,
            option=chosen.id if chosen else None,
            patch=chosen.patch if chosen else {},
        )
        return self.runner.run(_call(tool, given), decision)

    def undo(self, outcome: Outcome) -> Outcome:
        assert isinstance(outcome.card, Done)
        assert outcome.card.undo is not None
        call_id: UUID = outcome.card.undo.call_id
        return undo(self.studio.db, REGISTRY, self.actor, call_id, where="toast")


def _call(tool: str, given: dict[str, Any]) -> Call:
    plain = {key: str(one) if isinstance(one, UUID) else one for key, one in given.items()}
    return Call(id=new_token(), name=tool, input=plain)
