"""A brain that plays recorded exchanges: the same conversation gets the same answer again.

Ids of calls, thinking, cache markers and the model's parameters aren't compared: a recording
holds for every run that says the same and gets the same results.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from bot.playground.model_api.answer import Answer, Call, Other, Piece, Say
from bot.playground.model_api.blocks import Block, ThinkingBlock, ToolResult, ToolUse
from bot.playground.model_api.canonical import block_text
from bot.playground.model_api.errors import invalid
from bot.playground.model_api.request import MessagesRequest, walk
from bot.playground.model_api.spelling import dumps


@dataclass(frozen=True, slots=True)
class Recording:
    """A request's body and the message that came back, both as JSON."""

    request: Mapping[str, Any]
    response: Mapping[str, Any]


class RecordedBrain:
    def __init__(self, recordings: Iterable[Recording]) -> None:
        self._answers: dict[str, Answer] = {}
        for recording in recordings:
            request = MessagesRequest.model_validate(recording.request)
            self._answers[_key(request)] = _answer(recording.response)

    @classmethod
    def from_file(cls, path: Path) -> Self:
        return cls(load(path))

    def answer(self, request: MessagesRequest) -> Answer:
        found = self._answers.get(_key(request))
        if found is None:
            raise invalid("The stand-in has no recording of this conversation.")
        return found


def save(path: Path, recordings: Iterable[Recording]) -> None:
    """One exchange a line."""
    lines = (
        dumps({"request": dict(each.request), "response": dict(each.response)})
        for each in recordings
    )
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def load(path: Path) -> tuple[Recording, ...]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(Recording(**json.loads(line)) for line in lines if line)


def _key(request: MessagesRequest) -> str:
    names: dict[str, str] = {}
    said = (
        block_text(request.messages[number].role, _renamed(block, names), {})
        for number, _, block in walk(request.messages)
        if not isinstance(block, ThinkingBlock)
    )
    return dumps([request.model, request.system_text, *said])


def _renamed(block: Block, names: dict[str, str]) -> Block:
    """Calls are named by their order, for their ids differ from run to run."""
    match block:
        case ToolUse():
            name = names.setdefault(block.id, f"call-{len(names)}")
            return block.model_copy(update={"id": name})
        case ToolResult():
            name = names.get(block.tool_use_id, block.tool_use_id)
            return block.model_copy(update={"tool_use_id": name})
        case _:
            return block


def _answer(response: Mapping[str, Any]) -> Answer:
    blocks = (block for block in response["content"] if block["type"] != "thinking")
    return Answer(tuple(map(_piece, blocks)), response["stop_reason"])


def _piece(block: Mapping[str, Any]) -> Piece:
    match block:
        case {"type": "text", "text": str(text)}:
            return Say(text)
        case {"type": "tool_use", "name": str(name), "input": dict(arguments)}:
            return Call(name, arguments)
        case _:
            return Other(block)
