"""Streams of the SDK's published shapes: read the same from the stand-in, and by our own reader."""

import json
from collections.abc import Iterator
from typing import Any

import anthropic
import httpx2
import pytest

from bot.model.faults import BrokenReply
from bot.model.stream import Gathering
from bot.playground.model_api.answer import Answer, Call, Other, Say
from bot.playground.model_api.errors import Refused
from bot.playground.model_api.request import MessagesRequest
from bot.playground.model_api.server import Server, serve
from tests.bot.playground.model_api.bodies import HAIKU, body, user
from tests.bot.playground.model_api.published import DAY, DIRECT, PUBLISHED, SAID, Stream

_SEARCH = {
    "type": "server_tool_use",
    "id": "srvtoolu_01A",
    "name": "tool_search_tool_bm25",
    "input": {"query": "what was asked"},
}
COMPOSED = {
    "words": Answer((Say(SAID),)),
    "a call": Answer((Say(SAID), Call("bookings__list", DAY))),
    "a torn call": Answer(
        (Say(SAID), Call("bookings__list", {}, raw='{"day": "2026-12-01", "ids": ["a"')),
        "max_tokens",
    ),
    "a call that is no JSON": Answer((Call("bookings__list", {}, raw='{"day": tomorrow}'),)),
    "a refusal": Answer((Say(""),), "refusal"),
    "a search on the server": Answer((Other(_SEARCH),), "pause_turn"),
}
"""The answers from which the stand-in makes streams of these shapes by itself."""


class Playing:
    """Sends a published stream as it is, or the answer of that shape where asked to compose it."""

    def answer(self, request: MessagesRequest) -> Answer:
        said = request.messages[0].content[0]
        name = str(getattr(said, "text", ""))
        composed = name.removeprefix("compose ")
        return COMPOSED[composed] if composed != name else Answer(stream=PUBLISHED[name])


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve(Playing()) as running:
        yield running


def read(client: anthropic.Anthropic, name: str) -> dict[str, Any] | str:
    """What the SDK makes of a stream: a message, or the kind of its complaint.

    This release of it can't read a message that opens without usage, which later ones publish.
    """
    asked: Any = body(model=HAIKU, thinking={"type": "disabled"}, messages=[user(name)])
    try:
        with client.messages.stream(**asked) as stream:
            return stream.get_final_message().to_dict(warnings=False)
    except (ValueError, RuntimeError, LookupError, AttributeError, AssertionError) as error:
        return type(error).__name__


def from_standin(server: Server, name: str) -> dict[str, Any] | str:
    with anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as client:
        return read(client, name)


def from_bytes(events: Stream) -> dict[str, Any] | str:
    sent = "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events)
    headers = {"content-type": "text/event-stream"}
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, text=sent, headers=headers))
    with anthropic.DefaultHttpxClient(transport=transport) as http:
        return read(anthropic.Anthropic(api_key="k", base_url="http://x", http_client=http), "")


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_recorded_stream_reads_the_same_from_the_stand_in(server: Server, name: str) -> None:
    assert from_standin(server, name) == from_bytes(PUBLISHED[name])


def _shape(message: dict[str, Any] | str) -> dict[str, Any] | str:
    """Without what differs from answer to answer: ids and counts; a direct caller may be unsaid."""
    if isinstance(message, str):
        return message
    blocks = [{**DIRECT, **block, "id": ""} for block in message["content"]]
    ending = {key: message.get(key) for key in ("role", "stop_reason", "stop_details")}
    return {"content": blocks, **ending}


@pytest.mark.parametrize("name", COMPOSED)
def test_what_the_stand_in_composes_reads_as_the_published_stream_does(
    server: Server, name: str
) -> None:
    assert _shape(from_standin(server, f"compose {name}")) == _shape(from_bytes(PUBLISHED[name]))


BROKEN = {"a call that is no JSON"}
CUT_SHORT = {"a torn call"}


@pytest.mark.parametrize("name", PUBLISHED)
def test_our_reader_finds_the_same_blocks_and_never_half_a_call(name: str) -> None:
    gathered = Gathering()
    list(gathered.words(PUBLISHED[name]))
    if name in BROKEN:
        with pytest.raises(BrokenReply):
            gathered.blocks()
        return
    found = from_bytes(PUBLISHED[name])
    if isinstance(found, str):
        assert [block["type"] for block in gathered.blocks()] == ["text"]
        return
    whole = found["content"][:1] if name in CUT_SHORT else found["content"]
    ours = [{key: block[key] for key in block if block[key] is not None} for block in whole]
    assert list(gathered.blocks()) == ours
    assert gathered.stop_reason == found["stop_reason"]
    for count in ("input_tokens", "output_tokens"):
        assert gathered.usage[count] == found["usage"][count]


def test_a_recorded_stream_is_no_whole_message(server: Server) -> None:
    with pytest.raises(Refused, match="as a stream only"):
        server.service.prepare(MessagesRequest.model_validate(body(messages=[user("words")])))
