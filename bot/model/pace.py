"""Time and chance in the adapter: how long it waits, how often it speaks."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import SystemRandom

from bot.model.faults import Again
from bot.model.settings import ModelSettings


@dataclass(frozen=True, slots=True)
class Pace:
    """What tells and passes the time; all of it can be replaced."""

    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = SystemRandom().random
    between_deltas: float = 0.1


WALL = Pace()


class Waits:
    """The patience of one reply: so many attempts, so many seconds in all."""

    def __init__(self, settings: ModelSettings, pace: Pace) -> None:
        self._left = settings.attempts - 1
        self._seconds = settings.longest_wait
        self._pace = pace
        self._backoff = 0.5

    def wait(self, verdict: Again) -> bool:
        """False where patience has run out. Own waits double, and half of each is chance."""
        own = self._backoff * (0.5 + self._pace.chance() / 2)
        seconds = own if verdict.after is None else verdict.after + own
        if self._left <= 0 or seconds > self._seconds:
            return False
        self._left -= 1
        self._seconds -= seconds
        self._backoff *= 2
        self._pace.sleep(seconds)
        return True


def joined(texts: Iterable[str], pace: Pace) -> Iterator[str]:
    """Pieces that come faster than the pace are put together; nothing is lost or waited for."""
    waiting: list[str] = []
    last = float("-inf")
    for text in texts:
        waiting.append(text)
        if pace.clock() - last >= pace.between_deltas:
            yield "".join(waiting)
            waiting.clear()
            last = pace.clock()
    if waiting:
        yield "".join(waiting)
