"""The dashboard's chat as a page drives it: words in, events out, over real HTTP."""

import json
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any
from uuid import UUID

import requests

from app.core.actor import Actor
from app.core.clock import Clock
from app.web.tokens import issue_token
from tests.floor import Gym


@dataclass
class Page:
    gym: Gym
    actor: Actor
    conversation_id: str | None = None

    def says(self, text: str) -> dict[str, Any]:
        body: dict[str, Any] = {"text": text}
        if self.conversation_id is not None:
            body["conversation_id"] = self.conversation_id
        answer = self.post("/chat/messages", body)
        assert answer.status_code == requests.codes.accepted, answer.text
        told: dict[str, Any] = answer.json()
        self.conversation_id = told["conversation_id"]
        return told

    def post(self, path: str, body: Any = None) -> requests.Response:  # noqa: ANN401 - any JSON
        return requests.post(self._at(path), json=body, headers=self._headers, timeout=20)

    def get(self, path: str) -> requests.Response:
        return requests.get(self._at(path), headers=self._headers, timeout=20)

    def watch(self, path: str) -> "Stream":
        answer = requests.get(self._at(path), headers=self._headers, timeout=30, stream=True)
        assert answer.status_code == requests.codes.ok, answer.text
        return Stream(answer)

    def turn(self, turn_id: UUID | str) -> "Stream":
        return self.watch(f"/chat/turns/{turn_id}/events")

    @property
    def _headers(self) -> dict[str, str]:
        token = issue_token(self.gym.stage.wiring.settings, self.actor, now=Clock().now())
        return {"Authorization": f"Bearer {token}"}

    def _at(self, path: str) -> str:
        return f"{self.gym.stage.base_url}/api/v1{path}"


@dataclass
class Stream:
    """Events as they come, on a thread of their own; `texts` is what the page shows by now."""

    answer: requests.Response
    events: list[dict[str, Any]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)
    over: bool = False

    def __post_init__(self) -> None:
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    @property
    def shown(self) -> list[str]:
        return [text for id_, text in self.texts.items() if not id_.endswith(".heard")]

    def wait(self, seconds: float) -> "Stream":
        """Until the server ends it."""
        self._thread.join(seconds)
        assert self.over, self.events[-3:]
        return self

    def close(self) -> None:
        """The reader is told first: it would else be waited for until the next beat."""
        with suppress(OSError, AttributeError):
            reader: Any = self.answer.raw._fp  # noqa: SLF001 - no other way to this socket
            reader.fp.raw._sock.shutdown(socket.SHUT_RDWR)  # noqa: SLF001 - as above
        self._thread.join(5)
        self.answer.close()

    def named(self, name: str) -> list[dict[str, Any]]:
        return [one for one in self.events if one.get("name") == name]

    def _read(self) -> None:
        try:
            for line in self.answer.iter_lines(chunk_size=1, decode_unicode=True):
                if line.startswith("event: end"):
                    self.over = True
                elif line.startswith('data: {"'):
                    self._take(json.loads(line.removeprefix("data: ")))
        except (requests.RequestException, AttributeError, ValueError):
            return  # closed by the test, or by a server that is killed

    def _take(self, event: dict[str, Any]) -> None:
        self.events.append(event)
        self.times.append(monotonic())
        match event:
            case {"type": "TEXT_MESSAGE_CONTENT", "messageId": str(id_), "delta": str(words)}:
                self.texts[id_] = self.texts.get(id_, "") + words
            case {"type": "CUSTOM", "name": "restart", "value": {"message_id": str(id_)}}:
                self.texts.pop(id_, None)
            case _:
                pass
