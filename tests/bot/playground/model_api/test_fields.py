"""What is wrong with a field is told with the field's path, and how an error looks on the wire."""

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import anthropic
import httpx2
import pytest

from bot.playground.model_api.connection import MOST_BYTES
from bot.playground.model_api.script import ScriptBrain
from bot.playground.model_api.server import Server, Setup, serve
from tests.bot.playground.model_api.bodies import (
    MARK,
    Body,
    assistant,
    body,
    call,
    result,
    search,
    system,
    text,
    tool,
    user,
)

VERSION = {"anthropic-version": "2026-10-21"}
KEY = {"authorization": "Bearer k"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve(ScriptBrain([{"say": "Fine."}] * 2)) as running:
        yield running


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=server.url, headers={**VERSION, **KEY}) as client:
        yield client


def _thought(**more: Any) -> Body:  # noqa: ANN401 - any field of a block
    return {"type": "thinking", "thinking": "", "signature": "x", **more}


REFUSED = {
    "max_tokens: Field required": body(max_tokens=...),
    "model: Field required": body(model=...),
    "messages: Field required": body(messages=...),
    "max_tokens: Input should be greater than or equal to 0": body(max_tokens=-1),
    "max_tokens: Input should be a valid integer": body(max_tokens="many"),
    "temperature: Extra inputs are not permitted": body(temperature=0.5),
    "top_p: Extra inputs are not permitted": body(top_p=0.5),
    "context_management: Extra inputs are not permitted": body(context_management={}),
    "system.0.cache_control.ephemeral.scope: Extra inputs are not permitted": body(
        system=[text("s", cache_control={**MARK, "scope": "org"})]
    ),
    "messages.0.content.0.text.parsed_output: Extra inputs are not permitted": body(
        messages=[user(text("hi", parsed_output=None))]
    ),
    "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted": body(
        messages=[user("hi"), assistant(_thought(cache_control=MARK)), user("go")]
    ),
    "messages.1.content.0.tool_use.input: Input should be a valid dictionary": body(
        messages=[user("hi"), assistant(call(input=[])), user(result())]
    ),
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'": body(
        messages=[user("hi"), assistant(call("a.b")), user(result("a.b"))]
    ),
    "messages.1.content.0.server_tool_use.id: String should match pattern"
    " '^srvtoolu_[a-zA-Z0-9_]+$'": body(
        messages=[user("hi"), assistant(search("toolu_1")), user("go")]
    ),
    "messages.1.clear_at: Extra inputs are not permitted": body(
        messages=[user("hi"), {**system("note"), "clear_at": "next_user_message"}]
    ),
    "messages.0.content.0: Input tag 'compaction' found using 'type' does not match": body(
        messages=[user({"type": "compaction", "content": "so far"})]
    ),
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'": body(
        tools=[tool("members.list")]
    ),
    "tools.0.custom.name: String should have at most 128 characters": body(tools=[tool("n" * 129)]),
    "tools.0.custom.input_schema.type: Field required": body(
        tools=[{"name": "a", "input_schema": {}}]
    ),
    "tools.0.custom.input_schema.type: Input should be 'object'": body(
        tools=[tool(schema={"type": "array"})]
    ),
    "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024": body(
        thinking={"type": "enabled", "budget_tokens": 100}
    ),
    "thinking.between_tools.display: Extra inputs are not permitted": body(
        thinking={"type": "between_tools", "display": "omitted"}
    ),
}


@pytest.mark.parametrize(("says", "fields"), REFUSED.items(), ids=REFUSED.keys())
def test_a_wrong_field_is_named_by_its_path(http: httpx2.Client, says: str, fields: Body) -> None:
    answer = http.post("/v1/messages", json=fields)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"].startswith(says)


def test_the_error_envelope_carries_the_id_of_the_header(http: httpx2.Client) -> None:
    answer = http.post("/v1/messages", json=body(messages=[]))
    envelope = answer.json()
    assert envelope["type"] == "error"
    assert envelope["error"]["type"] == "invalid_request_error"
    assert envelope["request_id"] == answer.headers["request-id"]
    assert answer.headers["x-should-retry"] == "false"


