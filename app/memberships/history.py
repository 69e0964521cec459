"""How a membership's state is written down beside a change of it, and read again. Pure."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from app.memberships.terms import MembershipStatus

WATCHED: Final = (
    "status",
    "plan_id",
    "price_minor",
    "discount_minor",
    "frozen",
    "end_date",
    "cancel_effective_on",
)
"""A change of any of these is kept; each is a column of the history."""
BESIDE: Final = ("billing_day", "next_billing_date")
"""Kept of the state before, so that it can be had back as a whole."""
_DATES = ("end_date", "cancel_effective_on", "next_billing_date")


def written(state: Mapping[str, Any]) -> dict[str, Any]:
    """A state as JSON."""
    return {name: _plain(value) for name, value in state.items()}


def parsed(kept: Mapping[str, Any]) -> dict[str, Any]:
    """The same as values of the columns."""
    return {name: _value(name, value) for name, value in kept.items()}


def _plain(value: Any) -> Any:  # noqa: ANN401 - any column's
    match value:
        case StrEnum():
            return value.value
        case UUID():
            return str(value)
        case date():
            return value.isoformat()
        case _:
            return value


def _value(name: str, kept: Any) -> Any:  # noqa: ANN401 - any column's
    if kept is None:
        return None
    if name == "status":
        return MembershipStatus(kept)
    if name == "plan_id":
        return UUID(kept)
    return date.fromisoformat(kept) if name in _DATES else kept
