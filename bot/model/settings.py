"""How the model is asked: which one, how much, how patiently."""

from dataclasses import dataclass
from typing import Literal

from app.core.settings import Settings


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

    @classmethod
    def of(cls, settings: Settings) -> "ModelSettings":
        """Of the main model."""
        longest, effort = settings.model_max_tokens, settings.model_effort
        return cls(settings.model_main, max_tokens=longest, effort=effort)
