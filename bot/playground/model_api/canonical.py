"""The bytes that count: what of a request is in the prompt, in one spelling, without its marks."""

from collections.abc import Mapping
from typing import Any

from bot.playground.model_api.blocks import (
    Block,
    CompactionBlock,
    TextBlock,
    ToolReference,
    ToolResult,
)
from bot.playground.model_api.request import Tool
from bot.playground.model_api.spelling import dumps

_MARKS: Any = {"cache_control": True, "content": {"__all__": {"cache_control"}}}


def block_text(role: str, block: Block, tools: Mapping[str, Tool]) -> str:
    """A block's bytes with its role; a tool_reference brings the definition it stands for."""
    if isinstance(block, TextBlock):
        return dumps([role, block.text])
    if isinstance(block, CompactionBlock):
        return dumps([role, block.type, block.content])
    fields = block.model_dump(exclude=_MARKS, exclude_none=True)
    if fields.get("caller") == {"type": "direct"}:
        del fields["caller"]
    return dumps([role, fields, *_loaded(block, tools)])


def _loaded(block: Block, tools: Mapping[str, Tool]) -> list[str]:
    if not isinstance(block, ToolResult):
        return []
    names = (part.tool_name for part in block.content if isinstance(part, ToolReference))
    return [tools[name].text for name in names if name in tools]
