"""Writing to the streams: never why a turn fails, and at most ten pieces a second."""

import json
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any
from uuid import UUID

import structlog
from redis import Redis
from redis.exceptions import RedisError

from bot.stream import entries
from bot.turn.events import Delta, Event

PIECE_S = 0.1
"""Words that come faster are joined."""
PAUSE_S = 1.0
"""How long Redis is left alone after a failure: a turn must not wait at every word."""

_log = structlog.get_logger()


def publish(redis: Redis, turn_id: UUID, event: Event, seq: int) -> bool:
    """Put an event on its turn's stream; False if Redis is away.

    `seq` is the stored event's own; for one that is not stored, that of the next stored one:
    by it a reader knows what it missed.
    """
    fields = {"seq": seq, "event": event.model_dump_json(exclude_defaults=False)}
    try:
        entries.add(redis, entries.turn_key(turn_id), fields)
    except RedisError as error:
        _log.warning("publish_failed", turn=str(turn_id), error=type(error).__name__)
        return False
    return True


def publish_person(
    redis: Redis, person: entries.Person, name: str, value: Mapping[str, Any]
) -> bool:
    """Tell all pages of a person: a card settled elsewhere, a task's progress, a turn begun."""
    fields = {"name": name, "value": json.dumps(value, ensure_ascii=False, default=str)}
    try:
        entries.add(redis, entries.person_key(person), fields)
    except RedisError as error:
        _log.warning("publish_failed", person=str(person.user_id), error=type(error).__name__)
        return False
    return True


def forget(redis: Redis, turn_ids: Collection[UUID]) -> None:
    """What was told of these turns; if Redis is away it goes within the hour by itself."""
    try:
        redis.delete(*map(entries.turn_key, turn_ids))
    except RedisError as error:
        _log.warning("forget_failed", turns=len(turn_ids), error=type(error).__name__)


class Publisher:
    """One turn's mouth in one worker: joins words, counts events, rests while Redis is away."""

    def __init__(
        self, redis: Redis, turn_id: UUID, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._redis = redis
        self._turn_id = turn_id
        self._clock = clock
        self._next = 0
        self._words: list[str] = []
        self._said_at = float("-inf")
        self._rest_until = float("-inf")

    def publish(self, event: Event, seq: int | None = None) -> None:
        """Stored events with their seq, deltas and restarts without. Never raises for Redis."""
        if isinstance(event, Delta):
            self._words.append(event.text)
            if self._clock() - self._said_at >= PIECE_S:
                self.flush()
            return
        self.flush()
        self._send(event, self._next if seq is None else seq)
        if seq is not None:
            self._next = seq + 1

    def resume(self, stored: int) -> None:
        """How many events are stored already, when this worker takes over."""
        self._next = stored

    def flush(self) -> None:
        if self._words:
            self._send(Delta(text="".join(self._words)), self._next)
            self._words.clear()
            self._said_at = self._clock()

    def _send(self, event: Event, seq: int) -> None:
        if self._clock() < self._rest_until:
            return
        if not publish(self._redis, self._turn_id, event, seq):
            self._rest_until = self._clock() + PAUSE_S
