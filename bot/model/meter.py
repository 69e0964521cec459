"""The measures of one call, taken while it is under way."""

from collections.abc import Callable, Iterable, Iterator

import anthropic
import httpx2

from bot.model.faults import status_of
from bot.model.stream import Gathering, Json
from bot.model.usage import CallOutcome, Usage, counts


class Meter:
    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began = clock()
        self._first: float | None = None
        self.outcome: CallOutcome = "cut"
        self.status: int | None = None
        self.request_id = ""

    def timed(self, events: Iterable[Json]) -> Iterator[Json]:
        for event in events:
            self._first = self._first or self._clock()
            yield event

    def failed(self, error: anthropic.APIError) -> None:
        """Refused by a status, never sent, or broken off."""
        if isinstance(error.__cause__, httpx2.ConnectError | httpx2.ConnectTimeout):
            self.outcome = "unsent"
        if isinstance(error, anthropic.APIStatusError):
            self.status = status_of(error)
            self.outcome = "refused" if self.status else "cut"
            self.request_id = self.request_id or error.request_id or ""

    def usage(self, model: str, gathered: Gathering) -> Usage:
        first = None if self._first is None else round((self._first - self._began) * 1000)
        return Usage(
            model=gathered.model or model,
            kind="main",
            outcome=self.outcome,
            stop_reason=gathered.stop_reason,
            cache_miss_reason=gathered.miss,
            status=self.status,
            message_id=gathered.message_id,
            request_id=self.request_id,
            first_byte_ms=first,
            took_ms=round((self._clock() - self._began) * 1000),
            **counts(gathered.usage),
        )
