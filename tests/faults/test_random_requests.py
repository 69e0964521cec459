"""Whatever is sent to whichever address, by whoever: a status that says what was wrong with it."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any, Final
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import SecretStr
from werkzeug.routing import Rule

from app.core.clock import Clock
from app.web.tokens import issue_token
from bot.channels.web.limits import RedisLimiter
from bot.operations import serving
from bot.operations.operator_api import operator_api
from bot.operations.provisioning import Provisioning
from tests.floor import Gym

EACH: Final = 6
NASTY: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 2**31, 2**63, 2**70, 1e308, 1.5),
    *("", " ", "\x00", "a\x00b", "\u202e", "x" * 9_000, "א" * 500, "</turn_context>", "%", "\\"),
    *("2026-02-30", "2026-03-27T02:30:00", "0001-01-01T00:00:00+14:00", "9999-12-31", "24:00"),
    *("owner", "approve", "NaN", "+972541234567", "019ad2f0-7c1e-7b3a-9d55-0123456789ab"),
    *([], [None], [[]], {}, {"": ""}, ["x"] * 300, {"approve": [0]}, {"approved": [1, 2**70]}),
)
NAMES: Final = (
    *("text", "conversation_id", "page", "selection", "choice", "name", "id", "type", "label"),
    *("threadId", "runId", "messages", "resume", "context", "state", "tools", "forwardedProps"),
    *("role", "content", "interruptId", "status", "payload", "description", "value", "language"),
    *("email", "phone", "token", "code", "key", "api_key", "slug", "org", "tier", "answers"),
    *("date", "cursor", "limit", "q"),
)
BROKEN: Final = (b"{", b"\xff", b"[" * 5_000, b'{"a":NaN}', b"", b"[]")
PARTS: Final = ("x", "a%00b", "%F0%9F", "..", "1" * 400, "%D7%90", "0")
HEADERS: Final = {
    "Idempotency-Key": ("", "a", "x" * 5_000),
    "If-Match": ("", '"1"', "*", '"99999999999999999999"', 'W/"x"'),
    "Last-Event-ID": ("", "x", "1-1", "table:999999999999999999999", "-1"),
    "Accept-Language": ("xx", "he;q=zz", "*"),
}
HELD_OPEN: Final = "/api/v1/chat/events"


class Sender:
    """Sends what nobody should, from one seed on."""

    def __init__(self, gym: Gym, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - to be the same each time
        settings, now = gym.stage.wiring.settings, Clock().now()
        people = gym.studio.actors.values()
        self._tokens = ["", *(issue_token(settings, one, now=now) for one in people)]

    def send(self, client: FlaskClient, rule: Rule, method: str) -> tuple[int, str]:
        operators = rule.rule.startswith("/api/operator")
        token = "of-the-operator" if operators else self._random.choice(self._tokens)
        headers = {name: self._random.choice(some) for name, some in HEADERS.items()}
        headers = {name: one for name, one in headers.items() if self._random.random() < 0.3}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        path, body = self._path(rule), self._body()
        answer = client.open(path, method=method, headers=headers, buffered=False, **body)
        answer.close()
        return answer.status_code, f"{method} {path} {json.dumps(body, default=str)[:400]}"

    def _path(self, rule: Rule) -> str:
        parts = rule.rule.split("/")
        return "/".join(self._part(one) if one.startswith("<") else one for one in parts)

    def _part(self, name: str) -> str:
        return str(uuid4()) if name.startswith("<uuid") else self._random.choice(PARTS)

    def _body(self) -> dict[str, Any]:
        asked = {self._random.choice(NAMES): _written(self._random.choice(NASTY))}
        kind = self._random.choice(("json", "json", "broken", "form"))
        match kind:
            case "json":
                return {"json": self._value(), "query_string": asked}
            case "broken":
                broken = self._random.choice(BROKEN)
                return {"data": broken, "content_type": "application/json"}
            case _:
                return {"data": asked}

    def _value(self, depth: int = 0) -> Any:  # noqa: ANN401 - any JSON
        chance = self._random.random()
        size = range(self._random.randrange(5))
        if depth < 3 and (depth == 0 or chance < 0.3):
            return {self._random.choice(NAMES): self._value(depth + 1) for _ in size}
        if depth < 3 and chance < 0.4:
            return [self._value(depth + 1) for _ in size]
        return self._random.choice(NASTY)


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@pytest.fixture
def site(bare_gym: Gym, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """All of it, without a limit to how much one may send."""
    monkeypatch.setattr(RedisLimiter, "wait", lambda *_: 0.0)
    wiring = bare_gym.stage.wiring
    token = SecretStr("of-the-operator")
    doors = operator_api(Provisioning(wiring.db), token)
    monkeypatch.setattr(serving, "_operator", lambda _: [doors])
    return serving.create_web(wiring)


def addresses(site: Flask) -> Iterator[tuple[Rule, str]]:
    for rule in site.url_map.iter_rules():
        if rule.rule != HELD_OPEN:
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield rule, method


def test_no_request_is_a_fault_of_ours(bare_gym: Gym, site: Flask) -> None:
    sender = Sender(bare_gym, seed=4)
    found = list(addresses(site))
    assert len(found) > 250
    with site.test_client(use_cookies=False) as client:
        sent = [sender.send(client, *one) for one in found for _ in range(EACH)]
    assert [told for status, told in sent if status >= 500] == []


@pytest.mark.parametrize("page", ["join", "forms"])
def test_a_link_with_a_nul_leads_nowhere(site: Flask, page: str) -> None:
    answer = site.test_client().get(f"/{page}/a%00b/x")
    assert answer.status_code in {404, 410}
