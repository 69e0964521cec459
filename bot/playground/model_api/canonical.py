"""The bytes that count: what of a request is in the prompt, in one spelling, without its marks."""

import json
from collections.abc import Mapping
from typing import Any

from bot.playground.model_api.blocks import Block, TextBlock, ToolReference, ToolResult
from bot.playground.model_api.request import AnyTool, Tool

_MARKS: Any = {"cache_control": True, "content": {"__all__": {"cache_control"}}}


def tool_text(tool: AnyTool) -> str:
    """A definition's bytes. Key order counts, as it does in the real prefix."""
    return dumps(tool.model_dump(exclude={"cache_control"}, exclude_none=True))


def block_text(role: str, block: Block, tools: Mapping[str, Tool]) -> str:
    """A block's bytes with its role; a tool_reference brings the definition it stands for."""
    if isinstance(block, TextBlock):
        return dumps([role, block.text])
    fields = block.model_dump(exclude=_MARKS, exclude_none=True)
    if fields.get("caller") == {"type": "direct"}:
        del fields["caller"]
    return dumps([role, fields, *_loaded(block, tools)])


def dumps(value: Any) -> str:  # noqa: ANN401 - any JSON
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _loaded(block: Block, tools: Mapping[str, Tool]) -> list[str]:
    if not isinstance(block, ToolResult):
        return []
    names = (part.tool_name for part in block.content if isinstance(part, ToolReference))
    return [tool_text(tools[name]) for name in names if name in tools]
