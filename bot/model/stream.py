"""One streamed message, gathered: raw events in, words as they come, then the whole."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Never

from bot.model.faults import BrokenReply
from tools.kit.calls import Call

Json = dict[str, Any]

_DEEPEST = 64
"""No tool's arguments nest a tenth as deep; what nests deeper can't be stored or compared."""


@dataclass
class _Block:
    """A block as it started, and the pieces that came since."""

    start: Json
    pieces: dict[str, list[str]] = field(default_factory=dict)

    def add(self, delta: Json) -> None:
        match delta:
            case {"type": "text_delta", "text": str(text)}:
                self._piece("text", clean(text))
            case {"type": "input_json_delta", "partial_json": str(text)}:
                self._piece("input", text)
            case {"type": "thinking_delta", "thinking": str(text)}:
                self._piece("thinking", text)
            case {"type": "signature_delta", "signature": str(text)}:
                self._piece("signature", text)
            case _:
                pass

    def whole(self) -> Json:
        """Raises BrokenReply for an input that isn't one strict JSON object, or no text."""
        joined: Json = {key: "".join(pieces) for key, pieces in self.pieces.items()}
        sent = joined.pop("input", "")
        if sent:
            joined["input"] = strict_object(sent)
        found: Json = {**_clean_deep(self.start, _DEEPEST), **joined}
        match found:
            case {"type": "text", "text": str()}:
                return found
            case {"type": str(kind)} if kind != "text":
                return found
            case _:
                raise BrokenReply("a block that is none")

    def _piece(self, key: str, text: str) -> None:
        self.pieces.setdefault(key, []).append(text)


@dataclass
class Gathering:
    """What has been seen of a message; nothing in it counts before `finished`."""

    message_id: str = ""
    model: str = ""
    stop_reason: str | None = None
    usage: Json = field(default_factory=dict)
    miss: str | None = None
    finished: bool = False
    _blocks: dict[int, _Block] = field(default_factory=dict)
    _spoke: bool = False

    def words(self, events: Iterable[Json]) -> Iterator[str]:
        """The text of each event that has some; events of unknown kinds are passed over."""
        for event in events:
            match event:
                case {"type": "message_start", "message": dict(message)}:
                    self._open(message)
                case {
                    "type": "content_block_start",
                    "index": int(at),
                    "content_block": dict(block),
                }:
                    self._blocks[at] = _Block(block)
                    yield from self._said(block)
                case {"type": "content_block_delta", "index": int(at), "delta": dict(delta)}:
                    if at in self._blocks:
                        self._blocks[at].add(delta)
                        yield from self._said(delta)
                case {"type": "message_delta", "delta": dict(delta)}:
                    self._end(delta, event.get("usage"))
                case {"type": "message_stop"}:
                    self.finished = True
                case _:
                    pass

    def take(self, message: Json) -> None:
        """A message that came in one piece. Raises BrokenReply for what is none."""
        self._open(message)
        self._end(message, {})
        content = message.get("content") or []
        if not isinstance(content, list) or not all(isinstance(one, dict) for one in content):
            raise BrokenReply("a message without blocks")
        self._blocks = dict(enumerate(map(_Block, content)))
        self.finished = True

    def blocks(self) -> tuple[Json, ...]:
        """All blocks, whole. Raises BrokenReply unless the message was read to its end.

        Where calls can't run anyway, one that was cut off in its input is left out.
        """
        if not self.finished:
            raise BrokenReply("the stream ended before its message")
        found: list[Json] = []
        for _, block in sorted(self._blocks.items()):
            try:
                found.append(block.whole())
            except BrokenReply:
                if self.stop_reason == "tool_use":
                    raise
        return tuple(found)

    def _open(self, message: Json) -> None:
        self.message_id = _text(message.get("id"))
        self.model = _text(message.get("model"))
        self.usage.update(_object(message.get("usage")))
        missed = _object(_object(message.get("diagnostics")).get("cache_miss_reason"))
        self.miss = _text(missed.get("type")) or None

    def _end(self, delta: Json, usage: object) -> None:
        self.stop_reason = _text(delta.get("stop_reason")) or self.stop_reason
        told = _object(usage)
        self.usage.update({key: count for key, count in told.items() if count is not None})

    def _said(self, piece: Json) -> Iterator[str]:
        """Texts of several blocks are kept apart by an empty line."""
        text = clean(_text(piece.get("text")))
        if piece.get("type") == "text" and self._spoke:
            yield "\n\n"
        if text and piece.get("type") in {"text", "text_delta"}:
            self._spoke = True
            yield text


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def calls(blocks: Iterable[Json]) -> tuple[Call, ...]:
    """The client calls among the blocks, in order. Raises BrokenReply for one without its parts."""
    return tuple(_call(block) for block in blocks if block.get("type") == "tool_use")


def _call(block: Json) -> Call:
    match block:
        case {"id": str(call), "name": str(name), "input": dict(given)}:
            return Call(id=call, name=name, input=given)
        case _:
            raise BrokenReply("a call lacks a part")


def strict_object(text: str) -> Json:
    """A JSON object by the letter: complete, no NaN, no key twice. Raises BrokenReply."""
    try:
        found = json.loads(text, parse_constant=_refused, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise BrokenReply("a call's input is no JSON") from error
    if not isinstance(found, dict):
        raise BrokenReply("a call's input is no object")
    return {key: _clean_deep(value, _DEEPEST) for key, value in found.items()}


def clean(text: str) -> str:
    """Without what PostgreSQL can't hold: NUL and halves of surrogate pairs."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def _refused(constant: str) -> Never:
    raise ValueError(constant)


def _once(pairs: list[tuple[str, Any]]) -> Json:
    found = {clean(key): value for key, value in pairs}
    if len(found) < len(pairs):
        raise ValueError("a key comes twice")
    return found


def _clean_deep(value: Any, room: int) -> Any:  # noqa: ANN401 - any JSON, there and back
    if room == 0:
        raise BrokenReply("a call's input is too deep")
    match value:
        case str():
            return clean(value)
        case list():
            return [_clean_deep(each, room - 1) for each in value]
        case dict():
            return {key: _clean_deep(each, room - 1) for key, each in value.items()}
        case _:
            return value
