"""What a request lets the planner do: ask its tools, read what they answered, and nothing else.

A flow is written as if every answer were there already. What is missing stops it and becomes the
next calls; with the answers in the next request it runs again from the start, and gets further.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import IntEnum
from typing import Any

from bot.playground.model_api.answer import Call
from bot.playground.model_api.reading import Turn
from bot.playground.model_api.request import MessagesRequest, Tool
from bot.playground.planner.fold import Language
from bot.playground.planner.results import Result, result_of
from bot.playground.planner.speech import trouble


class Stage(IntEnum):
    """Lookups of several flows go out together, then choices, then changes."""

    READ = 1
    PICK = 2
    WRITE = 3


class Needs(Exception):
    """A flow can't go on before these calls are answered."""

    def __init__(self, stage: Stage, calls: Sequence[Call]) -> None:
        super().__init__(stage.name)
        self.stage = stage
        self.calls = tuple(calls)


class Over(Exception):
    """A flow ends here, with this to say: a key of the phrases and its values."""

    def __init__(self, key: str, **values: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


Asked = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Desk:
    request: MessagesRequest
    turn: Turn
    language: Language
    now: datetime
    """The local clock of the turn's context, without a zone."""

    @property
    def today(self) -> date:
        return self.now.date()

    def offers(self, name: str) -> bool:
        return name in self.request.tool_by_name

    def read(self, name: str, **args: Any) -> Result:  # noqa: ANN401 - arguments are any JSON
        return self.reads((name, args))[0]

    def reads(self, *asked: Asked) -> list[Result]:
        """Independent lookups, asked for in one message. Raises Needs, or Over where one failed."""
        calls = [Call(name, self._args(name, args)) for name, args in asked]
        found = [self._answer(call) for call in calls]
        missing = [call for call, result in zip(calls, found, strict=True) if result is None]
        if missing:
            raise Needs(Stage.READ, missing)
        return [self._good(result) for result in found if result is not None]

    def write(self, name: str, **args: Any) -> Result:  # noqa: ANN401 - arguments are any JSON
        """One change. Raises Needs, or Over with the reason why it isn't so."""
        call = Call(name, self._args(name, args))
        result = self._answer(call)
        if result is None:
            raise Needs(Stage.WRITE, [call])
        return self._good(result)

    def writes(self, name: str, each: Sequence[Mapping[str, Any]]) -> list[Result]:
        """Changes that belong together, decided in one round; some may have been refused."""
        calls = [Call(name, self._args(name, args)) for args in each]
        found = [self._answer(call) for call in calls]
        missing = [call for call, result in zip(calls, found, strict=True) if result is None]
        if missing:
            raise Needs(Stage.WRITE, missing)
        return [result for result in found if result is not None]

    def pick(self, question: str, entity: str, options: Sequence[Mapping[str, str]]) -> str:
        """The id of what the person chose. Raises Needs, or Over where they chose none."""
        name = "read__ask_user_to_pick"
        args = self._args(
            name,
            {
                "question": question,
                "entity_type": entity,
                "options": list(options),
                "allow_none": True,
            },
        )
        result = self._answer(Call(name, args))
        if result is None:
            raise Needs(Stage.PICK, [Call(name, args)])
        picked = self._good(result).picked
        if picked is None:
            raise Over("none_picked")
        return picked

    def properties(self, name: str) -> Mapping[str, Any]:
        """The arguments a tool takes, by name. Raises Over where it isn't offered."""
        tool = self._tool(name)
        found: Mapping[str, Any] = tool.json_schema.get("properties", {})
        return found

    def _tool(self, name: str) -> Tool:
        tool = self.request.tool_by_name.get(name)
        if tool is None:
            raise Over("not_offered", tool=name.replace("__", "."))
        return tool

    def _args(self, name: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Of what is wanted, what the tool takes; 'from|since' stands for either name."""
        taken = self.properties(name)
        return {
            spelled: value
            for names, value in wanted.items()
            if value is not None
            for spelled in [each for each in names.split("|") if each in taken][:1]
        }

    def _answer(self, call: Call) -> Result | None:
        wanted = _spelled(call.input)
        for exchange in self.turn.exchanges:
            settled = exchange.result is not None
            if settled and exchange.name == call.name and _spelled(exchange.call.input) == wanted:
                return result_of(exchange)
        return None

    def _good(self, result: Result) -> Result:
        if result.failed:
            raise Over("went_wrong", reason=trouble(self.language, result))
        return result


def _spelled(args: Mapping[str, Any]) -> str:
    return json.dumps(args, sort_keys=True, default=str)
