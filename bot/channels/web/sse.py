"""Event streams as text: AG-UI events framed with Redis ids, heartbeats, and how they end."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from ag_ui.core import BaseEvent, CustomEvent
from ag_ui.encoder import EventEncoder
from flask import Response

from bot.channels.web.agui import Fold
from bot.stream import Beat, Item, Told
from bot.turn.events import Asked, Delta, Ended

BEAT = ": beat\n\n"
RECONNECT = "event: reconnect\ndata: {}\n\n"
"""The connection has lived long enough: come back at once, with the last id."""
END = "event: end\ndata: {}\n\n"
"""Nothing more comes until somebody acts: the turn is over, or asks."""
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # or nginx would hold the words back
}
_TRUSTED_S = 1.0
"""So long words in passing go out on one look at who is reading: there are ten a second of them."""
_encoder = EventEncoder()
_One = TypeVar("_One", bound=Item | Told | Beat)


def response(chunks: Iterator[str]) -> Response:
    """A stream that holds nothing of the request: it runs under threads and greenlets alike."""
    return Response(chunks, mimetype="text/event-stream", headers=_HEADERS)


def while_standing(items: Iterator[_One], stands: Callable[[], bool]) -> Iterator[_One]:
    """The items for as long as their reader is who opened the stream, asked before each is passed.

    Somebody let go, or with less of a role, is told to come back, and is met at the door.
    """
    asked_at = float("-inf")
    for item in items:
        passing = isinstance(item, Item) and isinstance(item.event, Delta)
        if not passing or time.monotonic() - asked_at >= _TRUSTED_S:
            if not stands():
                return
            asked_at = time.monotonic()
        yield item


def turn_frames(items: Iterator[Item | Beat], fold: Fold) -> Iterator[str]:
    """A turn for our page. Only a group's last event has the id: a cut group comes again."""
    yield BEAT
    over = False
    for item in items:
        if isinstance(item, Beat):
            yield BEAT
            continue
        over = isinstance(item.event, Asked | Ended)
        events = fold.of(item.event)
        if not item.seen:
            yield from frames(events, str(item.at))
    yield END if over else RECONNECT


def run_frames(items: Iterator[Item | Beat], fold: Fold) -> Iterator[str]:
    """One run for a client of the open protocol: what came before it is folded and not sent."""
    yield _encoder.encode(fold.start())
    for item in items:
        if isinstance(item, Beat):
            yield BEAT
            continue
        events = fold.of(item.event)
        if not item.seen:
            yield from map(_encoder.encode, events)


def person_frames(items: Iterator[Told | Beat]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Beat):
            yield BEAT
        else:
            yield from frames([CustomEvent(name=item.name, value=item.value)], str(item.at))
    yield RECONNECT


def frames(events: Sequence[BaseEvent], at: str) -> Iterator[str]:
    for place, event in enumerate(events, 1):
        last = place == len(events)
        yield (f"id: {at}\n" if last else "") + _encoder.encode(event)
