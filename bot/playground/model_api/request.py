"""The requests of POST /v1/messages and /v1/messages/count_tokens, parsed and typed."""

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    Tag,
    ValidationError,
)

from bot.playground.model_api.blocks import (
    Block,
    CacheControl,
    Content,
    Markable,
    SystemContent,
    ToolReference,
    ToolResult,
    Wire,
)
from bot.playground.model_api.errors import invalid
from bot.playground.model_api.spelling import dumps

NAME_PATTERN = r"^[a-zA-Z0-9_-]{1,128}$"


class Message(Wire):
    role: str
    content: Content


class InputSchema(BaseModel):
    """A tool's JSON schema: only its type is read here, the rest is kept as it came."""

    model_config = ConfigDict(frozen=True, extra="allow")

    type: Literal["object"]


class Definition(Markable):
    @cached_property
    def text(self) -> str:
        """The bytes that count. Key order does too, as in the real prefix."""
        return dumps(self.model_dump(exclude={"cache_control"}, exclude_none=True))


class Tool(Definition):
    """A client tool."""

    type: Literal["custom"] | None = None
    name: Annotated[str, Field(max_length=128, pattern=NAME_PATTERN)]
    description: str = ""
    input_schema: InputSchema
    strict: StrictBool = False
    defer_loading: StrictBool = False
    allowed_callers: tuple[str, ...] | None = None
    eager_input_streaming: StrictBool | None = None
    input_examples: tuple[dict[str, Any], ...] | None = None

    @cached_property
    def json_schema(self) -> dict[str, Any]:
        """The input's JSON schema as a plain dictionary."""
        return self.input_schema.model_dump()


class SearchTool(Definition):
    """The API's own tool search, which the stand-in accepts but never uses by itself."""

    type: Literal[
        "tool_search_tool_regex",
        "tool_search_tool_regex_20251119",
        "tool_search_tool_bm25",
        "tool_search_tool_bm25_20251119",
    ]
    name: Annotated[str, Field(max_length=128, pattern=NAME_PATTERN)]
    defer_loading: Literal[False] = False


def _tool_kind(tool: Any) -> str:  # noqa: ANN401 - JSON or a model, before its shape is known
    kind = tool.get("type") if isinstance(tool, dict) else getattr(tool, "type", None)
    return "custom" if kind in {None, "custom"} else "tool_search"


AnyTool: TypeAlias = Annotated[
    Annotated[Tool, Tag("custom")] | Annotated[SearchTool, Tag("tool_search")],
    Discriminator(_tool_kind),
]


class ChoiceAuto(Wire):
    type: Literal["auto"]
    disable_parallel_tool_use: StrictBool = False


class ChoiceAny(Wire):
    type: Literal["any"]
    disable_parallel_tool_use: StrictBool = False


class ChoiceTool(Wire):
    type: Literal["tool"]
    name: str
    disable_parallel_tool_use: StrictBool = False


class ChoiceNone(Wire):
    type: Literal["none"]


class ThinkingEnabled(Wire):
    type: Literal["enabled"]
    budget_tokens: Annotated[StrictInt, Field(ge=1024)]
    display: Literal["summarized", "omitted"] | None = None


class ThinkingDisabled(Wire):
    type: Literal["disabled"]


class ThinkingAdaptive(Wire):
    type: Literal["adaptive"]
    display: Literal["summarized", "omitted"] | None = None


class ThinkingBetweenTools(Wire):
    type: Literal["between_tools"]


class JsonFormat(Wire):
    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True)

    type: Literal["json_schema"]
    schema_: Annotated[dict[str, Any], Field(alias="schema")]


class OutputConfig(Wire):
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    format: JsonFormat | None = None


class CompactionConfig(Wire):
    """Asks for a summary in place of an answer."""

    type: Literal["summarize"]
    instructions: str | None = None


class Diagnostics(Wire):
    previous_message_id: str | None = None


class Metadata(Wire):
    user_id: Annotated[str, Field(max_length=256)] | None = None


ToolChoice: TypeAlias = Annotated[
    ChoiceAuto | ChoiceAny | ChoiceTool | ChoiceNone, Field(discriminator="type")
]
ThinkingConfig: TypeAlias = Annotated[
    ThinkingEnabled | ThinkingDisabled | ThinkingAdaptive | ThinkingBetweenTools,
    Field(discriminator="type"),
]


class Prompt(Wire):
    """What both endpoints read."""

    model: str
    messages: tuple[Message, ...]
    system: SystemContent = ()
    tools: tuple[AnyTool, ...] = ()
    tool_choice: ToolChoice | None = None
    thinking: ThinkingConfig | None = None
    output_config: OutputConfig | None = None
    cache_control: CacheControl | None = None
    speed: Literal["standard", "fast"] | None = None
    compaction: CompactionConfig | None = None
    user_profile_id: str | None = None

    @cached_property
    def client_tools(self) -> tuple[Tool, ...]:
        return tuple(tool for tool in self.tools if isinstance(tool, Tool))

    @cached_property
    def tool_by_name(self) -> Mapping[str, Tool]:
        """Every client tool by name, deferred ones that nothing loaded yet too."""
        return {tool.name: tool for tool in self.client_tools}

    @property
    def references(self) -> tuple[str, ...]:
        """Names of the deferred tools that results of tools have brought in, in order."""
        results = (block for _, _, block in walk(self.messages) if isinstance(block, ToolResult))
        return tuple(
            part.tool_name
            for result in results
            for part in result.content
            if isinstance(part, ToolReference)
        )

    @property
    def schemas(self) -> Mapping[str, dict[str, Any]]:
        """Name to JSON schema of the tools that may be called now: loaded or referenced."""
        referenced = set(self.references)
        return {
            tool.name: tool.json_schema
            for tool in self.client_tools
            if not tool.defer_loading or tool.name in referenced
        }

    @property
    def system_text(self) -> str:
        return "\n\n".join(block.text for block in self.system)

    @property
    def forces_tool(self) -> bool:
        return isinstance(self.tool_choice, ChoiceAny | ChoiceTool)


class MessagesRequest(Prompt):
    """POST /v1/messages."""

    max_tokens: Annotated[StrictInt, Field(ge=0)]
    stream: StrictBool = False
    stop_sequences: tuple[str, ...] = ()
    metadata: Metadata | None = None
    container: str | None = None
    diagnostics: Diagnostics | None = None
    inference_geo: str | None = None
    service_tier: Literal["auto", "standard_only"] = "auto"


class CountRequest(Prompt):
    """POST /v1/messages/count_tokens."""


def walk(messages: tuple[Message, ...]) -> Iterator[tuple[int, int, Block]]:
    """Every block with the index of its message and its own."""
    for number, message in enumerate(messages):
        for index, block in enumerate(message.content):
            yield number, index, block


_Request = TypeVar("_Request", bound=Prompt)


def parse(body: bytes, kind: type[_Request]) -> _Request:
    """Raises Refused with the first thing that is wrong, told with its path."""
    try:
        fields = json.loads(body)
    except ValueError as error:
        raise invalid("The request body is not valid JSON.") from error
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        raise invalid(_first_error(error)) from error


def _first_error(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    path = ".".join(_spelled(first["loc"]))
    message = "Field required" if first["type"] == "missing" else first["msg"]
    return f"{path}: {message}" if path else message


def _spelled(location: tuple[int | str, ...]) -> Iterator[str]:
    """The API's paths name the kind of a cache marker too, where pydantic's leave it out."""
    for place, part in enumerate(location):
        yield str(part)
        if part == "cache_control" and place + 1 < len(location):
            yield "ephemeral"
