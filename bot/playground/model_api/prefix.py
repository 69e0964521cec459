"""A request as the cache sees it: one chain of hashed places from the first tool to the last block.

Deferred definitions aren't in it. What changes a section's meaning without being text in it
(speed, output format; then tool choice, thinking, effort, images) is hashed before that section.
"""

import hashlib
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from bot.playground.model_api.blocks import (
    Block,
    ImageBlock,
    ThinkingBlock,
    ToolResult,
    ToolUse,
)
from bot.playground.model_api.canonical import block_text
from bot.playground.model_api.marks import automatic_place, marks_within
from bot.playground.model_api.request import (
    ChoiceNone,
    Prompt,
    ThinkingEnabled,
    walk,
)
from bot.playground.model_api.spelling import dumps
from bot.playground.model_api.surface import Surface
from bot.playground.model_api.tokens import IMAGE_CHARACTERS, THINKING_CHARACTERS, tokens_of


@dataclass(frozen=True, slots=True)
class Place:
    """The end of one block: everything up to it, hashed and counted."""

    digest: bytes
    tokens: int
    position: int
    """Counted for the look-back: a run of calls, or of results, is one position."""
    ttl: str | None


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What two requests are compared by when the cache missed."""

    model: str
    speed: str
    tools: str
    system: str
    parameters: str
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prefix:
    places: tuple[Place, ...]
    fingerprint: Fingerprint

    @property
    def tokens(self) -> int:
        return self.places[-1].tokens if self.places else 0

    @property
    def digest(self) -> bytes:
        return self.places[-1].digest if self.places else b""


def prefix_of(
    prompt: Prompt, surface: Surface, dropped: AbstractSet[tuple[int, int]] = frozenset()
) -> Prefix:
    """`dropped` are places (message, block) of thinking that the model doesn't read."""
    tools = [tool for tool in prompt.tools if not tool.defer_loading]
    speed = prompt.speed or "standard"
    chain = _Chain(surface.model)
    for tool in tools:
        chain.add(tool.text, ttl=_ttl(tool.cache_control))
    chain.seed(speed + _format(prompt))
    for text in prompt.system:
        chain.add(block_text("system", text, {}), ttl=_ttl(text.cache_control))
    parameters = _parameters(prompt, surface)
    chain.seed(parameters)
    messages = _add_messages(chain, prompt, dropped)
    fingerprint = Fingerprint(
        model=surface.model,
        speed=speed,
        tools=_sha(*(tool.text for tool in tools)),
        system=_sha(*(text.text for text in prompt.system)),
        parameters=parameters + _format(prompt),
        messages=messages,
    )
    return Prefix(tuple(chain.places), fingerprint)


def _add_messages(
    chain: "_Chain", prompt: Prompt, dropped: AbstractSet[tuple[int, int]]
) -> tuple[str, ...]:
    automatic = automatic_place(prompt)
    digests = []
    for number, index, block in walk(prompt.messages):
        if (number, index) in dropped:
            continue
        text = block_text(prompt.messages[number].role, block, prompt.tool_by_name)
        ttl = _strongest(block)
        if prompt.cache_control and automatic == f"messages.{number}.content.{index}.cache_control":
            ttl = ttl or prompt.cache_control.ttl
        chain.add(text, ttl=ttl, characters=_counted(block), run=_run(block))
        digests.append(_sha(text))
    return tuple(digests)


def _counted(block: Block) -> float | None:
    """As how many characters it counts, where that isn't how many it has."""
    match block:
        case ThinkingBlock():
            return THINKING_CHARACTERS
        case ImageBlock():
            return IMAGE_CHARACTERS
        case _:
            return None


class _Chain:
    def __init__(self, model: str) -> None:
        self.places: list[Place] = []
        self._hash = hashlib.sha256(model.encode())
        self._characters = 0.0
        self._position = -1
        self._last_run: str | None = None

    def seed(self, text: str) -> None:
        self._hash.update(b"\0" + text.encode())
        self._last_run = None

    def add(
        self,
        text: str,
        *,
        ttl: str | None,
        characters: float | None = None,
        run: str | None = None,
    ) -> None:
        self._hash.update(f"{len(text)}:{text}".encode())
        self._characters += len(text) if characters is None else characters
        if run is None or run != self._last_run:
            self._position += 1
        self._last_run = run
        place = Place(self._hash.digest(), tokens_of(self._characters), self._position, ttl)
        self.places.append(place)


def _run(block: Block) -> str | None:
    return block.type if isinstance(block, ToolUse | ToolResult) else None


def _strongest(block: Block) -> str | None:
    """A marker inside a result counts at the result's end."""
    ttls = [mark.ttl for _, mark in marks_within(block)]
    return max(ttls, key=lambda ttl: ttl == "1h", default=None)


def _ttl(mark: object) -> str | None:
    return getattr(mark, "ttl", None)


def _format(prompt: Prompt) -> str:
    wanted = prompt.output_config.format if prompt.output_config else None
    return dumps(wanted.schema_) if wanted else ""


def _parameters(prompt: Prompt, surface: Surface) -> str:
    """Sending a default spelled out is the same as leaving it away."""
    default = "adaptive" if surface.thinks_by_default else "disabled"
    config = prompt.thinking
    budget = config.budget_tokens if isinstance(config, ThinkingEnabled) else 0
    effort = prompt.output_config.effort if prompt.output_config else None
    images = any(isinstance(block, ImageBlock) for _, _, block in walk(prompt.messages))
    return dumps(
        [
            config.type if config else default,
            budget,
            effort or surface.default_effort,
            *_choice(prompt),
            images,
        ]
    )


def _choice(prompt: Prompt) -> tuple[str, bool, str]:
    choice = prompt.tool_choice
    if choice is None:
        return "auto", False, ""
    if isinstance(choice, ChoiceNone):
        return "none", False, ""
    return choice.type, choice.disable_parallel_tool_use, getattr(choice, "name", "")


def _sha(*texts: str) -> str:
    return hashlib.sha256(dumps(texts).encode()).hexdigest()
