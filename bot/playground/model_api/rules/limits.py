"""Sizes, cache markers, and what a request for no tokens may not ask."""

from bot.playground.model_api.marks import automatic_place, marks
from bot.playground.model_api.request import MessagesRequest, ThinkingEnabled
from bot.playground.model_api.rules.rule import Case, Complaints

MOST_MARKS = 4


def too_many_output_tokens(case: Case) -> Complaints:
    limit = case.surface.max_output
    if case.max_tokens is not None and case.max_tokens > limit:
        yield (
            f"max_tokens: {case.max_tokens} > {limit}, which is the maximum allowed number of"
            f" output tokens for {case.surface.model}"
        )


def prompt_too_long(case: Case) -> Complaints:
    if case.tokens > case.surface.context:
        yield f"prompt is too long: {case.tokens} tokens > {case.surface.context} maximum"


def context_exceeded(case: Case) -> Complaints:
    """Older models refuse what newer ones begin and then stop."""
    if not case.surface.overflow_is_refused or case.max_tokens is None:
        return
    if case.tokens + case.max_tokens > case.surface.context:
        yield (
            f"input length and `max_tokens` exceed context limit: {case.tokens} +"
            f" {case.max_tokens} > {case.surface.context}, decrease input length or `max_tokens`"
            " and try again"
        )


def too_many_marks(case: Case) -> Complaints:
    found = len(list(marks(case.prompt))) + (case.prompt.cache_control is not None)
    if automatic_place(case.prompt) in {place for place, _ in marks(case.prompt)}:
        found -= 1
    if found > MOST_MARKS:
        yield (
            f"A maximum of {MOST_MARKS} blocks with cache_control may be provided. Found {found}."
        )


def longer_ttl_after_shorter(case: Case) -> Complaints:
    placed = [*marks(case.prompt)]
    if case.prompt.cache_control:
        placed.append(("cache_control", case.prompt.cache_control))
    shorter = False
    for place, mark in placed:
        if shorter and mark.ttl == "1h":
            yield (
                f"{place}.ttl: a ttl='1h' cache_control block must not come after a ttl='5m'"
                " cache_control block. Note that blocks are processed in the following order:"
                " `tools`, `system`, `messages`."
            )
        shorter = shorter or mark.ttl == "5m"


def automatic_ttl_differs(case: Case) -> Complaints:
    automatic = case.prompt.cache_control
    explicit = dict(marks(case.prompt)).get(automatic_place(case.prompt) or "")
    if automatic and explicit and explicit.ttl != automatic.ttl:
        yield "cache_control: the last block already has a cache_control with another ttl"


def no_tokens_while_streaming(case: Case) -> Complaints:
    if isinstance(case.prompt, MessagesRequest) and case.max_tokens == 0 and case.prompt.stream:
        yield "max_tokens: 0 cannot be combined with `stream`"


def no_tokens_while_thinking(case: Case) -> Complaints:
    if case.max_tokens == 0 and isinstance(case.prompt.thinking, ThinkingEnabled):
        yield "max_tokens: 0 cannot be combined with enabled thinking"


def no_tokens_with_format(case: Case) -> Complaints:
    config = case.prompt.output_config
    if case.max_tokens == 0 and config is not None and config.format is not None:
        yield "max_tokens: 0 cannot be combined with `output_config.format`"


def no_tokens_with_forced_choice(case: Case) -> Complaints:
    if case.max_tokens == 0 and case.prompt.forces_tool:
        yield "max_tokens: 0 cannot be combined with a forced `tool_choice`"
