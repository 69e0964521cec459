"""The stand-in's HTTP face: one key, pages, a pace, ranges of at most 31 days, and faults on ask.

It imitates what clients of the real one have seen; what nobody knows (its rate limit, say) is a
knob.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final

from flask import Flask, Response, jsonify, request
from werkzeug.serving import make_server

from app.core.clock import Clock
from bot.playground.arbox_api.gym import DAY_OF, ArboxGym, Row, small_gym

PREFIX: Final = "/api/public/v3"
DEMO_KEY: Final = "arbox-demo-key-4711"
REPORT_PAGE, PAGE, LONGEST_DAYS = 200, 500, 31


@dataclass
class Habits:
    """How it behaves; `per_second` None: it never minds."""

    per_second: int | None = None
    retry_after: int | None = None
    faults: deque[int] = field(default_factory=deque)
    """Statuses that the next questions get instead of an answer; 0 is a page of HTML."""


@dataclass
class Arbox:
    """The stand-in's state: the gyms by key, what it was asked, and when."""

    gyms: dict[str, ArboxGym] = field(default_factory=dict)
    habits: Habits = field(default_factory=Habits)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    _times: deque[float] = field(default_factory=deque)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, gym: ArboxGym) -> None:
        self.gyms[gym.key] = gym

    def hurried(self) -> bool:
        """Whether this question comes too soon after the ones before."""
        with self._lock:
            now = time.monotonic()
            while self._times and now - self._times[0] > 1:
                self._times.popleft()
            limit = self.habits.per_second
            if limit is not None and len(self._times) >= limit:
                return True
            self._times.append(now)
            return False


def demo(offset_s: float = 0.0) -> Arbox:
    """One gym of a few clients, behind a key that is no secret; on the day that the demo is on."""
    arbox = Arbox()
    today = Clock(timedelta(seconds=offset_s)).now().date()
    arbox.add(small_gym(today, key=DEMO_KEY))
    return arbox


def create_app(arbox: Arbox) -> Flask:
    app = Flask("arbox_stand_in", static_folder=None)

    @app.get(f"{PREFIX}/<path:path>")
    def answer(path: str) -> Response:
        query = {name: request.args[name] for name in request.args}
        arbox.asked.append((path, query))
        return _answer(arbox, path, query)

    return app


def _answer(arbox: Arbox, path: str, query: dict[str, str]) -> Response:
    if arbox.habits.faults:
        return _fault(arbox.habits.faults.popleft(), arbox.habits)
    if arbox.hurried():
        return _fault(429, arbox.habits)
    gym = arbox.gyms.get(request.headers.get("api-key", ""))
    if gym is None:
        return _said(401, "INVALID API KEY")
    name = path.rpartition("/")[2]
    if path.startswith("reports/") and not name.endswith("Report"):
        return _said(400, "INVALID FORM REQUEST")
    try:
        rows = narrowed(gym.of("leads/" + name if path.startswith("leads/") else name), name, query)
    except ValueError:
        return _said(400, "INVALID FORM REQUEST")
    return _page(rows, query, REPORT_PAGE if path.startswith("reports/") else PAGE)


def narrowed(rows: Sequence[Row], name: str, query: dict[str, str]) -> list[Row]:
    """Raises ValueError for a range that it doesn't take."""
    first, last = query.get("fromDate"), query.get("toDate")
    if name.endswith("Report"):
        if first is None or last is None:
            raise ValueError(name)
        span = (date.fromisoformat(last) - date.fromisoformat(first)).days
        if not 0 <= span < LONGEST_DAYS:
            raise ValueError(name)
    day = DAY_OF.get(name)
    found = [row for row in rows if day is None or first <= str(row[day])[:10] <= last]  # type: ignore[operator] # a report has both
    wants_failed = query.get("status") == "FAIL"
    if name == "transactionsReport":
        found = [row for row in found if (row["status"] == "FAIL") is wants_failed]
    branch = query.get("location_id")
    return [row for row in found if branch is None or str(row.get("location_id", branch)) == branch]


def _page(rows: list[Row], query: dict[str, str], most: int) -> Response:
    if not rows:
        return jsonify(statusCode=204, data=[], extra=[])
    size = min(int(query.get("limit", most)), most)
    pages = [rows[start : start + size] for start in range(0, len(rows), size)]
    number = int(query.get("page", "1"))
    here = pages[number - 1] if number <= len(pages) else []
    following = f"http://{request.host}{request.path}?page={number + 1}"
    pagination: dict[str, Any] = {"total_pages": len(pages)}
    pagination["next_page_url"] = following if number < len(pages) else None
    return jsonify(statusCode=200, data=list(here), extra={"pagination": pagination})


def _fault(status: int, habits: Habits) -> Response:
    if status == 0:
        return Response("<html>Checking your browser</html>", 403, mimetype="text/html")
    response = _said(status, "INTERNAL SERVER ERROR")
    if status == 429 and habits.retry_after is not None:  # noqa: PLR2004 - too many requests
        response.headers["Retry-After"] = str(habits.retry_after)
    return response


def _said(status: int, error: str) -> Response:
    response = jsonify(statusCode=status, error=error)
    response.status_code = status
    return response


class ArboxServer:
    """A running stand-in; `url` is what ARBOX_API_URL is set to."""

    def __init__(self, arbox: Arbox, port: int = 0, host: str = "127.0.0.1") -> None:
        self.arbox = arbox
        logging.getLogger("werkzeug").setLevel(logging.WARNING)
        self._http = make_server(host, port, create_app(arbox), threaded=True)
        self.url = f"http://{host}:{self._http.server_port}{PREFIX}"

    def run(self) -> None:
        self._http.serve_forever(poll_interval=0.05)

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


@contextmanager
def serve(arbox: Arbox, port: int = 0) -> Iterator[ArboxServer]:
    """Run a stand-in for the length of a block; port 0 is any free one."""
    server = ArboxServer(arbox, port)
    thread = threading.Thread(target=server.run, name="arbox-api", daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()
