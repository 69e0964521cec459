"""Signed thinking: each block is bound to its model, to what stood before it, and to the last one.

Bound are the loaded tools, system and every block but thinking; definitions of deferred tools
count from the reference that brought them in, and until then only must not change or disappear.
Cache markers don't count. Older thinking may be left out from the start on, or all of it, but a
block signed after another one must follow that one or nothing.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import dataclass

from bot.playground.model_api.blocks import (
    Block,
    RedactedThinkingBlock,
    ThinkingBlock,
)
from bot.playground.model_api.canonical import block_text
from bot.playground.model_api.errors import Refused, invalid
from bot.playground.model_api.request import Prompt, Tool, walk
from bot.playground.model_api.spelling import dumps
from bot.playground.model_api.surface import Surface

_KEY = b"the stand-in signs for nobody but itself"
_WIDTH = 6
_BOUND_ELSEWHERE = (
    "Invalid `signature` in `thinking` block. The block is bound to a different conversation."
    " Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to"
    ' "drop_block". That setting needs the beta header `thinking-binding-controls-2026-08-01`.'
)
_MODIFIED = (
    "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified."
    " These blocks must remain as they were in the original response."
)


@dataclass(frozen=True, slots=True)
class Seal:
    """What a signature says. Digests are shortened, for a signature travels in every request."""

    model: str
    before: str
    thought: str
    previous: str
    deferred: tuple[str, ...]

    @property
    def mark(self) -> str:
        """How a later block names this one."""
        return _short(dumps([self.model, self.before, self.thought, self.previous]))

    def signed(self) -> str:
        body = dumps([self.model, self.before, self.thought, self.previous, "".join(self.deferred)])
        return base64.b64encode(f"{_mac(body)}{body}".encode()).decode()


@dataclass(frozen=True, slots=True)
class Bond:
    """A request followed to its end: which thinking counts, and what the next seal binds to."""

    model: str
    dropped: frozenset[tuple[int, int]]
    """Places (message, block) of another model's thinking, which is ignored."""
    before: str
    previous: str
    deferred: tuple[str, ...]

    def seal(self, thought: str) -> str:
        """The signature of a thinking block that follows this request."""
        return Seal(self.model, self.before, _short(thought), self.previous, self.deferred).signed()


def follow(prompt: Prompt, surface: Surface) -> Bond:
    """Raises Refused where a thinking block doesn't belong where it stands."""
    trail = _Trail(prompt, surface)
    for number, index, block in walk(prompt.messages):
        trail.step(number, index, block)
    return Bond(
        model=surface.model,
        dropped=frozenset(trail.dropped),
        before=trail.before,
        previous=trail.previous,
        deferred=tuple(sorted(trail.deferred)),
    )


class _Trail:
    """Goes over a request once, hashing as it goes."""

    def __init__(self, prompt: Prompt, surface: Surface) -> None:
        self._surface = surface
        self._tools = prompt.tool_by_name
        self._hash = hashlib.sha256()
        self._latest = max(
            (n for n, said in enumerate(prompt.messages) if said.role == "assistant"), default=-1
        )
        self.deferred = {_digest(tool) for tool in prompt.client_tools if tool.defer_loading}
        self.dropped: list[tuple[int, int]] = []
        self.previous = ""
        for tool in prompt.tools:
            if not tool.defer_loading:
                self._take(tool.text)
        for text in prompt.system:
            self._take(block_text("system", text, {}))
        self._roles = [message.role for message in prompt.messages]

    @property
    def before(self) -> str:
        return self._hash.hexdigest()[:24]

    def step(self, number: int, index: int, block: Block) -> None:
        place = f"messages.{number}.content.{index}"
        match block:
            case ThinkingBlock():
                self._thinking(number, index, block)
            case RedactedThinkingBlock():
                raise invalid(f"{place}: Invalid `data` in `redacted_thinking` block")
            case _:
                self._take(block_text(self._roles[number], block, self._tools))

    def _thinking(self, number: int, index: int, block: ThinkingBlock) -> None:
        place = f"messages.{number}.content.{index}"
        seal = read(block.signature)
        if seal is None:
            raise invalid(f"{place}: Invalid `signature` in `thinking` block")
        if seal.model != self._surface.model:
            self.dropped.append((number, index))
            return
        if seal.thought != _short(block.thinking):
            raise self._changed(number, place)
        if self._surface.binds_thinking and not self._belongs(seal):
            raise invalid(f"{place}: {_BOUND_ELSEWHERE}")
        self.previous = seal.mark

    def _changed(self, number: int, place: str) -> Refused:
        plain = "Invalid `signature` in `thinking` block"
        return invalid(f"{place}: {_MODIFIED if number == self._latest else plain}")

    def _belongs(self, seal: Seal) -> bool:
        follows = self.previous in {"", seal.previous}
        known = set(seal.deferred) <= self.deferred
        return follows and known and seal.before == self.before

    def _take(self, text: str) -> None:
        self._hash.update(f"{len(text)}:{text}".encode())


def read(signature: str) -> Seal | None:
    """None where the stand-in didn't sign it."""
    try:
        text = base64.b64decode(signature, validate=True).decode()
        given, body = text[:32], text[32:]
        if not hmac.compare_digest(given, _mac(body)):
            return None
        model, before, thought, previous, deferred = json.loads(body)
    except ValueError:
        return None
    return Seal(model, before, thought, previous, tuple(_cut(deferred)))


def _digest(tool: Tool) -> str:
    return hashlib.sha256(tool.text.encode()).hexdigest()[:_WIDTH]


def _cut(joined: str) -> Iterator[str]:
    return (joined[at : at + _WIDTH] for at in range(0, len(joined), _WIDTH))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _mac(body: str) -> str:
    return hmac.new(_KEY, body.encode(), hashlib.sha256).hexdigest()[:32]
