"""Worker processes that are killed with -9 at random moments and replaced at once."""

import logging
import multiprocessing
import os
import random
import signal
import threading
from multiprocessing.context import ForkServerProcess
from types import TracebackType
from typing import Final, Self

from app.core.settings import Settings
from bot.operations.logs import log_to_stderr
from bot.operations.working import work
from bot.wiring import Wiring

WORKERS: Final = 2
THREADS: Final = 4
MEAN_S: Final = 2.5
"""Between two kills, on average."""


class Victims:
    """So many workers; with a seed they are killed one after another, until the block ends.

    They are forked from a server that has everything imported, so that a new one is there in no
    time.
    """

    def __init__(self, settings: Settings, seed: int | None) -> None:
        self._settings = settings
        self._draw = None if seed is None else random.Random(seed)  # noqa: S311 - chaos, not a secret
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["bot.operations.working", "bot.model.adapter"])
        self._alive: list[ForkServerProcess] = []
        self._ended = threading.Event()
        self._killer = threading.Thread(target=self._kill, name="killer", daemon=True)
        self.kills = 0

    def __enter__(self) -> Self:
        self._alive = [self._one() for _ in range(WORKERS)]
        if self._draw is not None:
            self._killer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        if self._killer.is_alive():
            self._killer.join()
        for one in self._alive:
            one.terminate()
        for one in self._alive:
            one.join(15)

    def _one(self) -> ForkServerProcess:
        process = self._context.Process(target=_work, args=(self._settings,), daemon=True)
        process.start()
        return process

    def _kill(self) -> None:
        draw = self._draw or random.Random()  # noqa: S311 - as above
        while not self._ended.wait(draw.expovariate(1 / MEAN_S)):
            place = draw.randrange(len(self._alive))
            victim = self._alive[place]
            if victim.pid is not None:
                os.kill(victim.pid, signal.SIGKILL)
                victim.join()
                self.kills += 1
            self._alive[place] = self._one()


def _work(settings: Settings) -> None:
    log_to_stderr(logging.ERROR)
    work(Wiring(settings), THREADS)
