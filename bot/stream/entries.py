"""How one event lies in a Redis stream, and how its id is compared."""

from typing import Any, NamedTuple
from uuid import UUID

from redis import Redis

LONGEST = 10_000
"""Entries a stream keeps, about."""
LIFE_S = 3_600
Raw = tuple[bytes, dict[bytes, bytes]]


class Position(NamedTuple):
    """A place in a stream, in order. What comes from the table is at 0-<seq + 1>, before all."""

    ms: int = 0
    n: int = 0

    def __str__(self) -> str:
        return f"{self.ms}-{self.n}"

    @classmethod
    def read(cls, text: str | bytes | None) -> "Position":
        """The start for anything that is no id: a client may send what it likes."""
        ms, _, n = (text.decode() if isinstance(text, bytes) else text or "").partition("-")
        return cls(int(ms), int(n)) if _is_number(ms) and _is_number(n) else cls()

    @classmethod
    def stored(cls, seq: int) -> "Position":
        return cls(0, seq + 1)


class Person(NamedTuple):
    """Somebody in one gym: who works in two must not see the other's events on this page."""

    org_id: UUID
    user_id: UUID


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 20  # noqa: PLR2004 - the digits of 64 bits


def turn_key(turn_id: UUID) -> str:
    return f"turn:{turn_id}"


def person_key(person: Person) -> str:
    return f"person:{person.org_id}:{person.user_id}"


def add(redis: Redis, key: str, fields: dict[Any, Any]) -> None:
    """One round trip: add, trim about, and let the key die an hour after its last event."""
    with redis.pipeline(transaction=False) as pipe:
        pipe.xadd(key, fields, maxlen=LONGEST, approximate=True)
        pipe.expire(key, LIFE_S)
        pipe.execute()
