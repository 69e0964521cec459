"""What a running stand-in remembers of a request, and how fast it answers."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds before the first byte and before each delta."""

    first_byte: float = 0.0
    delta: float = 0.002


@dataclass(slots=True)
class Received:
    """A request as it came and what became of it.

    `reply` is the whole message that was to be sent, `complete` says that all of it was.
    """

    path: str
    request_id: str
    headers: Mapping[str, str]
    raw: bytes = b""
    status: int = 0
    reply: Mapping[str, Any] | None = None
    error: str | None = None
    fault: str | None = None
    complete: bool = False

    @property
    def body(self) -> Mapping[str, Any]:
        """The request's fields, none where it was no JSON object. Kept as bytes for their size."""
        try:
            fields = json.loads(self.raw)
        except ValueError:
            return {}
        return fields if isinstance(fields, dict) else {}

    def shown(self) -> dict[str, Any]:
        fields = asdict(self)
        del fields["raw"]
        return {**fields, "body": self.body}
