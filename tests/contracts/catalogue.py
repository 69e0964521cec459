"""The real catalogue, for tests that are made one a tool."""

from typing import Any

from tools.kit.declare import Tool
from tools.kit.registry import Registry, discover

REGISTRY: Registry = discover("tools.catalog")
TOOLS: list[Tool[Any]] = list(REGISTRY.values())


def name_of(tool: Tool[Any]) -> str:
    return tool.name
