"""Ways to send what a conversation needs: each a line of the table that is compared."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.model.prompt import Ttl

MAIN: Final = "claude-sonnet-5-5"
SMALL: Final = "claude-haiku-5-5"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    name: str
    what: str
    all_loaded: bool = False
    """Every definition of the role in full, none found: as the papers have it."""
    lanes: bool = False
    """The quick route and the reading lane, on the small model."""
    ttl: Ttl = "5m"
    ping: timedelta | None = None
    """In opening hours the shared prefix is read so often, for no answer."""


PAPERS: Final = Policy(
    name="papers", what="all tools in full, main model alone, 5 minutes", all_loaded=True
)
POLICIES: Final = (
    PAPERS,
    Policy(name="papers-lanes", what="the same with the small model", all_loaded=True, lanes=True),
    Policy(name="found", what="core tools, the others found; main model alone, 5 minutes"),
    Policy(name="found-1h", what="the same for an hour", ttl="1h"),
    Policy(
        name="found-1h-ping",
        what="an hour, read every 55 minutes while the gym is open",
        ttl="1h",
        ping=timedelta(minutes=55),
    ),
    Policy(name="lanes", what="core tools, quick route and reading lane, 5 minutes", lanes=True),
    Policy(name="lanes-1h", what="the same for an hour", lanes=True, ttl="1h"),
    Policy(
        name="lanes-1h-ping",
        what="an hour, read every 55 minutes while the gym is open",
        lanes=True,
        ttl="1h",
        ping=timedelta(minutes=55),
    ),
)
BY_NAME: Final = {policy.name: policy for policy in POLICIES}
