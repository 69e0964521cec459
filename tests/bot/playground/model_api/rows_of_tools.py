"""Requests that break a rule of tools, thinking or size."""

from tests.bot.playground.model_api.bodies import (
    EXCHANGE,
    HAIKU,
    HOUR,
    MARK,
    OLD_HAIKU,
    OPUS,
    body,
    text,
    tool,
    user,
)
from tests.bot.playground.model_api.rows import Row

_DOCUMENT = {
    "type": "document",
    "source": {"type": "text", "media_type": "text/plain", "data": "x"},
}
_CITED = text("hi", citations=[{"type": "char_location"}])
_STRICT = {"additionalProperties": False, "properties": {}, "required": []}
_ENABLED = {"type": "enabled", "budget_tokens": 1024}
_REFERENCE = {"type": "tool_reference", "tool_name": "bookings__cancel"}


TOOLS = (
    Row("repeated_name", body(tools=[tool(), tool()]), "tools: Tool names must be unique."),
    Row(
        "combinator_at_top",
        body(tools=[tool(schema={"anyOf": []})]),
        "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at"
        " the top level",
    ),
    Row(
        "invalid_schema",
        body(tools=[tool(), tool("b", {"properties": {"n": {"exclusiveMinimum": True}}})]),
        "tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft"
        " 2020-12",
    ),
    Row(
        "invalid_schema",
        body(tools=[tool(schema={"properties": {"n": {"items": [{}]}}})]),
        "tools.0.custom.input_schema: JSON schema is invalid.",
    ),
    Row(
        "invalid_schema",
        body(tools=[tool(schema={"required": ["q", "q"]})]),
        "tools.0.custom.input_schema: JSON schema is invalid.",
    ),
    Row(
        "all_deferred",
        body(tools=[tool(defer_loading=True)]),
        "At least one tool must have defer_loading=false. All tools cannot be deferred.",
    ),
    Row(
        "deferred_and_marked",
        body(tools=[tool(), tool("b", defer_loading=True, cache_control=MARK)]),
        "tools.1.custom: a tool with defer_loading=true cannot set cache_control",
    ),
    Row(
        "bad_example",
        body(tools=[tool(input_examples=[{"q": 1}])]),
        "tools.0.custom.input_examples.0: the example does not match input_schema",
    ),
    Row(
        "choice_without_tools",
        body(tool_choice={"type": "auto"}),
        "tool_choice may only be specified while providing tools.",
    ),
    Row(
        "forced_choice",
        body(tools=[tool()], tool_choice={"type": "any"}),
        'tool_choice: type "tool" and "any" are not supported for this model.',
    ),
    Row(
        "forced_choice",
        body(model=OPUS, tools=[tool()], tool_choice={"type": "tool", "name": "members__list"}),
        'tool_choice: type "tool" and "any" are not supported for this model.',
    ),
    Row(
        "forced_choice_while_thinking",
        body(
            model=OLD_HAIKU,
            max_tokens=2000,
            tools=[tool()],
            tool_choice={"type": "any"},
            thinking=_ENABLED,
        ),
        "Thinking may not be enabled when tool_choice forces tool use.",
    ),
    Row(
        "chosen_tool_unknown",
        body(model=HAIKU, tools=[tool()], tool_choice={"type": "tool", "name": "fly"}),
        "Tool 'fly' not found in provided tools",
    ),
    Row(
        "too_many_strict",
        body(tools=[tool(f"t{n}", _STRICT, strict=True) for n in range(21)]),
        "The compiled grammar is too large, which would cause performance issues.",
    ),
    Row(
        "too_many_optional",
        body(
            tools=[
                tool(
                    schema={**_STRICT, "properties": {f"p{n}": {} for n in range(25)}}, strict=True
                )
            ]
        ),
        "Schema is too complex for compilation.",
    ),
    Row(
        "too_many_unions",
        body(
            tools=[
                tool(
                    schema={
                        **_STRICT,
                        "properties": {f"p{n}": {"type": ["string", "null"]} for n in range(17)},
                        "required": [f"p{n}" for n in range(17)],
                    },
                    strict=True,
                )
            ]
        ),
        "Schema is too complex for compilation.",
    ),
    Row(
        "open_object",
        body(tools=[tool(strict=True)]),
        "tools.0.custom.input_schema: For 'object' type, 'additionalProperties' must be"
        " explicitly set to false",
    ),
    Row(
        "unsupported_pattern",
        body(
            tools=[
                tool(schema={**_STRICT, "properties": {"q": {"pattern": "(?=a)b"}}}, strict=True)
            ]
        ),
        "tools.0.custom.input_schema: Unsupported regex feature in pattern field: (?=a)b",
    ),
)

