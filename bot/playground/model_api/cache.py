"""The prompt cache: what a request reads and writes, and for how long it stays."""

import threading
from dataclasses import dataclass
from typing import Any

from bot.playground.model_api.prefix import Place, Prefix

LOOK_BACK = 20
SECONDS = {"5m": 300.0, "1h": 3600.0}


@dataclass(frozen=True, slots=True)
class Entry:
    """Lives until `ends`, and each read adds its own time to live again."""

    ends: float
    ttl: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What one request reads and writes; token counts are of its whole prefix up to there."""

    started: float
    total: int
    read: int
    read_places: tuple[Place, ...]
    written: tuple[Place, ...]

    def usage(self) -> dict[str, Any]:
        spans = list(zip((self.read, *self._ends()), self._ends(), strict=False))
        by_ttl = {"5m": 0, "1h": 0}
        for place, (start, end) in zip(self.written, spans, strict=True):
            by_ttl[place.ttl or "5m"] += end - start
        created = sum(by_ttl.values())
        return {
            "input_tokens": self.total - self.read - created,
            "cache_creation_input_tokens": created,
            "cache_read_input_tokens": self.read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": by_ttl["5m"],
                "ephemeral_1h_input_tokens": by_ttl["1h"],
            },
            "service_tier": "standard",
        }

    def _ends(self) -> tuple[int, ...]:
        return tuple(place.tokens for place in self.written)


class PromptCache:
    def __init__(self) -> None:
        self._entries: dict[bytes, Entry] = {}
        self._lock = threading.Lock()

    def plan(self, prefix: Prefix, minimum: int, now: float) -> Plan:
        """`now` is the request's start, from which times to live are counted."""
        marked = [place for place in prefix.places if place.ttl and place.tokens >= minimum]
        with self._lock:
            hit = self._longest(prefix, marked, now)
        read = hit.tokens if hit else 0
        return Plan(
            started=now,
            total=prefix.tokens,
            read=read,
            read_places=tuple(place for place in prefix.places if place.tokens <= read),
            written=tuple(place for place in marked if place.tokens > read),
        )

    def keep(self, plan: Plan) -> None:
        """To be called when the response begins: until then nobody else can read the entries."""
        with self._lock:
            for place in plan.read_places:
                found = self._entries.get(place.digest)
                if found:
                    self._store(place.digest, plan.started, found.ttl)
            for place in plan.written:
                self._store(place.digest, plan.started, place.ttl or "5m")
            self._entries = {
                digest: entry
                for digest, entry in self._entries.items()
                if entry.ends > plan.started
            }

    def _store(self, digest: bytes, started: float, ttl: str) -> None:
        self._entries[digest] = Entry(started + SECONDS[ttl], ttl)

    def _longest(self, prefix: Prefix, marked: list[Place], now: float) -> Place | None:
        for mark in reversed(marked):
            within = (
                place
                for place in reversed(prefix.places)
                if place.tokens <= mark.tokens and mark.position - place.position < LOOK_BACK
            )
            for place in within:
                entry = self._entries.get(place.digest)
                if entry and entry.ends > now:
                    return place
        return None
