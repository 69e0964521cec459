"""Cache markers of a request, in the order the prefix is read."""

from collections.abc import Iterator

from bot.playground.model_api.blocks import (
    Block,
    CacheControl,
    Markable,
    TextBlock,
    ToolResult,
)
from bot.playground.model_api.request import Prompt, walk


def marks(prompt: Prompt) -> Iterator[tuple[str, CacheControl]]:
    """Explicit markers with their paths: tools, then system, then messages and what they hold."""
    for number, tool in enumerate(prompt.tools):
        if tool.cache_control:
            yield f"tools.{number}.cache_control", tool.cache_control
    for index, text in enumerate(prompt.system):
        if text.cache_control:
            yield f"system.{index}.cache_control", text.cache_control
    for number, index, block in walk(prompt.messages):
        for within, mark in marks_within(block):
            yield f"messages.{number}.content.{index}{within}.cache_control", mark


def marks_within(block: Block) -> Iterator[tuple[str, CacheControl]]:
    """A block's own marker comes after those of the content it holds."""
    if isinstance(block, ToolResult):
        for at, part in enumerate(block.content):
            if part.cache_control:
                yield f".content.{at}", part.cache_control
    if isinstance(block, Markable) and block.cache_control:
        yield "", block.cache_control


def automatic_place(prompt: Prompt) -> str | None:
    """Where top-level caching puts its marker: the last block that may have one."""
    if prompt.cache_control is None:
        return None
    for number, index, block in reversed(list(walk(prompt.messages))):
        if may_be_marked(block):
            return f"messages.{number}.content.{index}.cache_control"
    return None


def may_be_marked(block: Block) -> bool:
    empty = isinstance(block, TextBlock) and not block.text
    return isinstance(block, Markable) and not empty
