"""What one call of the model used, as far as it was seen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

MOST: Final = 10**8
"""Tokens of a call: no model takes a tenth as many."""
_TOLD: Final = (
    *("input_tokens", "output_tokens"),
    *("cache_creation_input_tokens", "cache_read_input_tokens"),
)

CallOutcome = Literal["whole", "cut", "closed", "refused", "unsent", "lost"]
"""Read to its end; broken off by a fault; closed by us; answered with an error status; no
connection came about; whoever made it died."""

CallKind = Literal["main", "quick", "quick_words", "read", "title", "summary"]
"""The main model; the small one: which look-up, in what words, reading; beside turns, what a
conversation is called and what was said in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the API counts them: `input` is only what came neither from nor to the cache."""

    model: str
    outcome: CallOutcome
    kind: CallKind = "main"
    input: int = 0
    output: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    cache_read: int = 0
    stop_reason: str | None = None
    cache_miss_reason: str | None = None
    """Anything but None means that our prefix was not what it had been."""
    status: int | None = None
    """The HTTP status of a refusal."""
    message_id: str = ""
    request_id: str = ""
    first_byte_ms: int | None = None
    took_ms: int = 0

    @property
    def prompt(self) -> int:
        """All tokens of the prompt, cached ones too."""
        return self.input + self.cache_write_5m + self.cache_write_1h + self.cache_read


def counts(usage: Mapping[str, Any]) -> dict[str, int]:
    """The API's usage as fields of `Usage`; a write without a time to live counts as 5 minutes.

    Where one of the numbers can't be meant none of them counts: a negative one would pay the cap
    back.
    """
    split = usage.get("cache_creation") or {}
    if not isinstance(split, Mapping):
        return {}
    told = [usage.get(name) or 0 for name in _TOLD]
    lives = [split.get(f"ephemeral_{ttl}_input_tokens") or 0 for ttl in ("5m", "1h")]
    if not all(type(one) is int and 0 <= one <= MOST for one in (*told, *lives)):
        return {}
    fresh, output, written, read = told
    short, hour = lives
    return {
        "input": fresh,
        "output": output,
        "cache_write_1h": hour,
        "cache_write_5m": max(written - hour, short),
        "cache_read": read,
    }
