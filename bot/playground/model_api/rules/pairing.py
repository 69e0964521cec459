"""Calls and their results: each call answered once, in the next message, first in it."""

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile

from bot.playground.model_api.blocks import (
    ServerToolUse,
    TextBlock,
    ToolResult,
    ToolSearchResult,
    ToolUse,
)
from bot.playground.model_api.errors import invalid
from bot.playground.model_api.reading import PAUSE_MARK
from bot.playground.model_api.request import Message, walk
from bot.playground.model_api.rules.rule import Case, Complaints


def _runs(messages: tuple[Message, ...]) -> Iterator[tuple[int, tuple[ToolUse, ...]]]:
    """Where each run of assistant messages ends, and the calls made in the run."""
    calls: tuple[ToolUse, ...] = ()
    for number, message in enumerate(messages):
        if message.role != "assistant":
            continue
        calls += tuple(block for block in message.content if isinstance(block, ToolUse))
        following = messages[number + 1 : number + 2]
        if not following or following[0].role != "assistant":
            yield number, calls
            calls = ()


def unanswered_call(case: Case) -> Complaints:
    messages = case.prompt.messages
    for end, calls in _runs(messages):
        following = messages[end + 1].content if end + 1 < len(messages) else ()
        leading = takewhile(lambda block: isinstance(block, ToolResult), following)
        answered = {block.tool_use_id for block in leading if isinstance(block, ToolResult)}
        missing = [call.id for call in calls if call.id not in answered]
        if missing:
            yield (
                f"messages.{end}: `tool_use` ids were found without `tool_result` blocks"
                f" immediately after: {', '.join(missing)}. Each `tool_use` block must have a"
                " corresponding `tool_result` block in the next message."
            )


def unexpected_result(case: Case) -> Complaints:
    asked = {end + 1: {call.id for call in calls} for end, calls in _runs(case.prompt.messages)}
    for number, index, block in walk(case.prompt.messages):
        if isinstance(block, ToolResult) and block.tool_use_id not in asked.get(number, set()):
            yield (
                f"messages.{number}.content.{index}: unexpected `tool_use_id` found in"
                f" `tool_result` blocks: {block.tool_use_id}. Each `tool_result` block must have a"
                " corresponding `tool_use` block in the previous message."
            )


def result_of_server_call(case: Case) -> Complaints:
    for number, index, block in walk(case.prompt.messages):
        if isinstance(block, ToolResult) and block.tool_use_id.startswith("srvtoolu_"):
            yield (
                f"messages.{number}.content.{index}: `tool_result` blocks cannot answer a"
                f" `server_tool_use`: {block.tool_use_id}"
            )


def repeated_call_id(case: Case) -> Complaints:
    seen: set[str] = set()
    for number, index, block in walk(case.prompt.messages):
        if isinstance(block, ToolUse | ServerToolUse):
            if block.id in seen:
                yield f"messages.{number}.content.{index}: `tool_use` ids must be unique"
            seen.add(block.id)


def repeated_result(case: Case) -> Complaints:
    for message in case.prompt.messages:
        results = (block for block in message.content if isinstance(block, ToolResult))
        for call_id, count in Counter(block.tool_use_id for block in results).items():
            if count > 1:
                yield (
                    "each tool_use must have a single result."
                    f" Found multiple `tool_result` blocks with id: {call_id}"
                )


def error_not_text(case: Case) -> Complaints:
    for number, index, block in walk(case.prompt.messages):
        if not isinstance(block, ToolResult) or not block.is_error:
            continue
        if not all(isinstance(part, TextBlock) for part in block.content):
            yield (
                f"messages.{number}.content.{index}.tool_result:"
                " all content must be type `text` if `is_error` is true"
            )


def _references(case: Case) -> Iterator[str]:
    return iter(case.prompt.references)


def unresolved_reference(case: Case) -> Complaints:
    for name in _references(case):
        if name not in case.prompt.tool_by_name:
            yield invalid(
                f"Tool reference '{name}' not found in available tools",
                "tool_reference_unresolved",
            )


def reference_to_loaded_tool(case: Case) -> Complaints:
    for name in _references(case):
        tool = case.prompt.tool_by_name.get(name)
        if tool is not None and not tool.defer_loading:
            yield f"Tool reference '{name}' names a tool without `defer_loading`"


def unanswered_server_call(case: Case) -> Complaints:
    """A server tool's result stands in the same turn; only the very last may be pending."""
    blocks = [block for _, _, block in walk(case.prompt.messages)]
    answered = {block.tool_use_id for block in blocks if isinstance(block, ToolSearchResult)}
    for block in blocks[:-1]:
        if isinstance(block, ServerToolUse) and block.id not in answered:
            yield (
                f"`{block.name}` tool use with id `{block.id}` was found without a corresponding"
                f" `{block.name}_tool_result` block"
            )


def unexpected_server_result(case: Case) -> Complaints:
    asked: set[str] = set()
    for number, index, block in walk(case.prompt.messages):
        if isinstance(block, ServerToolUse):
            asked.add(block.id)
        if isinstance(block, ToolSearchResult) and block.tool_use_id not in asked:
            yield (
                f"messages.{number}.content.{index}: unexpected `tool_use_id` found in"
                f" `{block.type}` blocks: {block.tool_use_id}. Each `{block.type}` block must have"
                " a corresponding `server_tool_use` block before it."
            )


def server_tool_not_provided(case: Case) -> Complaints:
    """A pause injected as a fault comes from a search the caller never listed: let through."""
    provided = {tool.name for tool in case.prompt.tools}
    for _, _, block in walk(case.prompt.messages):
        injected = isinstance(block, ServerToolUse) and block.id.startswith(PAUSE_MARK)
        if isinstance(block, ServerToolUse) and not injected and block.name not in provided:
            yield f"Tool '{block.name}' not found in provided tools"
