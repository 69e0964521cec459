"""Streams of the shapes that the SDK publishes with its own tests, in words of ours."""

from typing import Any

Stream = tuple[dict[str, Any], ...]
_USAGE = {
    "input_tokens": 40,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
    "output_tokens": 1,
    "service_tier": "standard",
}


def _start(usage: dict[str, Any] | None = _USAGE, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any field of a message
    message = {
        "id": "msg_01Published",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-5-5",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        **({"usage": usage} if usage else {}),
        **more,
    }
    return {"type": "message_start", "message": message}


def _opens(at: int, **block: Any) -> dict[str, Any]:  # noqa: ANN401 - any field of a block
    return {"type": "content_block_start", "index": at, "content_block": block}


def _closes(at: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": at}


def _delta(at: int, **delta: Any) -> dict[str, Any]:  # noqa: ANN401 - any field of a delta
    return {"type": "content_block_delta", "index": at, "delta": delta}


def _said(at: int, *parts: str) -> Stream:
    words = (_delta(at, type="text_delta", text=part) for part in parts)
    return (_opens(at, type="text", text=""), *words, _closes(at))


def _json(at: int, *parts: str) -> Stream:
    return tuple(_delta(at, type="input_json_delta", partial_json=part) for part in ("", *parts))


def _call(at: int, *parts: str, kind: str = "tool_use", **fields: Any) -> Stream:  # noqa: ANN401 - any field of a block
    return (_opens(at, type=kind, input={}, **fields), *_json(at, *parts), _closes(at))


def _ends(stop_reason: str, usage: dict[str, Any] | None = None, **more: Any) -> Stream:  # noqa: ANN401 - any field of an ending
    ending = {"stop_reason": stop_reason, "stop_sequence": None, **more}
    spent = usage or {"output_tokens": 20}
    return (
        {"type": "message_delta", "delta": ending, "usage": spent},
        {"type": "message_stop"},
    )


PING = {"type": "ping"}
DIRECT: dict[str, Any] = {"caller": {"type": "direct"}}
SAID = "Let me look who is in."
DAY = {"day": "2026-12-01"}
REFUSED = {
    "type": "refusal",
    "category": "general_harms",
    "explanation": "This request was refused.",
}

WORDS: Stream = (
    _start({"input_tokens": 11, "output_tokens": 1}),
    _opens(0, type="text", text=""),
    PING,
    _delta(0, type="text_delta", text="Let me "),
    _delta(0, type="text_delta", text="look who is in."),
    _closes(0),
    *_ends("end_turn"),
)
CALLED: Stream = (
    _start(),
    *_said(0, "Let me look ", "who is in."),
    *_call(1, '{"d', 'ay": "2026-', '12-01"}', id="toolu_01A", name="bookings__list", **DIRECT),
    *_ends("tool_use"),
)
TORN: Stream = (
    _start(),
    *_said(0, SAID),
    _opens(1, type="tool_use", id="toolu_01A", name="bookings__list", input={}),
    *_json(1, '{"day": "2026-12-01', '", "ids": ["a', '"'),
    *_ends("max_tokens"),
)
"""A call whose block is never closed: the tokens ran out in the middle of its JSON."""
NO_JSON: Stream = (
    _start(),
    *_call(0, '{"day": ', "tomorrow}", id="toolu_01A", name="bookings__list", **DIRECT),
    *_ends("tool_use"),
)
DECLINED: Stream = (
    _start({"input_tokens": 20, "output_tokens": 1}),
    *_said(0),
    *_ends(
        "refusal",
        {"output_tokens": 12, "output_tokens_details": {"thinking_tokens": 7}},
        stop_details=REFUSED,
    ),
)
SEARCHED: Stream = (
    _start(),
    *_call(
        0,
        '{"query": ',
        '"what was asked"}',
        kind="server_tool_use",
        id="srvtoolu_01A",
        name="tool_search_tool_bm25",
    ),
    *_ends("pause_turn"),
)
LATE_USAGE: Stream = (
    _start(None),
    *_said(0, SAID),
    *_ends("end_turn", {"input_tokens": 11, "output_tokens": 6, "cache_read_input_tokens": 5}),
)
LATE_FIELDS: Stream = (
    _start(stop_details=None, container=None),
    *_said(0, SAID),
    *_ends(
        "end_turn",
        {"input_tokens": 44, "cache_creation_input_tokens": 12, "output_tokens": 8},
        container={"id": "container_1", "expires_at": "2026-12-01T10:00:00Z"},
        stop_details=None,
    ),
)
EXTRA_FIELDS: Stream = (
    _start(private_field={"nested": {"values": [1, 2]}}),
    _opens(0, type="text", text=""),
    {**_delta(0, type="text_delta", text=SAID), "private_field": {"nested": 3}},
    _closes(0),
    *_ends("end_turn"),
)
OUT_OF_ORDER: Stream = (_start(), _opens(1, type="text", text=""), {"type": "message_stop"})

PUBLISHED = {
    "words": WORDS,
    "a call": CALLED,
    "a torn call": TORN,
    "a call that is no JSON": NO_JSON,
    "a refusal": DECLINED,
    "a search on the server": SEARCHED,
    "usage that comes late": LATE_USAGE,
    "fields that come late": LATE_FIELDS,
    "fields that nobody knows": EXTRA_FIELDS,
    "blocks out of order": OUT_OF_ORDER,
}
