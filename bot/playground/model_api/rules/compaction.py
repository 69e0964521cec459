"""Compaction: what may be summed up, and where the block that stands for it may be."""

from collections.abc import Iterator

from bot.playground.model_api.blocks import CompactionBlock, ServerToolUse, ToolUse
from bot.playground.model_api.compaction import Standing, standing
from bot.playground.model_api.errors import invalid
from bot.playground.model_api.request import walk
from bot.playground.model_api.rules.rule import Case, Complaints


def _summaries(case: Case) -> Iterator[tuple[int, int, CompactionBlock]]:
    """Those with content: one without is a summary that failed, and passed over."""
    for number, index, block in walk(case.prompt.messages):
        if isinstance(block, CompactionBlock) and block.content is not None:
            yield number, index, block


def ambiguous_summary(case: Case) -> Complaints:
    if len(list(_summaries(case))) > 1:
        yield invalid(
            "messages: only one `compaction` block may be sent, the last that was returned",
            "compaction_block_ambiguous",
        )


def misplaced_summary(case: Case) -> Complaints:
    for number, index, _ in _summaries(case):
        if (number, index) != (0, 0):
            yield invalid(
                f"messages.{number}.content.{index}: a `compaction` block must be the first block"
                " of the conversation",
                "compaction_block_misplaced",
            )


def forged_summary(case: Case) -> Complaints:
    for number, index, block in _summaries(case):
        place = f"messages.{number}.content.{index}"
        match standing(block):
            case Standing.FORGED:
                yield invalid(
                    f"{place}: Invalid `signature` in `compaction` block",
                    "compaction_signature_invalid",
                )
            case Standing.CHANGED:
                yield invalid(
                    f"{place}: the `content` of the `compaction` block is not what was signed",
                    "compaction_content_mismatch",
                )
            case Standing.GENUINE:
                pass


def nothing_to_sum_up(case: Case) -> Complaints:
    blocks = (block for _, _, block in walk(case.prompt.messages))
    said = any(not isinstance(block, CompactionBlock) for block in blocks)
    if case.prompt.compaction and not said:
        yield invalid(
            "messages: there is no content to summarize", "compaction_nothing_to_summarize"
        )


def unfinished_turn(case: Case) -> Complaints:
    last = case.prompt.messages[-1]
    open_call = last.content and isinstance(last.content[-1], ToolUse | ServerToolUse)
    if case.prompt.compaction and last.role == "assistant" and open_call:
        yield invalid(
            "messages: the last `assistant` turn is not finished", "compaction_incomplete_turn"
        )
