"""Requests whose conversation is out of shape, or whose calls and results don't pair."""

from tests.bot.playground.model_api.bodies import (
    EXCHANGE,
    HAIKU,
    MARK,
    OLD_HAIKU,
    SEARCH_TOOL,
    Body,
    assistant,
    body,
    call,
    found,
    result,
    search,
    system,
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


def _after(*content: object) -> list[Body]:
    return [user("hi"), assistant(call()), user(*content)]


SHAPE = (
    Row("no_messages", body(messages=[]), "messages: at least one message is required"),
    Row(
        "unknown_role",
        body(messages=[{"role": "coach", "content": "hi"}]),
        "messages.0.role: Input should be 'user' or 'assistant'",
    ),
    Row(
        "first_not_user",
        body(messages=[assistant("hi"), user("hi")]),
        'messages: first message must use the "user" role',
    ),
    Row(
        "system_unsupported",
        body(model=HAIKU, messages=[user("hi"), system("note")]),
        "messages.1: role 'system' is not supported on this model",
    ),
    Row(
        "system_misplaced",
        body(messages=[user("hi"), system("note"), user("go")]),
        "messages.1: a 'system' message must be last",
    ),
    Row(
        "system_misplaced",
        body(messages=[user("hi"), assistant("yes"), system("note")]),
        "messages.2: a 'system' message must follow a 'user' message",
    ),
    Row(
        "system_not_text",
        body(messages=[user("hi"), system(_DOCUMENT)]),
        "messages.1.content.0: a 'system' message may only hold text",
    ),
    Row(
        "empty_content",
        body(messages=[user("hi"), assistant(), user("go")]),
        "messages.1: all messages must have non-empty content"
        " except for the optional final assistant message",
    ),
    Row(
        "empty_marked_text",
        body(messages=[user("hi", text("", cache_control=MARK))]),
        "messages.0.content.1.text: cache_control cannot be set for empty text blocks",
    ),
    Row(
        "empty_text",
        body(messages=[user("hi", "")]),
        "messages: text content blocks must be non-empty",
    ),
    Row(
        "empty_text",
        body(messages=_after(result(content=[text("")]))),
        "messages: text content blocks must be non-empty",
    ),
    Row("empty_text", body(system=[text("")]), "system: text content blocks must be non-empty"),
    Row(
        "blank_text",
        body(messages=[user(" \n")]),
        "messages: text content blocks must contain non-whitespace text",
    ),
    Row(
        "document_in_assistant",
        body(messages=[user("hi"), assistant(_DOCUMENT), user("go")]),
        "messages.1.content.0: `document` blocks are not permitted in `assistant` messages",
    ),
    Row(
        "block_of_other_role",
        body(messages=[user(search(), found(), "hi")], tools=[SEARCH_TOOL]),
        "messages.0.content.0: `server_tool_use` blocks can only be in `assistant` messages",
    ),
    Row(
        "citations_in_user",
        body(messages=[user(_CITED)]),
        "messages.0.content.0: `citations` are not permitted in `user` messages",
    ),
    Row(
        "prefill",
        body(messages=[user("hi"), assistant("I")]),
        "This model does not support assistant message prefill."
        " The conversation must end with a user message.",
    ),
    Row(
        "prefill_trailing_space",
        body(model=OLD_HAIKU, messages=[user("hi"), assistant("I think ")]),
        "messages: final assistant content cannot end with trailing whitespace",
    ),
)

PAIRING = (
    Row(
        "unanswered_call",
        body(messages=[user("hi"), assistant(call()), user("go")]),
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after:"
        " toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the"
        " next message.",
    ),
    Row(
        "unanswered_call",
        body(messages=_after("so", result())),
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after",
    ),
    Row(
        "unanswered_call",
        body(
            messages=[
                user("hi"),
                assistant(call("a"), call("b")),
                user(result("a")),
                user(result("b")),
            ]
        ),
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b.",
    ),
    Row(
        "unexpected_result",
        body(messages=_after(result(), result("toolu_9"))),
        "messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9."
        " Each `tool_result` block must have a corresponding `tool_use` block in the previous"
        " message.",
    ),
    Row(
        "unexpected_result",
        body(messages=[*EXCHANGE, assistant("so"), user(result())]),
        "messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1.",
    ),
    Row(
        "result_of_server_call",
        body(messages=[user("hi"), assistant("so"), user(result("srvtoolu_1"))]),
        "messages.2.content.0: `tool_result` blocks cannot answer a `server_tool_use`",
    ),
    Row(
        "repeated_call_id",
        body(messages=[user("hi"), assistant(call(), call()), user(result())]),
        "messages.1.content.1: `tool_use` ids must be unique",
    ),
    Row(
        "repeated_result",
        body(messages=_after(result(), result())),
        "each tool_use must have a single result."
        " Found multiple `tool_result` blocks with id: toolu_1",
    ),
    Row(
        "error_not_text",
        body(messages=_after(result(content=[_DOCUMENT], is_error=True))),
        "messages.2.content.0.tool_result: all content must be type `text` if `is_error` is true",
    ),
    Row(
        "unresolved_reference",
        body(messages=_after(result(content=[_REFERENCE]))),
        "Tool reference 'bookings__cancel' not found in available tools",
        "tool_reference_unresolved",
    ),
    Row(
        "reference_to_loaded_tool",
        body(messages=_after(result(content=[_REFERENCE])), tools=[tool("bookings__cancel")]),
        "Tool reference 'bookings__cancel' names a tool without `defer_loading`",
    ),
    Row(
        "unanswered_server_call",
        body(messages=[user("hi"), assistant(search()), user("go")], tools=[SEARCH_TOOL]),
        "`tool_search_tool_bm25` tool use with id `srvtoolu_1` was found without a corresponding"
        " `tool_search_tool_bm25_tool_result` block",
    ),
    Row(
        "unexpected_server_result",
        body(messages=[user("hi"), assistant(found()), user("go")]),
        "messages.1.content.0: unexpected `tool_use_id` found in `tool_search_tool_result`",
    ),
    Row(
        "server_tool_not_provided",
        body(messages=[user("hi"), assistant(search(), found()), user("go")]),
        "Tool 'tool_search_tool_bm25' not found in provided tools",
    ),
)
