"""The worker that is measured: as `spotter worker`, with a line for first words and for ends.

python -m bot.cli.bench_worker THREADS
"""

import json
import logging
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal
from uuid import UUID

import structlog

from app.core.settings import Settings
from bot.conversation.run import Guard, Mind, Parts, Setting
from bot.operations.working import work
from bot.stream.publish import Publisher
from bot.turn.events import Delta, Ended, Event, Restart, Said
from bot.turn.port import Model
from bot.wiring import Wiring
from tools.kit.calls import CallRunner

_turns = threading.Lock()


def note(what: Literal["first", "ended"], turn_id: UUID) -> None:
    """By the clock that all processes of a machine share."""
    now = time.monotonic()
    with _turns:
        sys.stdout.write(json.dumps({"what": what, "turn": str(turn_id), "at": now}) + "\n")
        sys.stdout.flush()


@dataclass
class NotingModel:
    """A Model that notes when its first words come."""

    inner: Model
    turn_id: UUID
    spoke: bool = False

    def reply(self, history: Sequence[Event]) -> Iterator[Delta | Restart | Said | Ended]:
        for event in self.inner.reply(history):
            if isinstance(event, Delta) and not self.spoke:
                self.spoke = True
                note("first", self.turn_id)
            yield event


class NotingPublisher(Publisher):
    """Notes the end of a turn: it is stored then, and told."""

    def publish(self, event: Event, seq: int | None = None) -> None:
        super().publish(event, seq)
        if isinstance(event, Ended):
            note("ended", self._turn_id)


@dataclass(frozen=True)
class NotingWiring(Wiring):
    def mind_for(self, setting: Setting, runner: CallRunner, guard: Guard) -> Mind:
        mind = super().mind_for(setting, runner, guard)
        return replace(mind, model=NotingModel(mind.model, setting.turn.id))

    @cached_property
    def parts(self) -> Parts:
        return replace(
            super().parts, publisher_for=lambda turn: NotingPublisher(self.brisk_redis, turn.id)
        )


if __name__ == "__main__":
    structlog.configure(
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
    )
    work(NotingWiring(Settings()), int(sys.argv[1]))
