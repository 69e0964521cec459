"""The language model as the engine sees it: a port belongs to whoever calls it."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from bot.turn.events import Delta, Ended, Event, Restart, Said


class Model(Protocol):
    def reply(self, history: Sequence[Event]) -> Iterator[Delta | Restart | Said | Ended]:
        """Stream one message: some deltas, then the whole of it as the last event.

        `history` is this turn's events; earlier turns are the adapter's own. An `Ended` in
        place of the message says why there is none (over budget, the vendor is away);
        nothing is raised for the vendor's faults. Closing the iterator closes the
        connection.
        """
        ...
