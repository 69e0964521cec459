"""A client of the wire as a program is one: a bearer token, JSON, and streams read line by line."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import requests

Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Client:
    url: str
    token: str

    def get(self, path: str) -> requests.Response:
        return requests.get(f"{self.url}/api/v1{path}", headers=self._headers(), timeout=10)

    def post(self, path: str, body: object = None) -> requests.Response:
        address = f"{self.url}/api/v1{path}"
        return requests.post(address, json=body or {}, headers=self._headers(), timeout=10)

    def say(self, text: str, **more: object) -> dict[str, Any]:
        answer = self.post("/chat/messages", {"text": text, **more})
        assert answer.status_code == 202, answer.text
        return dict(answer.json())

    def follow(self, turn: str, after: str | None = None) -> list[tuple[str | None, Event]]:
        """(id, event) until the server ends the stream."""
        more = {"Last-Event-ID": after} if after else {}
        url = f"{self.url}/api/v1/chat/turns/{turn}/events"
        answer = requests.get(url, headers=self._headers() | more, stream=True, timeout=20)
        assert answer.status_code == 200, answer.text
        with closing(answer):
            return list(frames(answer))

    def lines(self, path: str) -> Iterator[str]:
        """A stream as it comes, to its end."""
        url = f"{self.url}/api/v1{path}"
        answer = requests.get(url, headers=self._headers(), stream=True, timeout=5)
        assert answer.status_code == 200, answer.text
        with closing(answer):
            yield from filter(None, answer.iter_lines(chunk_size=1, decode_unicode=True))

    def run(self, thread: str, text: str = "", **more: object) -> list[Event]:
        """One run of the open protocol, to the end of its response."""
        said = [{"id": str(uuid4()), "role": "user", "content": text}] if text else []
        body = {"threadId": thread, "runId": str(uuid4()), "messages": said, **more}
        url = f"{self.url}/api/v1/agui"
        answer = requests.post(url, json=body, headers=self._headers(), stream=True, timeout=20)
        assert answer.status_code == 200, answer.text
        with closing(answer):
            return [event for _, event in frames(answer)]

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


def frames(answer: requests.Response) -> Iterator[tuple[str | None, Event]]:
    at: str | None = None
    for line in answer.iter_lines(decode_unicode=True):
        name, _, value = line.partition(": ")
        if line == "event: end":
            return
        if name == "id":
            at = value
        elif name == "data":
            event = json.loads(value)
            if event:
                yield at, event
            at = None


def kinds(events: list[Event]) -> list[str]:
    return [event.get("name") or event["type"] for event in events]


def named(events: list[Event], name: str) -> Event:
    return next(e for e in events if e.get("name") == name or e["type"] == name)
