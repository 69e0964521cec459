"""Modes of thinking and effort, model by model."""

from itertools import takewhile

from bot.playground.model_api.blocks import RedactedThinkingBlock, ThinkingBlock, ToolResult
from bot.playground.model_api.request import ThinkingEnabled
from bot.playground.model_api.rules.rule import Case, Complaints
from bot.playground.model_api.surface import Surface

_BETWEEN_TOOLS_EFFORTS = ("low", "medium", "high")


def unsupported_mode(case: Case) -> Complaints:
    config = case.prompt.thinking
    if config is None or config.type in case.surface.thinking:
        return
    match config.type:
        case "enabled":
            yield (
                '"thinking.type.enabled" is not supported for this model. Use'
                ' "thinking.type.adaptive" and "output_config.effort" to control thinking'
                " behavior."
            )
        case "disabled":
            yield _how_to_turn_off(case.surface)
        case "adaptive":
            yield "adaptive thinking is not supported on this model"
        case "between_tools":
            yield '"thinking.type.between_tools" is not supported for this model.'


def _how_to_turn_off(surface: Surface) -> str:
    if "between_tools" in surface.thinking:
        return (
            'To turn thinking off on this model, send "thinking": {"type": "between_tools"}'
            ' instead of {"type": "disabled"}.'
        )
    return '"thinking.type.disabled" is not supported for this model.'


def budget_over_max_tokens(case: Case) -> Complaints:
    config = case.prompt.thinking
    if case.max_tokens is None or not isinstance(config, ThinkingEnabled):
        return
    if case.max_tokens <= config.budget_tokens:
        yield "`max_tokens` must be greater than `thinking.budget_tokens`"


def _effort(case: Case) -> str | None:
    return case.prompt.output_config.effort if case.prompt.output_config else None


def unsupported_effort(case: Case) -> Complaints:
    effort = _effort(case)
    if effort is not None and effort not in case.surface.efforts:
        yield "output_config.effort: This model does not support the effort parameter."


def effort_between_tools(case: Case) -> Complaints:
    """Sonnet 5.5 thinks between tools at low, medium or high effort only."""
    config, effort = case.prompt.thinking, _effort(case)
    if config is None or config.type != "between_tools" or effort is None:
        return
    if effort not in _BETWEEN_TOOLS_EFFORTS:
        yield (
            f'output_config.effort: "{effort}" is not supported with "thinking.type.between_tools".'
        )


def effort_without_thinking(case: Case) -> Complaints:
    """Opus 5 can't turn thinking off above high effort."""
    config, effort = case.prompt.thinking, _effort(case)
    off = config is not None and config.type == "disabled"
    if case.surface.model == "claude-opus-5" and off and effort in {"xhigh", "max"}:
        yield f'output_config.effort: "{effort}" is not supported while thinking is disabled.'


def missing_thinking(case: Case) -> Complaints:
    """In manual mode a tool loop's last assistant message must still begin with its thinking."""
    if not isinstance(case.prompt.thinking, ThinkingEnabled):
        return
    messages = case.prompt.messages
    trailing = sum(1 for _ in takewhile(lambda said: said.role == "user", reversed(messages)))
    number = len(messages) - trailing - 1
    if number < 0 or not messages[number].content or not trailing:
        return
    if not any(isinstance(block, ToolResult) for block in messages[-1].content):
        return
    first = messages[number].content[0]
    if not isinstance(first, ThinkingBlock | RedactedThinkingBlock):
        yield (
            f"messages.{number}.content.0.type: Expected `thinking` or `redacted_thinking`, but"
            f" found `{first.type}`. When `thinking` is enabled, a final `assistant` message must"
            " start with a thinking block (preceeding the lastmost set of `tool_use` and"
            " `tool_result` blocks)."
        )
