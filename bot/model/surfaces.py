"""What each model takes in a request, where they differ: a dated table, read on 2026-11-30."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Surface:
    forced_choice: bool
    """Whether tool_choice may be `any`."""
    effort: bool
    """Whether it knows how hard to try."""


_CAUTIOUS = Surface(forced_choice=False, effort=False)
"""Of a model we don't know: what none refuses."""
_SURFACES = {
    "claude-sonnet-5-5": Surface(forced_choice=False, effort=True),
    "claude-opus-5-5": Surface(forced_choice=False, effort=True),
    "claude-haiku-5-5": Surface(forced_choice=True, effort=True),
    "claude-sonnet-5": Surface(forced_choice=True, effort=True),
    "claude-opus-5": Surface(forced_choice=True, effort=True),
    "claude-haiku-4-5": Surface(forced_choice=True, effort=False),
}


def surface(model: str) -> Surface:
    """By a model's id, dated or not."""
    return _SURFACES.get(re.sub(r"-\d{8}$", "", model), _CAUTIOUS)
