"""Compaction on demand: a conversation summed up in one signed block, which then stands for it.

The API's own, in beta. Thinking in turns that were added while the summary was made is refused
here, where the real service takes it: the block is to be swapped in at once.
"""

import base64
import hashlib
import hmac
from collections.abc import Iterable
from enum import Enum, auto

from bot.playground.model_api.blocks import CompactionBlock, TextBlock
from bot.playground.model_api.errors import invalid
from bot.playground.model_api.request import Prompt, walk

BETA = "compact-2026-09-04"
_KEY = b"the stand-in sums up for nobody but itself"
_LONGEST = 200


class Standing(Enum):
    """What a block's signature says of its content."""

    GENUINE = auto()
    FORGED = auto()
    CHANGED = auto()


def permit(prompt: Prompt, betas: str) -> None:
    """Raises Refused where compaction is used without the beta header that allows it."""
    if BETA in {each.strip() for each in betas.split(",")}:
        return
    if prompt.compaction:
        raise invalid("compaction: Extra inputs are not permitted")
    for number, index, block in walk(prompt.messages):
        if isinstance(block, CompactionBlock):
            raise invalid(
                f"messages.{number}.content.{index}: Input tag 'compaction' found using 'type'"
                " does not match any of the expected tags"
            )


def summed_up(prompt: Prompt) -> CompactionBlock:
    """No language model: the beginning of what each side said, line by line."""
    said = (
        f"{prompt.messages[number].role}: {block.text[:_LONGEST]}"
        for number, _, block in walk(prompt.messages)
        if isinstance(block, TextBlock)
    )
    earlier = _earlier(block for _, _, block in walk(prompt.messages))
    content = "\n".join((*earlier, *said)) or "Nothing was said."
    return CompactionBlock(type="compaction", content=content, signature=signed(content))


def signed(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return base64.b64encode(_mac(digest) + digest).decode()


def standing(block: CompactionBlock) -> Standing:
    try:
        given = base64.b64decode(block.signature or "", validate=True)
    except ValueError:
        return Standing.FORGED
    mac, digest = given[:32], given[32:]
    if not hmac.compare_digest(mac, _mac(digest)):
        return Standing.FORGED
    same = digest == hashlib.sha256((block.content or "").encode()).digest()
    return Standing.GENUINE if same else Standing.CHANGED


def _earlier(blocks: Iterable[object]) -> tuple[str, ...]:
    """What an earlier summary held goes into the next one."""
    return tuple(
        block.content for block in blocks if isinstance(block, CompactionBlock) and block.content
    )


def _mac(digest: bytes) -> bytes:
    return hmac.new(_KEY, digest, hashlib.sha256).digest()
