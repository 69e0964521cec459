"""An answer on the wire and as the real SDK puts it together."""

import threading
import time
from typing import Any

import anthropic

from bot.playground.model_api.received import Pace
from bot.playground.model_api.script import ScriptBrain
from bot.playground.model_api.server import Server, Setup, serve
from tests.bot.playground.model_api.bodies import HAIKU, SONNET, body, user
from tests.bot.playground.model_api.wire import events

WANTED = {"ids": [1, 2], "note": "שלום, a longer note to be split in several fragments"}


def test_the_sdk_streams_a_scripted_answer(client: anthropic.Anthropic) -> None:
    with client.messages.stream(
        model=SONNET, max_tokens=100, messages=[{"role": "user", "content": "hi"}]
    ) as stream:
        said = list(stream.text_stream)
        final = stream.get_final_message()
    assert len(said) > 1
    assert "".join(said) == "Hello from the stand-in, in several fragments."
    assert final.stop_reason == "end_turn"


def test_a_streamed_call_has_the_scripted_input(
    client: anthropic.Anthropic, brain: ScriptBrain
) -> None:
    brain.load([{"calls": [{"name": "members__show", "input": WANTED}]}])
    with client.messages.stream(**body()) as stream:
        final = stream.get_final_message()
    call = final.content[-1]
    assert isinstance(call, anthropic.types.ToolUseBlock)
    assert (call.name, call.input) == ("members__show", WANTED)
    assert final.stop_reason == "tool_use"


def test_events_come_in_the_apis_order(server: Server, brain: ScriptBrain) -> None:
    brain.load([{"say": "So.", "calls": [{"name": "a", "input": WANTED}, {"name": "b"}]}])
    came = events(server, body())
    names = [name for name, _ in came]
    assert names[:3] == ["message_start", "ping", "content_block_start"]
    assert names[-2:] == ["message_delta", "message_stop"]
    assert names == [data["type"] for _, data in came]
    kinds = [data["content_block"]["type"] for name, data in came if name == "content_block_start"]
    assert kinds == ["thinking", "text", "tool_use", "tool_use"]


def test_the_message_starts_empty(server: Server) -> None:
    message = events(server, body())[0][1]["message"]
    assert (message["content"], message["stop_reason"]) == ([], None)
    assert message["usage"]["output_tokens"] == 1
    assert message["id"].startswith("msg_")


def deltas(came: list[tuple[str, Any]], index: int) -> list[dict[str, Any]]:
    return [
        data["delta"]
        for name, data in came
        if name == "content_block_delta" and data["index"] == index
    ]


def test_omitted_thinking_is_only_a_signature(server: Server) -> None:
    assert [delta["type"] for delta in deltas(events(server, body()), 0)] == ["signature_delta"]


def test_a_calls_json_comes_in_fragments_of_which_the_first_is_empty(
    server: Server, brain: ScriptBrain
) -> None:
    brain.load([{"calls": [{"name": "a", "input": WANTED}, {"name": "b"}]}])
    came = events(server, body())
    fragments = [delta["partial_json"] for delta in deltas(came, 1)]
    assert fragments[0] == ""
    assert len(fragments) > 3
    assert deltas(came, 2) == [{"type": "input_json_delta", "partial_json": ""}]
    start = next(data for name, data in came if data.get("index") == 1)
    assert start["content_block"]["input"] == {}
    assert start["content_block"]["caller"] == {"type": "direct"}


def test_the_last_usage_is_cumulative(server: Server) -> None:
    came = events(server, body())
    start, last = came[0][1]["message"]["usage"], came[-2][1]["usage"]
    assert last["input_tokens"] == start["input_tokens"]
    assert last["output_tokens"] > last["output_tokens_details"]["thinking_tokens"] > 0


def test_an_answer_longer_than_max_tokens_is_cut(client: anthropic.Anthropic) -> None:
    create: Any = client.messages.create
    answer = create(**body(model=HAIKU, max_tokens=5, thinking={"type": "disabled"}))
    assert answer.stop_reason == "max_tokens"
    assert answer.content[0].text == "Hello from the "


def test_a_hundred_streams_run_at_once() -> None:
    script = [{"when": f"[{n}]", "steps": [{"say": f"You are {n}."}]} for n in range(100)]
    with serve(ScriptBrain(script), setup=Setup(pace=Pace(delta=0.05))) as server:
        together = threading.Barrier(100)
        answers: dict[int, str] = {}

        def ask(number: int) -> None:
            together.wait()
            came = events(server, body(messages=[user(f"who am I [{number}]")]))
            answers[number] = "".join(delta["text"] for delta in deltas(came, 1))

        threads = [threading.Thread(target=ask, args=(n,)) for n in range(100)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == {n: f"You are {n}." for n in range(100)}


def test_the_first_byte_waits_as_long_as_it_is_told() -> None:
    with serve(ScriptBrain([{"say": "Hi."}]), setup=Setup(pace=Pace(first_byte=0.3))) as server:
        started = time.monotonic()
        events(server, body())
        assert time.monotonic() - started >= 0.3
