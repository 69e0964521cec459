"""Money in minor units."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Money:
    minor: int
    """Agorot, cents: never a fraction."""
    currency: str = "ILS"
