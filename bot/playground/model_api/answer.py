"""What a brain gives back, and the port it answers through."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from bot.playground.model_api.faults import Fault
from bot.playground.model_api.request import MessagesRequest


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. `raw` replaces the input's JSON on the wire, to send a torn one."""

    name: str
    input: Mapping[str, Any]
    raw: str | None = None


@dataclass(frozen=True, slots=True)
class Other:
    """A block given as its JSON, sent whole in content_block_start."""

    block: Mapping[str, Any]


Piece: TypeAlias = Say | Call | Other


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer without its thinking block, which the stand-in adds and signs.

    A missing stop_reason is derived: tool_use where there are calls, else end_turn.
    """

    pieces: tuple[Piece, ...] = ()
    stop_reason: str | None = None
    faults: tuple[Fault, ...] = ()
    stream: tuple[Mapping[str, Any], ...] = ()
    """Events to be sent as they are, in place of the pieces: a stream that was recorded."""

    @property
    def stops_for(self) -> str:
        calls = any(isinstance(piece, Call) for piece in self.pieces)
        return self.stop_reason or ("tool_use" if calls else "end_turn")


class Brain(Protocol):
    """Where answers come from; asked from many threads at once."""

    def answer(self, request: MessagesRequest) -> Answer:
        """Raises Refused where it has nothing to say."""
        ...
