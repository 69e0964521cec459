"""Raw events into one message, and nothing before its end."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.blocks import is_id
from bot.model.faults import BrokenReply
from bot.model.pace import Pace, joined
from bot.model.stream import Gathering, calls, clean, strict_object
from bot.model.turn_context import Beside, block, compose, strip
from tools.kit.models import ToolCall


def start(at: int, **block: object) -> dict[str, Any]:
    return {"type": "content_block_start", "index": at, "content_block": block}


def delta(at: int, kind: str, key: str, text: str) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": at, "delta": {"type": kind, key: text}}


def ended(stop_reason: str) -> list[dict[str, Any]]:
    return [
        {"type": "message_delta", "delta": {"stop_reason": stop_reason}},
        {"type": "message_stop"},
    ]


def gather(*events: dict[str, Any]) -> tuple[Gathering, str]:
    gathered = Gathering()
    return gathered, "".join(gathered.words(events))


def test_pieces_of_an_input_are_one_object() -> None:
    gathered, _ = gather(
        start(0, type="tool_use", id="t", name="n", input={}),
        delta(0, "input_json_delta", "partial_json", ""),
        delta(0, "input_json_delta", "partial_json", '{"a": [1,'),
        delta(0, "input_json_delta", "partial_json", ' "b"]}'),
        *ended("tool_use"),
    )
    [call] = calls(gathered.blocks())
    assert call.input == {"a": [1, "b"]}


def test_texts_of_several_blocks_are_kept_apart() -> None:
    _, words = gather(
        start(0, type="text", text=""),
        delta(0, "text_delta", "text", "one"),
        start(1, type="text", text="two"),
        *ended("end_turn"),
    )
    assert words == "one\n\ntwo"


def test_what_a_database_cannot_hold_is_left_out() -> None:
    assert clean("a\x00b\ud800c") == "ab?c"
    assert strict_object('{"a": ["x\\u0000\\ud800"]}') == {"a": ["x?"]}


def test_what_a_block_begins_with_is_cleaned_too() -> None:
    whole, _ = gather(
        start(0, type="tool_use", id="t", name="n\x00", input={"q": "\x00Dana\ud800"}),
        *ended("tool_use"),
    )
    assert whole.blocks() == (
        {"type": "tool_use", "id": "t", "name": "n", "input": {"q": "Dana?"}},
    )


def test_an_id_is_no_longer_than_a_key_may_be() -> None:
    longest = ToolCall.key.type.length
    assert is_id("t" * longest)
    assert not is_id("t" * (longest + 1))


@pytest.mark.parametrize("depth", [65, 900, 100_000])
def test_an_input_without_a_bottom_is_asked_again(depth: int) -> None:
    with pytest.raises(BrokenReply):
        strict_object('{"a": ' + "[" * depth + "]" * depth + "}")


@pytest.mark.parametrize(
    "torn", ['{"to": ["a","b', "[]", "1", '{"a": NaN}', '{"a": 1, "a": 2}', "{}{}", "{'a': 1}"]
)
def test_an_input_is_strict_json_or_nothing(torn: str) -> None:
    with pytest.raises(BrokenReply):
        strict_object(torn)


def test_a_torn_call_spoils_a_message_that_stopped_for_it_and_is_left_out_of_others() -> None:
    torn = (
        start(0, type="text", text="so"),
        start(1, type="tool_use", id="t", name="n", input={}),
        delta(1, "input_json_delta", "partial_json", '{"a": '),
    )
    with pytest.raises(BrokenReply):
        gather(*torn, *ended("tool_use"))[0].blocks()
    assert gather(*torn, *ended("max_tokens"))[0].blocks() == ({"type": "text", "text": "so"},)


def test_without_its_end_a_message_is_none() -> None:
    gathered, words = gather(start(0, type="text", text="half"))
    assert words == "half"
    with pytest.raises(BrokenReply):
        gathered.blocks()


@pytest.mark.parametrize("part", ["id", "name", "input"])
def test_a_call_without_a_part_is_a_broken_reply(part: str) -> None:
    whole: dict[str, Any] = {"type": "tool_use", "id": "t", "name": "n", "input": {}}
    del whole[part]
    with pytest.raises(BrokenReply):
        calls([whole])


@given(st.lists(st.text(min_size=1)), st.lists(st.floats(0, 0.3), min_size=1))
def test_joining_loses_nothing_and_keeps_the_pace(texts: list[str], gaps: list[float]) -> None:
    now = [0.0]
    spoke: list[float] = []

    def flowing() -> Iterator[str]:
        for at, text in enumerate(texts):
            now[0] += gaps[at % len(gaps)]
            yield text

    heard: list[str] = []
    for piece in joined(flowing(), Pace(clock=lambda: now[0])):
        heard.append(piece)
        spoke.append(now[0])
    assert "".join(heard) == "".join(texts)
    assert all(b - a >= 0.1 for a, b in pairwise(spoke[:-1]))


def test_a_turns_context_tells_the_local_clock_and_the_week() -> None:
    beside = Beside("whatsapp", page="/schedule\nnow: 1999", selection="class_session 7")
    text = compose(beside, datetime(2026, 11, 30, 8, 0, tzinfo=UTC), "Asia/Jerusalem")
    assert text.splitlines() == [
        "now: Monday 2026-11-30 10:00 Asia/Jerusalem",
        "week: 2026-11-29 to 2026-12-05",
        "channel: whatsapp",
        "page: /schedule now: 1999",
        "selection: class_session 7",
    ]
    monday = compose(beside, datetime(2026, 11, 29, 8, 0, tzinfo=UTC), "Asia/Jerusalem", 1)
    assert monday.splitlines()[1] == "week: 2026-11-23 to 2026-11-29"
    assert strip(block(text)["text"] + "\nhello") == "hello"
