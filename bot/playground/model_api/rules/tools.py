"""Tool definitions and the choice among them."""

import json
from collections.abc import Iterator
from functools import lru_cache

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from bot.playground.model_api.errors import invalid
from bot.playground.model_api.request import ChoiceTool, ThinkingEnabled, Tool
from bot.playground.model_api.rules.rule import Case, Complaints

MOST_DEFERRED = 10_000
MOST_BYTES = 4_194_304
_COMBINATORS = ("oneOf", "allOf", "anyOf")


def repeated_name(case: Case) -> Complaints:
    names = [tool.name for tool in case.prompt.tools]
    if len(set(names)) < len(names):
        yield "tools: Tool names must be unique."


def _numbered(case: Case) -> Iterator[tuple[int, Tool]]:
    for number, tool in enumerate(case.prompt.tools):
        if isinstance(tool, Tool):
            yield number, tool


def combinator_at_top(case: Case) -> Complaints:
    for number, tool in _numbered(case):
        if any(word in (tool.input_schema.model_extra or {}) for word in _COMBINATORS):
            yield (
                f"tools.{number}.custom.input_schema: input_schema does not support"
                " oneOf, allOf, or anyOf at the top level"
            )


def invalid_schema(case: Case) -> Complaints:
    for number, tool in _numbered(case):
        if not _is_schema(tool.input_schema.model_dump_json()):
            yield (
                f"tools.{number}.custom.input_schema: JSON schema is invalid. It must match JSON"
                " Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about"
                " tool use at https://docs.claude.com/en/docs/tool-use."
            )


@lru_cache(maxsize=4096)
def _is_schema(text: str) -> bool:
    """Remembered by text: the same two hundred definitions come with every request."""
    try:
        Draft202012Validator.check_schema(json.loads(text))
    except SchemaError:
        return False
    return True


def choice_without_tools(case: Case) -> Complaints:
    if case.prompt.tool_choice is not None and not case.prompt.tools:
        yield "tool_choice may only be specified while providing tools."


def forced_choice(case: Case) -> Complaints:
    if case.prompt.forces_tool and not case.surface.forced_choice:
        yield 'tool_choice: type "tool" and "any" are not supported for this model.'


def forced_choice_while_thinking(case: Case) -> Complaints:
    if case.prompt.forces_tool and isinstance(case.prompt.thinking, ThinkingEnabled):
        yield "Thinking may not be enabled when tool_choice forces tool use."


def chosen_tool_unknown(case: Case) -> Complaints:
    choice = case.prompt.tool_choice
    names = {tool.name for tool in case.prompt.tools}
    if isinstance(choice, ChoiceTool) and choice.name not in names:
        yield f"Tool '{choice.name}' not found in provided tools"


def all_deferred(case: Case) -> Complaints:
    if case.prompt.tools and all(tool.defer_loading for tool in case.prompt.tools):
        yield ("At least one tool must have defer_loading=false. All tools cannot be deferred.")


def deferred_and_marked(case: Case) -> Complaints:
    for number, tool in _numbered(case):
        if tool.defer_loading and tool.cache_control:
            yield (
                f"tools.{number}.custom: a tool with defer_loading=true cannot set cache_control"
            )


def too_many_tools(case: Case) -> Complaints:
    deferred = sum(tool.defer_loading for tool in case.prompt.client_tools)
    if deferred > MOST_DEFERRED:
        yield invalid(
            f"tools: at most {MOST_DEFERRED} deferred tools are allowed. Found {deferred}.",
            "available_tools_limit_exceeded",
        )


def too_large_tools(case: Case) -> Complaints:
    size = sum(len(tool.text.encode()) for tool in case.prompt.tools)
    if size > MOST_BYTES:
        yield invalid(
            f"tools: definitions take {size} bytes, the most is {MOST_BYTES}.",
            "available_tools_limit_exceeded",
        )


def bad_example(case: Case) -> Complaints:
    for number, tool in _numbered(case):
        for index, example in enumerate(tool.input_examples or ()):
            if not Draft202012Validator(tool.json_schema).is_valid(example):
                yield (
                    f"tools.{number}.custom.input_examples.{index}:"
                    " the example does not match input_schema"
                )
