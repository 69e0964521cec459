"""An answer drawn as the API sends it: the whole message, or its server-sent events."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from bot.playground.model_api.answer import Answer, Call, Other, Piece, Say
from bot.playground.model_api.reading import CALL_MARK
from bot.playground.model_api.spelling import dumps
from bot.playground.model_api.tokens import THINKING_TOKENS, tokens_of

_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_FRAGMENT = 14
THOUGHT = "Looking at what was asked and at the tools there are."


@dataclass(frozen=True, slots=True)
class Drawn:
    """A content block in its three forms: as it starts, its deltas, and whole."""

    start: Mapping[str, Any]
    deltas: tuple[Mapping[str, Any], ...]
    whole: Mapping[str, Any]
    tokens: int


@dataclass(frozen=True, slots=True)
class Reply:
    """Everything about an answer that both forms of it need."""

    message_id: str
    model: str
    blocks: tuple[Drawn, ...]
    stop_reason: str
    usage: Mapping[str, Any]
    """Of the input; the output's is counted from the blocks."""
    diagnostics: Mapping[str, Any] | None = None
    unknown_event: bool = False
    recorded: tuple[Mapping[str, Any], ...] = ()
    """Sent event for event where there are any, whatever else stands here."""

    def message(self) -> dict[str, Any]:
        return {
            **self._envelope(),
            "content": [block.whole for block in self.blocks],
            **self._ending(),
            "usage": {**self.usage, **self._output()},
        }

    def events(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.recorded) if self.recorded else self._drawn()

    def _drawn(self) -> Iterator[Mapping[str, Any]]:
        yield {"type": "message_start", "message": self._opening()}
        yield {"type": "ping"}
        if self.unknown_event:
            yield {"type": "weather_report", "outlook": "unforeseen"}
        for index, block in enumerate(self.blocks):
            yield {"type": "content_block_start", "index": index, "content_block": block.start}
            for delta in block.deltas:
                yield {"type": "content_block_delta", "index": index, "delta": delta}
            yield {"type": "content_block_stop", "index": index}
        totals = {
            key: count
            for key, count in self.usage.items()
            if key.endswith("input_tokens") and isinstance(count, int)
        }
        yield {
            "type": "message_delta",
            "delta": self._ending(),
            "usage": {**totals, **self._output()},
        }
        yield {"type": "message_stop"}

    def _envelope(self) -> dict[str, Any]:
        diagnostics = {"diagnostics": self.diagnostics} if self.diagnostics else {}
        return {
            "id": self.message_id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            **diagnostics,
        }

    def _opening(self) -> dict[str, Any]:
        return {
            **self._envelope(),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {**self.usage, "output_tokens": 1},
        }

    def _ending(self) -> dict[str, Any]:
        ending: dict[str, Any] = {"stop_reason": self.stop_reason, "stop_sequence": None}
        if self.stop_reason == "refusal":
            ending["stop_details"] = {
                "type": "refusal",
                "category": "general_harms",
                "explanation": "This request was refused.",
            }
        return ending

    def _output(self) -> dict[str, Any]:
        thinking = sum(
            block.tokens for block in self.blocks if block.start.get("type") == "thinking"
        )
        return {
            "output_tokens": sum(block.tokens for block in self.blocks),
            "output_tokens_details": {"thinking_tokens": thinking},
        }


def new_id(mark: str) -> str:
    return mark + "".join(secrets.choice(_ALPHABET) for _ in range(24 - len(mark) // 2))


def draw(answer: Answer) -> tuple[Drawn, ...]:
    return tuple(_draw(piece) for piece in answer.pieces)


def thinking(signature: str, *, shown: bool) -> Drawn:
    """A signed thinking block; unless shown, its text is left out and only the signature sent."""
    start = {"type": "thinking", "thinking": "", "signature": ""}
    text = THOUGHT if shown else ""
    said = ({"type": "thinking_delta", "thinking": piece} for piece in _fragments(text))
    return Drawn(
        start=start,
        deltas=(*said, {"type": "signature_delta", "signature": signature}),
        whole={**start, "thinking": text, "signature": signature},
        tokens=THINKING_TOKENS,
    )


def _draw(piece: Piece) -> Drawn:
    match piece:
        case Say(text):
            return _draw_text(text)
        case Call():
            return _draw_call(piece)
        case Other({"type": "server_tool_use", "input": dict(given), **rest}):
            return _draw_server_call(rest, given)
        case Other({"type": "compaction", "content": str(content)} as block):
            return _draw_summary(block, content)
        case Other(block):
            return Drawn(start=block, deltas=(), whole=block, tokens=tokens_of(len(dumps(block))))


def _draw_text(text: str) -> Drawn:
    return Drawn(
        start={"type": "text", "text": ""},
        deltas=tuple({"type": "text_delta", "text": piece} for piece in _fragments(text)),
        whole={"type": "text", "text": text},
        tokens=tokens_of(len(text)),
    )


def _draw_call(call: Call) -> Drawn:
    """The first fragment is empty; a call without arguments has no other."""
    sent = dumps(dict(call.input)) if call.raw is None else call.raw
    start = {
        "type": "tool_use",
        "id": new_id(CALL_MARK),
        "name": call.name,
        "input": {},
        "caller": {"type": "direct"},
    }
    fragments = ["", *(_fragments(sent) if sent != "{}" else ())]
    whole = dict(call.input) if call.raw is None else _lenient(call.raw)
    return Drawn(
        start=start,
        deltas=tuple({"type": "input_json_delta", "partial_json": part} for part in fragments),
        whole={**start, "input": whole},
        tokens=tokens_of(len(sent) + len(call.name)),
    )


def _draw_server_call(block: Mapping[str, Any], given: Mapping[str, Any]) -> Drawn:
    start = {"type": "server_tool_use", **block, "input": {}}
    sent = dumps(dict(given))
    return Drawn(
        start=start,
        deltas=tuple(
            {"type": "input_json_delta", "partial_json": part} for part in ("", *_fragments(sent))
        ),
        whole={**start, "input": dict(given)},
        tokens=tokens_of(len(sent)),
    )


def _draw_summary(block: Mapping[str, Any], content: str) -> Drawn:
    delta = {"type": "compaction_delta", "content": content, "encrypted_content": None}
    return Drawn(
        start={**block, "content": None},
        deltas=(delta,),
        whole=block,
        tokens=tokens_of(len(content)),
    )


def _lenient(raw: str) -> dict[str, Any]:
    """What a torn JSON holds up to the tear, as tolerant parsers read it; no JSON holds nothing."""
    try:
        value = from_json(raw, allow_partial=True) if raw else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _fragments(text: str) -> Sequence[str]:
    return [text[at : at + _FRAGMENT] for at in range(0, len(text), _FRAGMENT)]
