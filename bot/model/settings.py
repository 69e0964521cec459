"""How the model is asked: which one, how much, how patiently."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ModelSettings:
    model: str
    max_tokens: int = 8_000
    effort: Literal["low", "medium", "high"] | None = "low"
    attempts: int = 4
    longest_wait: float = 20.0
    """Seconds of waiting in one reply, all retries together; a longer retry-after ends it."""
    pauses: int = 3
    """How often a paused message is gone on with."""
