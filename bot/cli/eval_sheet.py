"""The requests of an evaluation: one a line of a CSV, with what should come of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from app.core.actor import Role
from bot.cli.sheets import UnreadableSheet, rows
from tools.kit.registry import Registry

COLUMNS: Final = ("lang", "role", "page", "clock", "prompt", "expected_tools", "needs_confirmation")
_LANGUAGES: Final = ("en", "he", "ru")


@dataclass(frozen=True, slots=True)
class Request:
    lang: str
    role: Role
    page: str
    clock: datetime
    """Aware: the gym's time of the request."""
    prompt: str
    expected: tuple[str, ...]
    confirms: bool


def read_sheet(path: Path, registry: Registry) -> list[Request]:
    """Raises UnreadableSheet."""
    found = [_request(line, row, registry) for line, row in rows(path, COLUMNS)]
    if not found:
        raise UnreadableSheet("the sheet holds no request")
    return found


def _request(number: int, row: Mapping[str, str], registry: Registry) -> Request:
    told = {key: row[key] for key in COLUMNS}
    expected = tuple(one.strip() for one in told["expected_tools"].split(";") if one.strip())
    clock = _clock(told["clock"])
    wrong = {
        "lang": told["lang"] not in _LANGUAGES,
        "role": told["role"] not in {role.value for role in (Role.COACH, Role.ADMIN, Role.OWNER)},
        "prompt": not told["prompt"],
        "clock": clock is None,
        "expected_tools": not expected or any(name not in registry for name in expected),
        "needs_confirmation": told["needs_confirmation"] not in {"yes", "no"},
    }
    bad = [key for key, is_wrong in wrong.items() if is_wrong]
    if bad or clock is None:
        named = ", ".join(f"{key} {told[key]!r}" for key in bad)
        raise UnreadableSheet(f"line {number}: can't be: {named}")
    return Request(
        lang=told["lang"],
        role=Role(told["role"]),
        page=told["page"],
        clock=clock,
        prompt=told["prompt"],
        expected=expected,
        confirms=told["needs_confirmation"] == "yes",
    )


def _clock(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None
