"""The last look at the messages before they are sent: what the API would refuse, said here."""

from collections.abc import Iterator, Sequence
from typing import Any

Message = dict[str, Any]


def problems(messages: Sequence[Message]) -> list[str]:
    """What is wrong, each with its place; empty where all is well."""
    return [*_shape(messages), *_pairing(messages)]


def _shape(messages: Sequence[Message]) -> Iterator[str]:
    if not messages or messages[0]["role"] != "user":
        yield "the first message isn't the person's"
    if messages and messages[-1]["role"] != "user":
        yield "the last message isn't the person's"
    for at, message in enumerate(messages):
        if at and message["role"] == messages[at - 1]["role"]:
            yield f"messages.{at}: the same role twice"
        if not message["content"]:
            yield f"messages.{at}: empty"
        for number, block in enumerate(message["content"]):
            if block["type"] == "text" and not block["text"].strip():
                yield f"messages.{at}.content.{number}: a text without words"


def _pairing(messages: Sequence[Message]) -> Iterator[str]:
    seen: set[str] = set()
    waiting: list[str] = []
    for at, message in enumerate(messages):
        content = message["content"]
        results = [block["tool_use_id"] for block in content if block["type"] == "tool_result"]
        if sorted(results) != sorted(waiting):
            yield f"messages.{at}: results {results} for calls {waiting}"
        if any(block["type"] != "tool_result" for block in content[: len(results)]):
            yield f"messages.{at}: results don't come first"
        waiting = [block["id"] for block in content if block["type"] == "tool_use"]
        if len({*waiting}) < len(waiting) or seen & {*waiting}:
            yield f"messages.{at}: a call's id comes twice"
        seen.update(waiting)
    if waiting:
        yield f"calls {waiting} have no result"
