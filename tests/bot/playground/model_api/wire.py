"""Server-sent events as they came over the wire."""

import json
from typing import Any

import httpx2

from bot.playground.model_api.server import Server
from tests.bot.playground.model_api.bodies import Body

HEADERS = {"authorization": "Bearer k", "anthropic-version": "2026-10-21"}


def post(server: Server, fields: Body) -> httpx2.Response:
    return httpx2.post(f"{server.url}/v1/messages", json=fields, headers=HEADERS, timeout=30)


def events(server: Server, fields: Body) -> list[tuple[str, Any]]:
    """The names of the events with their data, in order."""
    answer = post(server, fields | {"stream": True})
    assert answer.headers["content-type"].startswith("text/event-stream")
    return [_event(block) for block in answer.text.split("\n\n") if block]


def _event(block: str) -> tuple[str, Any]:
    name, data = block.split("\n")
    return name.removeprefix("event: "), json.loads(data.removeprefix("data: "))
