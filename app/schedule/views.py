"""Class types as other parts see them: values, not rows."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from app.studio.policy import BookingPolicy


@dataclass(frozen=True, slots=True)
class ClassTypeView:
    id: UUID
    version: int
    name: str
    """In the language of the reader."""
    duration_min: int
    capacity: int
    credit_cost: int
    min_participants: int | None
    active: bool
    policy: BookingPolicy
    """The org's policy with what this type says otherwise."""


@dataclass(frozen=True, slots=True)
class SeriesView:
    id: UUID
    weekdays: tuple[int, ...]
    """0 is Sunday."""
    until: date
