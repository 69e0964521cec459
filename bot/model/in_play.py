"""What a conversation has had in hand: ids that later words may mean, taken from its events.

Never from prose: a model that sums up may forget an id, or make one up.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.turn.events import Event, Ran, Said
from tools.kit.cards import Picked, for_model

MOST: Final = 60
LISTED: Final = 10
"""Of each list the first so many, as of an old result that was made short."""
_LABEL = 60
_ID = re.compile(r"[\w-]{1,64}")


@dataclass(frozen=True, slots=True)
class Thing:
    """`kind` is what its id was called, as 'class_session', or the first column of its list."""

    id: str
    kind: str
    label: str


def in_play(turns: Sequence[Sequence[Event]], before: Sequence[Thing] = ()) -> tuple[Thing, ...]:
    """The things of these turns and of `before` them, the last that was spoken of first."""
    found = {thing.id: thing for thing in reversed(before)}
    for turn in turns:
        for thing in (*_listed(turn), *_meant(turn)):
            known = found.pop(thing.id, thing)
            found[thing.id] = thing if thing.label else known
    return tuple(reversed(found.values()))[:MOST]


def _listed(turn: Sequence[Event]) -> Iterator[Thing]:
    """All that results have shown."""
    for event in turn:
        if isinstance(event, Ran):
            yield from _within(for_model(event.card))


def _meant(turn: Sequence[Event]) -> Iterator[Thing]:
    """What was asked about or changed: it outlives what was merely listed beside it."""
    for event in turn:
        match event:
            case Said(calls=calls):
                for call in calls:
                    yield from _within(call.input)
            case Ran(card=Picked() as card):
                yield from _within(for_model(card))
            case Ran(card=card):
                yield from _of(for_model(card))
            case _:
                pass


def _within(value: Any) -> Iterator[Thing]:  # noqa: ANN401 - any JSON
    match value:
        case dict():
            for each in value.values():
                yield from _within(each)
            yield from _of(value)
        case list():
            for each in value[:LISTED]:
                yield from _within(each)
        case _:
            pass


def _of(value: dict[str, Any]) -> Iterator[Thing]:
    """The things that one object names itself."""
    texts = {key: each for key, each in value.items() if isinstance(each, str)}
    named = [(key, one) for key, each in value.items() for one in _ids(key, each)]
    ids = {one for _, one in named}
    label = ", ".join(text for text in texts.values() if text not in ids)[:_LABEL]
    column = next((key for key in value if key != "id"), "")
    for key, one in named:
        kind = column if key == "id" else re.sub(r"_ids?$", "", key)
        yield Thing(one, kind, label if key == "id" or len(named) == 1 else "")


def _ids(key: str, value: Any) -> tuple[str, ...]:  # noqa: ANN401 - any JSON
    match value:
        case str() if (key == "id" or key.endswith("_id")) and _ID.fullmatch(value):
            return (value,)
        case list() if key.endswith("_ids"):
            return tuple(one for one in value if isinstance(one, str) and _ID.fullmatch(one))
        case _:
            return ()
