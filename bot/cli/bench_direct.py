"""What a turn is held against: the official SDK alone, in threads, with the requests of real turns.

    python -m bot.cli.bench_direct     (ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL)

Takes lines {"requests": [...], "threads": n}: each thread sends the requests one after another
and reads their streams. Answers {"first_ms": [...], "whole_ms": [...]}, from before a thread began.
"""

import json
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

import anthropic

from app.core.settings import Settings
from bot.model.client import connect


class Caller(threading.Thread):
    def __init__(self, client: anthropic.Anthropic, requests: Sequence[dict[str, Any]]) -> None:
        super().__init__()
        self._client = client
        self._requests = requests
        self.begun = time.perf_counter()
        self.first: float | None = None
        self.whole = 0.0

    def run(self) -> None:
        for request in self._requests:
            with self._client.messages.create(**request) as stream:
                for event in stream:
                    if self.first is None and _speaks(event):
                        self.first = time.perf_counter() - self.begun
        self.whole = time.perf_counter() - self.begun


def _speaks(event: anthropic.types.RawMessageStreamEvent) -> bool:
    return event.type == "content_block_delta" and event.delta.type == "text_delta"


def call(client: anthropic.Anthropic, order: dict[str, Any]) -> dict[str, list[float]]:
    callers = []
    for _ in range(order["threads"]):
        callers.append(Caller(client, order["requests"]))
        callers[-1].start()
    for caller in callers:
        caller.join()
    return {
        "first_ms": [(caller.first or 0.0) * 1e3 for caller in callers],
        "whole_ms": [caller.whole * 1e3 for caller in callers],
    }


def main() -> None:
    settings = Settings()
    client = connect(settings.anthropic_api_key.get_secret_value(), settings.anthropic_base_url)
    for line in sys.stdin:
        sys.stdout.write(json.dumps(call(client, json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
