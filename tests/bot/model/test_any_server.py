"""Servers that others wrote: whatever they answer is a message or a fault, and has its price."""

import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import anthropic
import pytest

from bot.model.client import connect
from bot.model.faults import VendorFault
from bot.model.priced import Priced
from bot.model.purse import Unbounded, Want, booked
from bot.model.stream import calls
from bot.model.usage import Usage

MODEL: Final = "claude-haiku-5-5"
HELD: Final = 999
WANT: Final = Want(MODEL, 100, 10)
USED: Final = {"input_tokens": 10, "output_tokens": 5}
WHOLE: Final[dict[str, Any]] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": MODEL,
    "content": [{"type": "text", "text": "hi"}],
    "stop_reason": "end_turn",
    "usage": USED,
}
REQUEST: Final = {
    "model": MODEL,
    "max_tokens": 10,
    "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
}
START: Final = {"type": "message_start", "message": {**WHOLE, "content": [], "stop_reason": None}}
OPENS: Final = {"type": "content_block_start", "index": 0, "content_block": {"type": "text"}}
SAYS: Final = {
    "type": "content_block_delta",
    "index": 0,
    "delta": {"type": "text_delta", "text": "hi"},
}
ENDS: Final = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": USED}
STOP: Final = {"type": "message_stop"}

COUNTS: Final = (
    *(
        {"input_tokens": -(10**9), "output_tokens": 5},
        {"input_tokens": 10, "output_tokens": -(10**9)},
    ),
    *({"input_tokens": "10", "output_tokens": 5}, {"input_tokens": 1.5, "output_tokens": 5}),
    *({"input_tokens": 10**30, "output_tokens": 5}, {"input_tokens": True, "output_tokens": 5}),
    *({**USED, "cache_creation": [1]}, {**USED, "cache_read_input_tokens": -(10**6)}),
    {**USED, "cache_creation": {"ephemeral_1h_input_tokens": -(10**6)}},
)
ODD: Final[tuple[dict[str, Any], ...]] = (
    *({"content": None}, {"content": "hi"}, {"content": [None]}, {"content": ["hi"]}),
    *({"content": [{"type": "text", "text": None}]}, {"content": [{"type": "text", "text": 5}]}),
    *({"content": [{}]}, {"content": [{"type": None, "text": "hi"}]}),
    *({"content": [{"type": "tool_use"}]}, {"content": {}}, {"stop_reason": 7}, {"id": 5}),
    *({"usage": None}, {"usage": "x"}, {"usage": []}, {"model": None}, {"model": 5}),
    *({"diagnostics": "x"}, {"diagnostics": {"cache_miss_reason": "x"}}),
    *({"usage": one} for one in COUNTS),
)
PIECES: Final = (
    *("{}", "[]", "null", '"hi"', "5", "<html>", ""),
    *(json.dumps({**WHOLE, **one}) for one in ODD),
)
NONE: Final[tuple[Any, ...]] = (None, "x", [], {}, 5)
EVENTS: Final[tuple[tuple[object, ...], ...]] = (
    *((STOP,), (START, STOP), (5,), (None,), ([1],), ({},), ({"type": "error", "error": "x"},)),
    *((START, {**OPENS, "content_block": one}, SAYS, ENDS, STOP) for one in NONE),
    *((START, {**OPENS, "index": one}, SAYS, ENDS, STOP) for one in ("0", *NONE)),
    *((START, OPENS, {**SAYS, "delta": one}, ENDS, STOP) for one in ({"text": 5}, *NONE)),
    (START, OPENS, {**SAYS, "delta": {"type": "text_delta", "text": 5}}, ENDS, STOP),
    *((START, OPENS, SAYS, {**ENDS, "usage": one}, STOP) for one in (*NONE, *COUNTS)),
    *((START, OPENS, SAYS, {**ENDS, "delta": one}, STOP) for one in ({"stop_reason": 5}, *NONE)),
    *(({**START, "message": one}, OPENS, SAYS, ENDS, STOP) for one in NONE),
    *(({**START, "message": {**WHOLE, **one}}, OPENS, SAYS, ENDS, STOP) for one in ODD),
)
STREAMS: Final = (
    *("".join(f"event: x\ndata: {json.dumps(one)}\n\n" for one in some) for some in EVENTS),
    *("data: {\n\n", "event: message_start\ndata: \n\n", "\xff\xfe", ""),
)


class Odd(BaseHTTPRequestHandler):
    """Answers with whatever it was given."""

    body = b""
    kind = "application/json"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", self.kind)
        self.send_header("content-length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def client() -> Iterator[anthropic.Anthropic]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Odd)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    with connect("key", f"http://127.0.0.1:{server.server_port}") as found:
        yield found
    server.shutdown()
    thread.join()
    server.server_close()


def paid(used: list[Usage]) -> int:
    (usage,) = used
    return booked(usage, date(2026, 12, 1), WANT, HELD)


def test_any_answer_in_one_piece_is_a_message_or_a_fault(client: anthropic.Anthropic) -> None:
    Odd.kind = "application/json"
    for body in PIECES:
        Odd.body = body.encode()
        used: list[Usage] = []
        with suppress(*VendorFault):
            blocks = Priced(client, Unbounded(used.append), lambda: 0.0).ask(REQUEST).blocks()
            assert all(isinstance(block["type"], str) for block in blocks)
            calls(blocks)
        assert 0 < paid(used) <= HELD, body


def test_any_stream_is_a_message_or_a_fault(client: anthropic.Anthropic) -> None:
    Odd.kind = "text/event-stream"
    for body in STREAMS:
        Odd.body = body.encode("latin-1")
        used: list[Usage] = []
        priced = Priced(client, Unbounded(used.append), lambda: 0.0)
        with suppress(*VendorFault), priced.stream(REQUEST) as (gathered, events):
            assert all(isinstance(words, str) for words in gathered.words(events))
            calls(gathered.blocks())
        assert 0 < paid(used) <= HELD, body


@pytest.mark.parametrize("counts", COUNTS, ids=str)
def test_a_usage_that_cannot_be_meant_counts_as_all_that_was_held(
    client: anthropic.Anthropic, counts: dict[str, Any]
) -> None:
    """A negative one would pay the day's cap back."""
    Odd.kind, Odd.body = "application/json", json.dumps({**WHOLE, "usage": counts}).encode()
    used: list[Usage] = []
    Priced(client, Unbounded(used.append), lambda: 0.0).ask(REQUEST)
    assert paid(used) == HELD
