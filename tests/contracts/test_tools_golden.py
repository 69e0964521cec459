"""Every tool as it was approved: a change of the catalogue is seen, file by file."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.catalogue import TOOLS
from tools.kit import schema
from tools.kit.declare import Tool

GOLDEN = Path(__file__).parents[1] / "golden" / "tools"
ROUTERS = sorted({tool.router for tool in TOOLS})


def approved(tool: Tool[Any]) -> dict[str, object]:
    return {
        "route": f"{tool.method} {tool.path}",
        "label": tool.label,
        "effect": tool.effect,
        "ask": tool.ask,
        "role": tool.role,
        "undo": tool.undo,
        "quick": tool.quick,
        "offered": tool.offered,
        **schema.definition(tool),
    }


def written(router: str) -> str:
    tools = [approved(tool) for tool in TOOLS if tool.router == router]
    return json.dumps(tools, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


@pytest.mark.parametrize("router", ROUTERS)
def test_a_router_is_as_approved(router: str, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / f"{router}.json"
    if request.config.getoption("--update", default=False):
        path.write_text(written(router), encoding="utf-8")
    known = path.read_text(encoding="utf-8") if path.exists() else ""
    assert written(router) == known, "see the difference, then: pytest tests/contracts --update"


def test_no_router_was_lost(request: pytest.FixtureRequest) -> None:
    for path in GOLDEN.glob("*.json"):
        if path.stem not in ROUTERS and request.config.getoption("--update", default=False):
            path.unlink()
    assert sorted(path.stem for path in GOLDEN.glob("*.json")) == ROUTERS
