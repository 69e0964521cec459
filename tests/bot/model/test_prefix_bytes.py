"""What each role's requests begin with: the same bytes until the version says otherwise."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from app.core.actor import Role
from bot.conversation.minds import STATIC, defined
from bot.model.lanes import Lane
from bot.model.prompt import PREFIX_VERSION, Toolset
from tools.kit.registry import discover

KNOWN = Path(__file__).parents[2] / "golden" / "prefix.json"
LANES: tuple[Lane, ...] = ("quick", "read", "act")


def hashes() -> dict[str, str]:
    """A hash of the definitions and the static block, by role and lane."""
    registry = discover("tools.catalog")
    return {
        f"{role.value} {lane}": _hash(Toolset.of(defined(registry, role, lane)), STATIC[lane])
        for role in (Role.COACH, Role.ADMIN, Role.OWNER)
        for lane in LANES
    }


def _hash(tools: Toolset, static: str) -> str:
    return hashlib.sha256(f"{json.dumps(tools.tools)}{static}".encode()).hexdigest()


def test_the_bytes_change_with_the_version_alone() -> None:
    known: dict[str, Any] = (
        json.loads(KNOWN.read_text(encoding="utf-8")) if KNOWN.exists() else {"version": 0}
    )
    hashed = hashes()
    now = {"version": PREFIX_VERSION, "sha256": hashed}
    if known == now:
        return
    if os.environ.get("UPDATE_GOLDEN") and known["version"] < PREFIX_VERSION:
        KNOWN.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        return
    moved = [key for key, one in hashed.items() if known.get("sha256", {}).get(key) != one]
    pytest.fail(
        f"what requests begin with is not what it was ({', '.join(moved)}): "
        "raise PREFIX_VERSION, then run this with UPDATE_GOLDEN=1"
    )
