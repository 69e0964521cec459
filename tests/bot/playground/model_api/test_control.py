"""The control endpoint, recorded exchanges, and the stand-in as a process of its own."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import pytest

from bot.playground.model_api.__main__ import built
from bot.playground.model_api.recorded import RecordedBrain, save
from bot.playground.model_api.script import ScriptBrain
from bot.playground.model_api.server import Server, serve
from tests.bot.playground.model_api.bodies import body, result, user
from tests.bot.playground.model_api.wire import post

SCRIPT = [{"calls": [{"name": "members__list", "input": {"q": "דנה"}}]}, {"say": "Done."}]


def control(server: Server, **order: Any) -> httpx2.Response:  # noqa: ANN401 - any field of an order
    return httpx2.post(f"{server.url}/_control", json=order)


def test_faults_can_be_ordered_off_the_wire(server: Server) -> None:
    order = control(server, faults=["overloaded", {"kind": "rate_limited", "retry_after": 7}])
    assert order.status_code == 200
    answers = [post(server, body()) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [529, 429, 200]
    assert answers[1].headers["retry-after"] == "7"


def test_a_script_can_be_changed_off_the_wire(server: Server) -> None:
    control(server, script=[{"say": "Something else."}])
    assert post(server, body()).json()["content"][-1]["text"] == "Something else."


def test_the_pace_can_be_changed_off_the_wire(server: Server) -> None:
    control(server, delta=0.0, first_byte=0.01)
    assert (server.pace.delta, server.pace.first_byte) == (0.0, 0.01)


@pytest.mark.parametrize("order", [{"faults": ["earthquake"]}, {"speed": 1}, {"script": [{}, 1]}])
def test_an_order_that_makes_no_sense_is_refused(server: Server, order: dict[str, Any]) -> None:
    assert control(server, **order).status_code == 400


def test_what_was_asked_can_be_read_off_the_wire(server: Server) -> None:
    post(server, body())
    post(server, body(messages=[]))
    answered, refused = httpx2.get(f"{server.url}/_control").json()["requests"]
    assert answered["body"]["messages"] == body()["messages"]
    assert (answered["status"], answered["complete"], answered["error"]) == (200, True, None)
    assert (refused["status"], refused["reply"]) == (400, None)
    assert "authorization" not in answered["headers"]


def test_forgetting_drops_the_record_and_the_faults_to_come(server: Server) -> None:
    post(server, body())
    control(server, faults=["overloaded"])
    assert control(server, forget=True).json() == {"requests": []}
    assert post(server, body()).status_code == 200


def _converse(server: Server) -> list[Any]:
    """A turn of two requests; gives what was answered, without ids."""
    fields = body()
    with anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as sdk:
        create: Any = sdk.messages.create
        first = create(**fields)
        so_far = {"role": "assistant", "content": first.model_dump(exclude_none=True)["content"]}
        answers = user(result(first.content[-1].id, "[]"))
        second = create(**fields | {"messages": [*fields["messages"], so_far, answers]})
    return [first.content[-1].input, second.content[-1].text]


def test_recorded_exchanges_play_again_with_other_ids(tmp_path: Path) -> None:
    with serve(ScriptBrain(SCRIPT)) as server:
        heard = _converse(server)
        save(tmp_path / "turn.jsonl", server.recordings)
    with serve(RecordedBrain.from_file(tmp_path / "turn.jsonl")) as server:
        assert _converse(server) == heard
        unheard = post(server, body(messages=[user("something new")]))
    assert "no recording" in unheard.json()["error"]["message"]


@contextmanager
def process(*arguments: str) -> Iterator[str]:
    command = [sys.executable, "-u", "-m", "bot.playground.model_api", "--port", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            yield running.stdout.readline().split()[-1]
        finally:
            running.terminate()


def test_it_runs_as_a_process_with_a_script(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"say": "From a process."}]), encoding="utf-8")
    with (
        process("--script", str(script), "--delta", "0", "--first-byte", "0") as url,
        anthropic.Anthropic(api_key="k", base_url=url, max_retries=0) as sdk,
        sdk.messages.stream(**body()) as stream,
    ):
        assert stream.get_final_text() == "From a process."


def test_a_brain_is_built_from_its_name() -> None:
    brain = built("bot.playground.model_api.script:ScriptBrain")
    assert isinstance(brain, ScriptBrain)


def test_a_stopped_stand_in_answers_nobody() -> None:
    with serve(ScriptBrain(SCRIPT)) as server, httpx2.Client(base_url=server.url) as http:
        assert http.get("/_control").status_code == 200
        server.stop()
        with pytest.raises(httpx2.TransportError):
            http.get("/_control")
