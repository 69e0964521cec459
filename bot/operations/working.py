"""A worker process.

A crew of threads on the turns, the steady pulse beside them, and a clean end.
"""

import signal
import threading
from contextlib import suppress

import structlog
from redis.exceptions import RedisError
from rq import Queue, Worker

from app.core.clock import Clock
from bot import worker
from bot.conversation import pulse
from bot.conversation.queue import ASIDES, ERRANDS, HEAVY, SWEEPS, TASKS, TURNS
from bot.model import prices
from bot.operations.crew import Crew
from bot.wiring import Wiring

_log = structlog.get_logger()


class Working:
    """Threads that take turns and a thread that looks for what no job will come for."""

    def __init__(self, wiring: Wiring, threads: int, *, heavy: bool = False) -> None:
        """`heavy`: take the heavy jobs too, where no process of their own does."""
        self._wiring = wiring
        others = [TASKS, HEAVY] if heavy else []
        self._crews = (
            Crew(wiring.redis, [TURNS], threads, self._begin),
            Crew(wiring.redis, [ERRANDS, SWEEPS, *others], max(4, threads // 4), self._begin),
            Crew(wiring.redis, [ASIDES], max(2, threads // 8), self._begin),
        )
        self._ended = threading.Event()
        self._pulse = threading.Thread(target=self._beat, name="pulse", daemon=True)

    def _begin(self) -> None:
        worker.use(self._wiring)

    def start(self) -> None:
        self._wiring.warm()
        if prices.outdated(Clock().now().date()):
            _log.warning("prices_outdated", read_on=str(prices.read_on()))
        for crew in self._crews:
            crew.start()
        self._pulse.start()

    def stop(self, wait_s: float = 10.0) -> bool:
        """Leave each turn at its next event, then end.

        False where something did not end in time.
        """
        self._wiring.parts.draining.set()
        self._ended.set()
        for crew in self._crews:
            crew.stopping.set()
        ended = [crew.stop(wait_s) for crew in self._crews]
        self._pulse.join(wait_s)
        return all(ended)

    def _beat(self) -> None:
        while not self._ended.wait(pulse.EVERY_S):
            self._wiring.pulse.beat()


def work(wiring: Wiring, threads: int) -> None:
    """Work until SIGTERM or SIGINT."""
    stop = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stop.set())
    working = Working(wiring, threads)
    working.start()
    _log.info("worker_started", threads=threads)
    stop.wait()
    _log.info("worker_stopped", clean=working.stop())


def work_heavily(wiring: Wiring) -> None:
    """The forking queue: exports, purges, whatever would hold a turn up.

    RQ's own signals end it.
    """
    worker.use(wiring)
    _ = wiring.registry  # imported before the fork, so that each job needn't
    with suppress(RedisError):
        queues = [Queue(name, connection=wiring.redis) for name in (TASKS, HEAVY)]
        Worker(queues, connection=wiring.redis).work()
