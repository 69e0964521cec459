"""Things to do later, in their own threads, until the stand-in is closed."""

import heapq
import itertools
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Condition, Thread

Call = Callable[[], None]
_WORKERS = 32


class Schedule:
    """One thread watches the clock; the calls run on a pool, so that a slow one delays no other."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, Call]] = []
        self._order = itertools.count()
        self._changed = Condition()
        self._closed = False
        self._pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="twilio-callback")
        self._watch = Thread(target=self._run, name="twilio-schedule", daemon=True)
        self._watch.start()

    def after(self, seconds: float, call: Call) -> None:
        with self._changed:
            if not self._closed:
                at = time.monotonic() + seconds
                heapq.heappush(self._due, (at, next(self._order), call))
                self._changed.notify_all()  # one alone might be a thread that pauses

    def pause(self, seconds: float) -> None:
        """Sleep, but not beyond the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed, seconds)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._due.clear()
            self._changed.notify_all()
        self._watch.join()
        self._pool.shutdown(cancel_futures=True)

    def _run(self) -> None:
        while (call := self._next()) is not None:
            self._pool.submit(call)

    def _next(self) -> Call | None:
        with self._changed:
            while not self._closed:
                wait = self._due[0][0] - time.monotonic() if self._due else None
                if wait is not None and wait <= 0:
                    return heapq.heappop(self._due)[2]
                self._changed.wait(wait)
        return None