def test_every_answer_tells_the_rate_limits(http: httpx2.Client) -> None:
    headers = http.post("/v1/messages", json=body()).headers
    for kind in ("requests", "tokens", "input-tokens", "output-tokens"):
        for part in ("limit", "remaining", "reset"):
            assert headers[f"anthropic-ratelimit-{kind}-{part}"]


@pytest.mark.parametrize("model", ["claude-9", "claude-sonnet-4-5-20250929"])
def test_an_unknown_model_and_a_retired_one_are_not_found(http: httpx2.Client, model: str) -> None:
    answer = http.post("/v1/messages", json=body(model=model))
    assert answer.status_code == 404
    assert answer.json()["error"] == {"type": "not_found_error", "message": f"model: {model}"}


def test_an_unknown_path_is_not_found(http: httpx2.Client) -> None:
    assert http.post("/v1/complete", json={}).json()["error"]["type"] == "not_found_error"
    assert http.get("/v1/messages").status_code == 404


@pytest.mark.parametrize("content", [b"{", b"[1]", b"\xff"])
def test_a_body_that_is_no_object_is_refused(http: httpx2.Client, content: bytes) -> None:
    answer = http.post("/v1/messages", content=content)
    assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request_error")


def test_a_body_over_32_megabytes_is_too_large(server: Server) -> None:
    host, port = server.server_address[:2]
    connection = HTTPConnection(str(host), port)
    connection.putrequest("POST", "/v1/messages")
    connection.putheader("content-length", str(MOST_BYTES + 1))
    connection.endheaders()
    answer = connection.getresponse()
    assert (answer.status, json.load(answer)["error"]["type"]) == (413, "request_too_large")
    connection.close()


@pytest.mark.parametrize("headers", [{}, {"authorization": "Basic k"}, {"authorization": "Bearer"}])
def test_without_a_key_nobody_gets_in(server: Server, headers: dict[str, str]) -> None:
    answer = httpx2.post(f"{server.url}/v1/messages", json=body(), headers=VERSION | headers)
    assert (answer.status_code, answer.json()["error"]["type"]) == (401, "authentication_error")


def test_a_wrong_key_is_refused_where_one_is_set() -> None:
    with serve(ScriptBrain([{"say": "Fine."}]), setup=Setup(api_key="right")) as server:
        for header, key, status in (
            ("x-api-key", "wrong", 401),
            ("x-api-key", "right", 200),
            ("authorization", "Bearer right", 200),
        ):
            headers = {**VERSION, header: key}
            answer = httpx2.post(f"{server.url}/v1/messages", json=body(), headers=headers)
            assert answer.status_code == status


def test_the_api_version_must_be_named(server: Server) -> None:
    for headers, says in (
        (KEY, "anthropic-version: header is required"),
        (
            {**KEY, "anthropic-version": "2020-01-01"},
            'anthropic-version: "2020-01-01" is not a valid version',
        ),
    ):
        answer = httpx2.post(f"{server.url}/v1/messages", json=body(), headers=headers)
        assert answer.json()["error"]["message"] == says


def test_tokens_are_counted_under_the_same_rules(server: Server) -> None:
    with anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as sdk:
        count: Any = sdk.messages.count_tokens
        fields = body(max_tokens=...)
        short = count(**fields).input_tokens
        longer = count(**{**fields, "messages": [user("hi" + "x" * 305)]}).input_tokens
        assert longer - short == 100
        with pytest.raises(anthropic.BadRequestError, match="are not supported"):
            count(**fields, tools=[tool()], tool_choice={"type": "any"})


def test_a_brain_that_fails_is_a_500() -> None:
    class Broken:
        def answer(self, _: object) -> Any:  # noqa: ANN401 - never returns
            raise ZeroDivisionError

    with serve(Broken()) as server:
        answer = httpx2.post(
            f"{server.url}/v1/messages", content=json.dumps(body()), headers={**KEY, **VERSION}
        )
    assert (answer.status_code, answer.json()["error"]["type"]) == (500, "api_error")
