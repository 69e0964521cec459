"""Content blocks as they come over the wire, typed, with pydantic's paths in every error."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool

ID_PATTERN = r"^[a-zA-Z0-9_-]+$"
SERVER_ID_PATTERN = r"^srvtoolu_[a-zA-Z0-9_]+$"


class Wire(BaseModel):
    """Anything that comes over the wire: frozen, and unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class CacheControl(Wire):
    type: Literal["ephemeral"]
    ttl: Literal["5m", "1h"] = "5m"


class Markable(Wire):
    cache_control: CacheControl | None = None


class TextBlock(Markable):
    type: Literal["text"]
    text: str
    citations: tuple[dict[str, Any], ...] | None = None


class ThinkingBlock(Wire):
    type: Literal["thinking"]
    thinking: str
    signature: str


class RedactedThinkingBlock(Wire):
    type: Literal["redacted_thinking"]
    data: str


class ToolUse(Markable):
    type: Literal["tool_use"]
    id: Annotated[str, Field(pattern=ID_PATTERN)]
    name: Annotated[str, Field(max_length=200)]
    input: dict[str, Any]
    caller: dict[str, Any] | None = None
    toolset_name: str | None = None


class ServerToolUse(Markable):
    type: Literal["server_tool_use"]
    id: Annotated[str, Field(pattern=SERVER_ID_PATTERN)]
    name: str
    input: dict[str, Any]
    caller: dict[str, Any] | None = None


class ToolSearchResult(Markable):
    type: Literal["tool_search_tool_result"]
    tool_use_id: Annotated[str, Field(pattern=SERVER_ID_PATTERN)]
    content: dict[str, Any]


class ToolReference(Markable):
    type: Literal["tool_reference"]
    tool_name: str


class ImageBlock(Markable):
    type: Literal["image"]
    source: dict[str, Any]


class DocumentBlock(Markable):
    type: Literal["document"]
    source: dict[str, Any]
    title: str | None = None
    context: str | None = None
    citations: dict[str, Any] | None = None


class SearchResultBlock(Markable):
    type: Literal["search_result"]
    source: str
    title: str
    content: tuple[TextBlock, ...]
    citations: dict[str, Any] | None = None


class CompactionBlock(Markable):
    """A summary that stands for the messages before it; without content it failed."""

    type: Literal["compaction"]
    content: Annotated[str, Field(min_length=1)] | None = None
    encrypted_content: str | None = None
    signature: str | None = None
    tool_changes: tuple[dict[str, Any], ...] | None = None


class NovelBlock(Wire):
    """The kind no caller knows, which a fault puts into an answer; taken back as it was sent."""

    type: Literal["novel_block"]
    payload: str


def _as_blocks(content: Any) -> Any:  # noqa: ANN401 - whatever JSON holds, before its shape is known
    """A string is shorthand for one text block; an empty one for no blocks."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return content


ResultBlock: TypeAlias = Annotated[
    TextBlock | ImageBlock | DocumentBlock | SearchResultBlock | ToolReference,
    Field(discriminator="type"),
]


class ToolResult(Markable):
    type: Literal["tool_result"]
    tool_use_id: Annotated[str, Field(pattern=ID_PATTERN)]
    content: Annotated[tuple[ResultBlock, ...], BeforeValidator(_as_blocks)] = ()
    is_error: StrictBool | None = None
    toolset_name: str | None = None

    @property
    def text(self) -> str:
        return "".join(block.text for block in self.content if isinstance(block, TextBlock))


Block: TypeAlias = Annotated[
    TextBlock
    | ThinkingBlock
    | RedactedThinkingBlock
    | ToolUse
    | ToolResult
    | ServerToolUse
    | ToolSearchResult
    | ImageBlock
    | DocumentBlock
    | SearchResultBlock
    | CompactionBlock
    | NovelBlock,
    Field(discriminator="type"),
]
Content: TypeAlias = Annotated[tuple[Block, ...], BeforeValidator(_as_blocks)]
SystemContent: TypeAlias = Annotated[tuple[TextBlock, ...], BeforeValidator(_as_blocks)]
