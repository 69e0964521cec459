"""Workers as threads: each works for the Spotter that started it, however many a process holds."""

import threading
from functools import partial

from redis import Redis
from rq import Queue

from app.core.settings import Settings
from bot import worker
from bot.operations.crew import Crew
from bot.wiring import Wiring

_seen: dict[str, Wiring] = {}
_done = threading.Semaphore(0)


def note(name: str) -> None:
    _seen[name] = worker.wiring()
    _done.release()


def test_a_job_works_with_the_wiring_of_the_crew_that_took_it(redis_url: str) -> None:
    """A second Spotter in a process once took over the jobs of the first, and then closed."""
    wirings = {name: Wiring(Settings()) for name in ("first", "second")}
    with Redis.from_url(redis_url) as redis:
        crews = [Crew(redis, [name], 1, partial(worker.use, of)) for name, of in wirings.items()]
        for crew in crews:
            crew.start()
        for name in wirings:
            Queue(name, connection=redis).enqueue(note, name)
        heard = [_done.acquire(timeout=10) for _ in wirings]
        assert all(crew.stop() for crew in crews)

    assert all(heard)
    assert _seen == wirings
