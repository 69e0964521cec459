"""Reading the streams: from any point on, caught up from the table wherever Redis has a hole."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol
from uuid import UUID

import structlog
from redis import Redis
from redis.exceptions import RedisError

from bot.stream.entries import Person, Position, Raw, person_key, turn_key
from bot.turn.events import Asked, Delta, Ended, Event, Restart, event_json

HEARTBEAT_S = 15.0
LOOK_S = 3.0
"""How long a silent stream is believed before the table is asked."""
LIFETIME_S = 600.0
"""After this a connection ends and the page comes back: deploys and balancers want that."""

_log = structlog.get_logger()


class Table(Protocol):
    """The stored events of one turn, read in a session that ends with the call."""

    def __call__(self, first: int) -> Sequence[Event]:
        """The events from this seq on, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Item:
    """One event and where it lies. `seen`: had before, here to rebuild the picture."""

    at: Position
    seq: int
    """Of the stored event; for words in passing, of the stored event that will follow."""
    event: Event
    seen: bool = False

    @property
    def stored(self) -> bool:
        return not isinstance(self.event, Delta | Restart)


@dataclass(frozen=True, slots=True)
class Told:
    """What all pages of a person are told, as `card_settled`, `task_progress`, `turn_ended`."""

    at: Position
    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class Beat:
    """Nothing happened; say so, so that nobody takes the line for dead."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for what, in seconds."""

    heartbeat: float = HEARTBEAT_S
    look: float = LOOK_S
    lifetime: float = LIFETIME_S


PATIENCE = Patience()


def follow_turn(
    redis: Redis, turn_id: UUID, after: str | None, table: Table, patience: Patience = PATIENCE
) -> Iterator[Item | Beat]:
    """A turn's events from its beginning, in order and each once, until it ends or asks.

    Or for ten minutes. What lies before `after` (the last id a page had) comes marked as seen.
    An id that is no longer there makes all of it new: the page draws the turn again.
    """
    reader = _Reader(redis, turn_key(turn_id), table)
    yield from reader.begin(Position.read(after))
    deadline, quiet = time.monotonic() + patience.lifetime, time.monotonic()
    while not reader.over and time.monotonic() < deadline:
        came = list(reader.more(patience.look))
        yield from came
        if came:
            quiet = time.monotonic()
        elif time.monotonic() - quiet >= patience.heartbeat:
            yield Beat()
            quiet = time.monotonic()


def follow_person(
    redis: Redis, person: Person, after: str | None, patience: Patience = PATIENCE
) -> Iterator[Told | Beat]:
    """What happens to a person, from `after` or from now on, for ten minutes.

    There is no table behind it: a page that comes back asks for what is open.
    """
    key = person_key(person)
    position = Position.read(after) if after else _last(redis, key)
    deadline, quiet = time.monotonic() + patience.lifetime, time.monotonic()
    yield Beat()
    while time.monotonic() < deadline:
        raw = _read(redis, key, str(position), patience.look)
        for entry, fields in raw:
            position = Position.read(entry)
            yield Told(position, fields[b"name"].decode(), json.loads(fields[b"value"]))
        if raw:
            quiet = time.monotonic()
        elif time.monotonic() - quiet >= patience.heartbeat:
            yield Beat()
            quiet = time.monotonic()


def _last(redis: Redis, key: str) -> Position:
    last = _guarded(lambda: redis.xrevrange(key, count=1))
    return Position.read(last[0][0]) if last else Position()


class _Reader:
    """Walks one stream; `_next` is the seq of the stored event that is due."""

    def __init__(self, redis: Redis, key: str, table: Table) -> None:
        self._redis = redis
        self._key = key
        self._table = table
        self._next = 0
        self._position = Position()
        self.over = False

    def begin(self, after: Position) -> Iterator[Item]:
        """All there is so far."""
        raw = _guarded(lambda: self._redis.xrange(self._key)) or []
        seen = _Seen.of(after, raw)
        items = [*self._items(raw), *self._missing()]
        yield from _joined(replace(item, seen=seen.has(item)) for item in items)

    def more(self, wait: float) -> Iterator[Item]:
        """What comes within so many seconds; when nothing does, the table is asked."""
        raw = _read(self._redis, self._key, str(self._position), wait)
        yield from _joined(self._items(raw))
        if not raw:
            yield from self._missing()

    def _items(self, raw: Sequence[Raw]) -> Iterator[Item]:
        for entry, fields in raw:
            self._position = Position.read(entry)
            seq, event = int(fields[b"seq"]), event_json.validate_json(fields[b"event"])
            if seq > self._next:
                yield from self._missing(seq)
            if seq == self._next:
                yield self._due(Item(self._position, seq, event))

    def _missing(self, before: int | None = None) -> Iterator[Item]:
        """What the stream has not told: all of it, or no more than leads up to its next entry."""
        count = None if before is None else before - self._next
        for event in self._table(self._next)[:count]:
            yield self._due(Item(Position.stored(self._next), self._next, event))

    def _due(self, item: Item) -> Item:
        if item.stored:
            self._next += 1
            self.over = isinstance(item.event, Asked | Ended)
        return item


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a page had that last saw `after`: so many stored events, the words up to there."""

    after: Position
    stored: int

    @classmethod
    def of(cls, after: Position, raw: Sequence[Raw]) -> "_Seen":
        if after.ms == 0:
            return cls(after, after.n)
        upto = [fields for entry, fields in raw if Position.read(entry) <= after]
        if not any(Position.read(entry) == after for entry, _ in raw):
            return cls(Position(), 0)
        return cls(after, max(_count(fields) for fields in upto))

    def has(self, item: Item) -> bool:
        return item.seq < self.stored or (not item.stored and item.at <= self.after)


def _count(fields: dict[bytes, bytes]) -> int:
    """How many stored events a page has that saw this entry."""
    passing = json.loads(fields[b"event"])["type"] in {"delta", "restart"}
    return int(fields[b"seq"]) + (0 if passing else 1)


def _joined(items: Iterable[Item]) -> Iterator[Item]:
    """Words that wait together go out together."""
    held: Item | None = None
    for item in items:
        if held is not None and _joins(held, item):
            held = replace(item, event=Delta(text=_text(held) + _text(item)))
            continue
        if held is not None:
            yield held
        held = item
    if held is not None:
        yield held


def _joins(left: Item, right: Item) -> bool:
    both = isinstance(left.event, Delta) and isinstance(right.event, Delta)
    return both and left.seen == right.seen and left.seq == right.seq


def _text(item: Item) -> str:
    return item.event.text if isinstance(item.event, Delta) else ""


def _read(redis: Redis, key: str, position: str, wait: float) -> list[Raw]:
    reply = _guarded(
        lambda: redis.xread({key: position}, block=max(1, int(wait * 1000)), count=1000)
    )
    if reply is None:
        time.sleep(min(wait, 1.0))  # Redis is away: don't hammer it, the table goes on serving
        return []
    return _entries(reply)


def _entries(reply: Any) -> list[Raw]:  # noqa: ANN401 - two shapes, by the protocol version of the connection
    if not reply:
        return []
    if isinstance(reply, dict):
        return [entry for batch in next(iter(reply.values())) for entry in batch]
    return list(reply[0][1])


def _guarded(ask: Callable[[], Any]) -> Any:  # noqa: ANN401 - the client's replies are untyped
    """The reply, or None while Redis is away."""
    try:
        return ask()
    except RedisError as error:
        _log.warning("stream_unreadable", error=type(error).__name__)
        return None