LIMITS = (
    Row(
        "unsupported_mode",
        body(max_tokens=2000, thinking=_ENABLED),
        '"thinking.type.enabled" is not supported for this model.',
    ),
    Row(
        "unsupported_mode",
        body(thinking={"type": "disabled"}),
        'To turn thinking off on this model, send "thinking": {"type": "between_tools"} instead',
    ),
    Row(
        "unsupported_mode",
        body(model=OPUS, thinking={"type": "disabled"}),
        '"thinking.type.disabled" is not supported for this model.',
    ),
    Row(
        "unsupported_mode",
        body(model=HAIKU, thinking={"type": "between_tools"}),
        '"thinking.type.between_tools" is not supported for this model.',
    ),
    Row(
        "unsupported_mode",
        body(model=OLD_HAIKU, thinking={"type": "adaptive"}),
        "adaptive thinking is not supported on this model",
    ),
    Row(
        "budget_over_max_tokens",
        body(model=OLD_HAIKU, max_tokens=1024, thinking=_ENABLED),
        "`max_tokens` must be greater than `thinking.budget_tokens`",
    ),
    Row(
        "unsupported_effort",
        body(model=OLD_HAIKU, output_config={"effort": "low"}),
        "output_config.effort: This model does not support the effort parameter.",
    ),
    Row(
        "effort_between_tools",
        body(thinking={"type": "between_tools"}, output_config={"effort": "max"}),
        'output_config.effort: "max" is not supported with "thinking.type.between_tools".',
    ),
    Row(
        "effort_without_thinking",
        body(model="claude-opus-5", thinking={"type": "disabled"}, output_config={"effort": "max"}),
        'output_config.effort: "max" is not supported while thinking is disabled.',
    ),
    Row(
        "missing_thinking",
        body(model=OLD_HAIKU, max_tokens=2000, thinking=_ENABLED, messages=list(EXCHANGE)),
        "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found"
        " `tool_use`.",
    ),
    Row(
        "too_many_marks",
        body(
            tools=[tool(cache_control=MARK)],
            system=[text("s", cache_control=MARK)],
            messages=[user(*(text("hi", cache_control=MARK) for _ in range(3)))],
        ),
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ),
    Row(
        "too_many_marks",
        body(
            system=[text("s", cache_control=MARK)],
            cache_control=MARK,
            messages=[user(*(text("hi", cache_control=MARK) for _ in range(3)), "last")],
        ),
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ),
    Row(
        "longer_ttl_after_shorter",
        body(
            system=[text("s", cache_control=MARK)], messages=[user(text("x", cache_control=HOUR))]
        ),
        "messages.0.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come"
        " after a ttl='5m' cache_control block.",
    ),
    Row(
        "automatic_ttl_differs",
        body(cache_control=MARK, messages=[user(text("x", cache_control=HOUR))]),
        "cache_control: the last block already has a cache_control with another ttl",
    ),
    Row(
        "too_many_output_tokens",
        body(max_tokens=200_000),
        "max_tokens: 200000 > 128000, which is the maximum allowed number of output tokens for"
        " claude-sonnet-5-5",
    ),
    Row(
        "prompt_too_long",
        body(model=OLD_HAIKU, messages=[user("word " * 130_000)]),
        "tokens > 200000 maximum",
    ),
    Row(
        "context_exceeded",
        body(model=OLD_HAIKU, max_tokens=64_000, messages=[user("word " * 100_000)]),
        "input length and `max_tokens` exceed context limit: ",
    ),
    Row(
        "no_tokens_while_streaming",
        body(max_tokens=0, stream=True),
        "max_tokens: 0 cannot be combined with `stream`",
    ),
    Row(
        "no_tokens_while_thinking",
        body(model=OLD_HAIKU, max_tokens=0, thinking=_ENABLED),
        "max_tokens: 0 cannot be combined with enabled thinking",
    ),
    Row(
        "no_tokens_with_format",
        body(max_tokens=0, output_config={"format": {"type": "json_schema", "schema": {}}}),
        "max_tokens: 0 cannot be combined with `output_config.format`",
    ),
    Row(
        "no_tokens_with_forced_choice",
        body(model=HAIKU, max_tokens=0, tools=[tool()], tool_choice={"type": "any"}),
        "max_tokens: 0 cannot be combined with a forced `tool_choice`",
    ),
)

LARGE = (
    Row(
        "too_many_tools",
        body(tools=[tool(), *(tool(f"t{n}", defer_loading=True) for n in range(10_001))]),
        "tools: at most 10000 deferred tools are allowed.",
        "available_tools_limit_exceeded",
    ),
    Row(
        "too_large_tools",
        body(tools=[tool(schema={"description": "d" * 4_200_000})]),
        "tools: definitions take",
        "available_tools_limit_exceeded",
    ),
)
