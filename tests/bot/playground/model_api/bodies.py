"""Request bodies to begin from: each is accepted as it stands."""

from typing import Any

SONNET = "claude-sonnet-5-5"
HAIKU = "claude-haiku-5-5"
OPUS = "claude-opus-5-5"
OLD_HAIKU = "claude-haiku-4-5"
MARK = {"type": "ephemeral"}
HOUR = {"type": "ephemeral", "ttl": "1h"}

Body = dict[str, Any]


def body(**changes: Any) -> Body:  # noqa: ANN401 - any field of a request
    fields = {"model": SONNET, "max_tokens": 1000, "messages": [user("hi")], **changes}
    return {name: value for name, value in fields.items() if value is not ...}


def user(*content: Any) -> Body:  # noqa: ANN401 - words or blocks
    return _message("user", content)


def assistant(*content: Any) -> Body:  # noqa: ANN401 - words or blocks
    return _message("assistant", content)


def system(*content: Any) -> Body:  # noqa: ANN401 - words or blocks
    return _message("system", content)


def _message(role: str, content: tuple[Any, ...]) -> Body:
    return {"role": role, "content": [text(c) if isinstance(c, str) else c for c in content]}


def text(words: str, **more: Any) -> Body:  # noqa: ANN401 - any field of a block
    return {"type": "text", "text": words, **more}


def call(call_id: str = "toolu_1", name: str = "members__list", **more: Any) -> Body:  # noqa: ANN401 - any field of a block
    return {"type": "tool_use", "id": call_id, "name": name, "input": {}, **more}


def result(call_id: str = "toolu_1", content: Any = "[]", **more: Any) -> Body:  # noqa: ANN401 - words or blocks
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def search(call_id: str = "srvtoolu_1") -> Body:
    return {
        "type": "server_tool_use",
        "id": call_id,
        "name": "tool_search_tool_bm25",
        "input": {"query": "members"},
    }


def found(call_id: str = "srvtoolu_1") -> Body:
    content = {"type": "tool_search_tool_search_result", "tool_references": []}
    return {"type": "tool_search_tool_result", "tool_use_id": call_id, "content": content}


def tool(name: str = "members__list", schema: Body | None = None, **more: Any) -> Body:  # noqa: ANN401 - any field of a tool
    wanted = {"type": "object", "properties": {"q": {"type": "string"}}, **(schema or {})}
    return {"name": name, "description": "Lists members.", "input_schema": wanted, **more}


SEARCH_TOOL = {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}
EXCHANGE = (user("hi"), assistant(call()), user(result()))
