"""What of the model's own words may be sent back to it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.turn.events import Said

Block = Mapping[str, Any]

_THINKING = frozenset({"thinking", "redacted_thinking"})
_ID = re.compile(r"[a-zA-Z0-9_-]{1,200}")
"""As the API takes it, and no longer than the key of a call can be kept."""


def sendable(said: Said, epoch: str | None) -> tuple[dict[str, Any], ...]:
    """The blocks to replay, verbatim but for the order of keys, which a jsonb column doesn't keep.

    Thinking is bound to all that came before it, so it goes back only under the epoch it was made
    in, and not after a block that had to be left out. None stands for no thinking at all. A refused
    message stays away whole, as does one that would be nothing but thinking.
    """
    if said.stop_reason == "refusal":
        return ()
    kept = tuple(canonical(block) for block in _kept(said.blocks, thinking=said.epoch == epoch))
    return kept if any(block["type"] not in _THINKING for block in kept) else ()


def canonical(block: Block) -> dict[str, Any]:
    """The block in one spelling, however it was stored."""
    spelled: dict[str, Any] = json.loads(json.dumps(block, sort_keys=True))
    return spelled


def is_id(text: str) -> bool:
    """Whether the API takes this as the id of a call."""
    return _ID.fullmatch(text) is not None


def calls_in(blocks: Sequence[Block]) -> tuple[str, ...]:
    """Ids of the client calls, in tool order."""
    return tuple(block["id"] for block in blocks if block.get("type") == "tool_use")


def _kept(blocks: Sequence[Block], *, thinking: bool) -> Iterator[Block]:
    for block in blocks:
        if block.get("type") in _THINKING:
            if thinking and (block.get("signature") or block.get("data")):
                yield block
        elif _goes_back(block, blocks):
            yield block
        else:
            thinking = False


def _goes_back(block: Block, siblings: Sequence[Block]) -> bool:
    """Whether the API takes this block as input; kinds it has learnt since are left out."""
    match block:
        case {"type": "text", "text": str(text)}:
            return bool(text.strip())
        case {"type": "tool_use", "id": str(call), "name": str(), "input": dict()}:
            return is_id(call)
        case {"type": "server_tool_use", "id": str(call)}:
            return any(each.get("tool_use_id") == call for each in siblings)
        case {"type": str(kind), "tool_use_id": str(call)} if kind.endswith("_tool_result"):
            return any(each.get("id") == call for each in siblings)
        case _:
            return False
