"""Events on their way to whoever watches: the table is the truth, the stream is speed."""

from bot.stream.entries import Person
from bot.stream.follow import (
    PATIENCE,
    Beat,
    Item,
    Patience,
    Table,
    Told,
    follow_person,
    follow_turn,
)
from bot.stream.publish import Publisher, forget, publish, publish_person

__all__ = [
    "PATIENCE",
    "Beat",
    "Item",
    "Patience",
    "Person",
    "Publisher",
    "Table",
    "Told",
    "follow_person",
    "follow_turn",
    "forget",
    "publish",
    "publish_person",
]
