"""Automations as other parts see them: values, not rows."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from app.automations.shapes import Shape
from app.automations.terms import RunStatus
from app.messages.views import LeftOut, Person
from app.studio.terms import Tier


@dataclass(frozen=True, slots=True)
class Match:
    """Somebody for whom it is so, on what occasion, and what is known of that."""

    person_id: UUID
    ref: str
    facts: dict[str, Any] = field(default_factory=dict)
    is_lead: bool = False


@dataclass(frozen=True, slots=True)
class AutomationView:
    id: UUID
    version: int
    name: str
    enabled: bool
    shape: Shape
    required_tier: Tier
    in_tier: bool
    """Whether the gym's plan includes it."""
    off_reason: str | None
    last_run_at: datetime | None = None
    done: int = 0
    """How many people it has reached."""


@dataclass(frozen=True, slots=True)
class RunView:
    id: UUID
    at: datetime
    person: str
    status: RunStatus
    reason: str | None


@dataclass(frozen=True, slots=True)
class Reach:
    """Whom it would reach; `refused` may not be written to, so only the rest is done for them."""

    people: tuple[tuple[Person, Match], ...]
    refused: tuple[LeftOut, ...]
    audience_hash: str
