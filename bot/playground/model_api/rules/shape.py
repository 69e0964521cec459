"""The shape of a conversation: roles, their order, and content that isn't empty."""

from collections.abc import Iterator

from bot.playground.model_api.blocks import (
    Block,
    CompactionBlock,
    DocumentBlock,
    NovelBlock,
    RedactedThinkingBlock,
    SearchResultBlock,
    ServerToolUse,
    TextBlock,
    ThinkingBlock,
    ToolResult,
    ToolSearchResult,
    ToolUse,
)
from bot.playground.model_api.request import Message, Prompt, walk
from bot.playground.model_api.rules.rule import Case, Complaints

ROLES = ("user", "assistant", "system")
MOST_MESSAGES = 100_000


def no_messages(case: Case) -> Complaints:
    if not case.prompt.messages:
        yield "messages: at least one message is required"


def too_many_messages(case: Case) -> Complaints:
    if len(case.prompt.messages) > MOST_MESSAGES:
        yield f"messages: at most {MOST_MESSAGES} messages are allowed"


def unknown_role(case: Case) -> Complaints:
    for number, message in enumerate(case.prompt.messages):
        if message.role not in ROLES:
            yield f"messages.{number}.role: Input should be 'user' or 'assistant'"


def first_not_user(case: Case) -> Complaints:
    """But for the summary of a conversation that was compacted."""
    first = case.prompt.messages[0] if case.prompt.messages else None
    summary = first and first.content and isinstance(first.content[0], CompactionBlock)
    if first and first.role != "user" and not summary:
        yield 'messages: first message must use the "user" role'


def system_unsupported(case: Case) -> Complaints:
    for number, message in enumerate(case.prompt.messages):
        if message.role == "system" and not case.surface.system_messages:
            yield f"messages.{number}: role 'system' is not supported on this model"


def system_misplaced(case: Case) -> Complaints:
    """After a user's turn (or a server tool's result), and last or before an assistant's."""
    messages = case.prompt.messages
    for number, message in enumerate(messages):
        if message.role != "system":
            continue
        following = messages[number + 1] if number + 1 < len(messages) else None
        if not _may_precede_system(messages[number - 1]):
            yield f"messages.{number}: a 'system' message must follow a 'user' message"
        if following is not None and following.role != "assistant":
            yield f"messages.{number}: a 'system' message must be last or before 'assistant'"


def _may_precede_system(message: Message) -> bool:
    ends_in_result = bool(message.content) and isinstance(message.content[-1], ToolSearchResult)
    return message.role == "user" or (message.role == "assistant" and ends_in_result)


def system_not_text(case: Case) -> Complaints:
    for number, index, block in walk(case.prompt.messages):
        is_system = case.prompt.messages[number].role == "system"
        if is_system and not isinstance(block, TextBlock):
            yield f"messages.{number}.content.{index}: a 'system' message may only hold text"


_ASSISTANT_ONLY = (
    ToolUse,
    ServerToolUse,
    ThinkingBlock,
    RedactedThinkingBlock,
    ToolSearchResult,
    NovelBlock,
)


def block_of_other_role(case: Case) -> Complaints:
    for number, index, block in walk(case.prompt.messages):
        role = case.prompt.messages[number].role
        wanted = _only_role(block)
        if wanted and role != wanted:
            place = f"messages.{number}.content.{index}"
            yield f"{place}: `{block.type}` blocks can only be in `{wanted}` messages"


def _only_role(block: Block) -> str | None:
    if isinstance(block, ToolResult):
        return "user"
    return "assistant" if isinstance(block, _ASSISTANT_ONLY) else None


def empty_content(case: Case) -> Complaints:
    last = len(case.prompt.messages) - 1
    for number, message in enumerate(case.prompt.messages):
        is_prefill = number == last and message.role == "assistant"
        if not message.content and not is_prefill:
            yield (
                f"messages.{number}: all messages must have non-empty content"
                " except for the optional final assistant message"
            )


def empty_marked_text(case: Case) -> Complaints:
    for place, block in _texts(case.prompt):
        if block.cache_control and not block.text:
            yield f"{place}.text: cache_control cannot be set for empty text blocks"


def empty_text(case: Case) -> Complaints:
    for place, block in _texts(case.prompt):
        if not block.text:
            yield f"{place.partition('.')[0]}: text content blocks must be non-empty"


def blank_text(case: Case) -> Complaints:
    for place, block in _texts(case.prompt):
        if block.text and not block.text.strip():
            yield (
                f"{place.partition('.')[0]}: text content blocks must contain non-whitespace text"
            )


def _texts(prompt: Prompt) -> Iterator[tuple[str, TextBlock]]:
    for index, text in enumerate(prompt.system):
        yield f"system.{index}", text
    for number, index, block in walk(prompt.messages):
        place = f"messages.{number}.content.{index}"
        if isinstance(block, TextBlock):
            yield place, block
        if isinstance(block, ToolResult):
            parts = (part for part in block.content if isinstance(part, TextBlock))
            yield from ((f"{place}.content.{at}", part) for at, part in enumerate(parts))


def prefill(case: Case) -> Complaints:
    """Newer models can't continue an assistant message, except one paused at a server tool.

    What is to be summed up may end with an answer.
    """
    if case.prompt.compaction:
        return
    block = _last_of_assistant(case)
    ends_open = bool(case.prompt.messages) and case.prompt.messages[-1].role == "assistant"
    if ends_open and not case.surface.prefill and not isinstance(block, ServerToolUse):
        yield (
            "This model does not support assistant message prefill."
            " The conversation must end with a user message."
        )


def prefill_trailing_space(case: Case) -> Complaints:
    block = _last_of_assistant(case)
    if isinstance(block, TextBlock) and block.text[-1:].isspace():
        yield "messages: final assistant content cannot end with trailing whitespace"


def _last_of_assistant(case: Case) -> Block | None:
    """The last block, where the conversation ends with an assistant message that has any."""
    for message in case.prompt.messages[-1:]:
        if message.role == "assistant" and message.content:
            return message.content[-1]
    return None


def document_in_assistant(case: Case) -> Complaints:
    for number, index, block in walk(case.prompt.messages):
        role = case.prompt.messages[number].role
        if role == "assistant" and isinstance(block, DocumentBlock):
            place = f"messages.{number}.content.{index}"
            yield f"{place}: `document` blocks are not permitted in `assistant` messages"


def citations_in_user(case: Case) -> Complaints:
    for number, index, block in walk(case.prompt.messages):
        place = f"messages.{number}.content.{index}"
        cited = any(text.citations for text in _texts_within(block))
        if cited and case.prompt.messages[number].role == "user":
            yield f"{place}: `citations` are not permitted in `user` messages"


def _texts_within(block: Block) -> tuple[TextBlock, ...]:
    match block:
        case TextBlock():
            return (block,)
        case SearchResultBlock():
            return block.content
        case ToolResult():
            nested = (part for part in block.content if not isinstance(part, TextBlock))
            inner = (
                text
                for part in nested
                if isinstance(part, SearchResultBlock)
                for text in part.content
            )
            direct = (part for part in block.content if isinstance(part, TextBlock))
            return (*direct, *inner)
        case _:
            return ()
