"""Calls that code on the server makes: what may not be asked for beside them, and their results."""

from collections.abc import Iterator

from bot.playground.model_api.blocks import TextBlock, ToolResult, ToolUse
from bot.playground.model_api.request import (
    ChoiceAny,
    ChoiceAuto,
    ChoiceTool,
    MessagesRequest,
    Tool,
)
from bot.playground.model_api.rules.rule import Case, Complaints

CALLERS = (
    "direct",
    "code_execution_20250825",
    "code_execution_20260120",
    "code_execution_20260521",
)


def unknown_caller(case: Case) -> Complaints:
    for number, tool in enumerate(case.prompt.tools):
        for at, caller in enumerate(tool.allowed_callers or () if isinstance(tool, Tool) else ()):
            if caller not in CALLERS:
                known = ", ".join(f"'{each}'" for each in CALLERS)
                yield f"tools.{number}.custom.allowed_callers.{at}: Input should be one of {known}"


def strict_called_by_code(case: Case) -> Complaints:
    for number, tool in _called_by_code(case):
        if tool.strict:
            yield f"tools.{number}.custom: `strict` cannot be combined with calls from code"


def single_call_from_code(case: Case) -> Complaints:
    choice = case.prompt.tool_choice
    if not isinstance(choice, ChoiceAuto | ChoiceAny | ChoiceTool):
        return
    if choice.disable_parallel_tool_use and any(_called_by_code(case)):
        yield "tool_choice: `disable_parallel_tool_use` cannot be combined with calls from code"


def words_beside_results_for_code(case: Case) -> Complaints:
    """While code waits for its calls, only their results may come, and only as text."""
    for number in _waited_for(case):
        for index, block in enumerate(case.prompt.messages[number].content):
            plain = isinstance(block, ToolResult) and all(
                isinstance(part, TextBlock) for part in block.content
            )
            if not plain:
                yield (
                    f"messages.{number}.content.{index}: only `tool_result` blocks of text may"
                    " answer calls from code"
                )


def results_for_code_without_container(case: Case) -> Complaints:
    request = case.prompt
    last = len(request.messages) - 1
    pending = last in set(_waited_for(case))
    if pending and isinstance(request, MessagesRequest) and request.container is None:
        yield "container: required while calls from code are pending"


def _called_by_code(case: Case) -> Iterator[tuple[int, Tool]]:
    for number, tool in enumerate(case.prompt.tools):
        callers = tool.allowed_callers or () if isinstance(tool, Tool) else ()
        if isinstance(tool, Tool) and any(caller in CALLERS[1:] for caller in callers):
            yield number, tool


def _waited_for(case: Case) -> Iterator[int]:
    """The numbers of messages that follow a call from code."""
    messages = case.prompt.messages
    for number, message in enumerate(messages[:-1]):
        calls = (block for block in message.content if isinstance(block, ToolUse))
        if any((call.caller or {}).get("type") in CALLERS[1:] for call in calls):
            yield number + 1
