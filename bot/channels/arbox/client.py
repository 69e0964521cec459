"""The public API of Arbox, version 3: pages, pace, patience, and its ways of saying no.

Its `next_page_url` is never followed: it comes over http and without the question's parameters.
Nothing that is sent or answered is logged, as the key and people's data are in it.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import requests
import structlog
from requests.exceptions import RequestException

from app.arbox.errors import ArboxAway, ArboxRefused, KeyRefused
from app.arbox.port import Raw

LIVE: Final = "https://arboxserver.arboxapp.com/api/public/v3"
AGENT: Final = "Spotter/1"
TIMEOUT_S: Final = (5.0, 60.0)
"""To connect, and to answer: reports take their time."""
TRIES: Final = 5
LONGEST_WAIT_S: Final = 30.0
PAGE: Final = 500
REPORT_PAGE: Final = 200
MOST_PAGES: Final = 400
_TRANSIENT: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_NO_KEY: Final = ("API KEY", "API USER", "UNAUTHORI", "UNAUTHENTICATED")

_log = structlog.get_logger()


@dataclass
class ArboxClient:
    """One key's access; a question at a time. `pause` waits so many seconds."""

    key: str = field(repr=False)
    base_url: str = LIVE
    pace_s: float = 0.5
    """No limit is published; two questions a second are what others get along with."""
    pause: Callable[[float], None] = time.sleep
    _http: requests.Session = field(default_factory=requests.Session, repr=False)
    _free_at: float = 0.0

    def rows(self, path: str, query: Mapping[str, str]) -> Iterator[Raw]:
        """Every record of a list. Raises KeyRefused, ArboxAway, ArboxRefused."""
        size = REPORT_PAGE if path.startswith("/reports/") else PAGE
        limits = {} if path.startswith("/reports/") else {"limit": str(size)}
        for number in range(1, MOST_PAGES + 1):
            body = self._ask(path, {**query, **limits, "page": str(number)})
            found = _records(body)
            yield from found
            if not found or not _goes_on(body, number, len(found), size):
                return

    def _ask(self, path: str, query: Mapping[str, str]) -> dict[str, Any]:
        """One answer that counts, after as many tries as it takes."""
        for attempt in range(TRIES):
            self._keep_pace()
            status, body, wait = self._once(path, query)
            if status not in _TRANSIENT:
                return _checked(path, status, body)
            _log.info("arbox_again", path=path, status=status, attempt=attempt)
            if attempt < TRIES - 1:
                self.pause(_backoff(attempt) if wait is None else min(wait, LONGEST_WAIT_S))
        raise ArboxAway

    def _once(
        self, path: str, query: Mapping[str, str]
    ) -> tuple[int, dict[str, Any], float | None]:
        """Status, body and how long to wait before another try; what never came counts as 503."""
        headers = {"api-key": self.key, "Accept": "application/json", "User-Agent": AGENT}
        url = self.base_url.rstrip("/") + path
        try:
            answer = self._http.get(
                url, params=query, headers=headers, timeout=TIMEOUT_S, allow_redirects=False
            )
            body = answer.json()
        except RequestException:  # also where a wall in front of it answers in HTML
            return 503, {}, None
        said = body.get("statusCode") if isinstance(body, dict) else None
        status = said if isinstance(said, int) and answer.ok else answer.status_code
        wait = _seconds(answer.headers.get("Retry-After"))
        return status, body if isinstance(body, dict) else {"data": body}, wait

    def _keep_pace(self) -> None:
        now = time.monotonic()
        if self._free_at > now:
            self.pause(self._free_at - now)
        self._free_at = max(now, self._free_at) + self.pace_s


def _checked(path: str, status: int, body: dict[str, Any]) -> dict[str, Any]:
    """204 may stand in the body of an answer that is 200: nothing there."""
    if status == requests.codes.no_content:
        return {}
    if status == requests.codes.ok:
        return body
    said = " ".join(str(body.get(name, "")) for name in ("error", "message", "data")).upper()
    if status in {401, 403} or any(word in said for word in _NO_KEY):
        raise KeyRefused
    _log.warning("arbox_refused", path=path, status=status)
    raise ArboxRefused(what=path.rpartition("/")[2])


def _records(body: dict[str, Any]) -> list[Raw]:
    data = body.get("data")
    if isinstance(data, dict):
        nested = next((one for one in data.values() if isinstance(one, list)), None)
        data = [data] if nested is None else nested
    return [one for one in data or [] if isinstance(one, dict)]


def _goes_on(body: dict[str, Any], number: int, found: int, size: int) -> bool:
    extra = body.get("extra")
    pagination = extra.get("pagination") if isinstance(extra, dict) else None
    if not isinstance(pagination, dict):
        return found >= size
    total = pagination.get("total_pages")
    if isinstance(total, int):
        return number < total
    return bool(pagination.get("next_page_url"))


def _seconds(said: str | None) -> float | None:
    return float(said) if said and said.isascii() and said.isdigit() else None


def _backoff(attempt: int) -> float:
    """Half a second, then twice that, and so on; no two wait equally long."""
    return min(LONGEST_WAIT_S, float(2**attempt) / 2) * random.uniform(0.75, 1.25)  # noqa: S311 - jitter
