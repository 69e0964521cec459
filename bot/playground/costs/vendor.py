"""The stand-in as our client sees it, in this process and at the time of the replay."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Self

from bot.playground.model_api.answer import Answer
from bot.playground.model_api.events import Reply
from bot.playground.model_api.request import MessagesRequest
from bot.playground.model_api.service import Service

Json = dict[str, Any]


@dataclass
class Script:
    """What the model is to say, call after call."""

    answers: deque[Answer] = field(default_factory=deque)

    def answer(self, request: MessagesRequest) -> Answer:  # noqa: ARG002 - whatever is asked
        return self.answers.popleft()


@dataclass
class Vendor:
    """Takes what the SDK's `messages.create` takes, and counts as the API does."""

    script: Script = field(default_factory=Script)
    now: float = 0.0
    last: MessagesRequest | None = None
    _tools: dict[tuple[int, ...], tuple[list[Json], MessagesRequest]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._service = Service(self.script, clock=lambda: self.now)

    @property
    def messages(self) -> Self:
        return self

    def with_options(self, **_: object) -> Self:
        return self

    def create(self, *, stream: bool = False, **body: Any) -> Any:  # noqa: ANN401 - as the SDK's
        """A streamed message, or a whole one."""
        self.last = self._read({**body, "stream": stream})
        prepared = self._service.prepare(self.last)
        self._service.begin(prepared)
        return _Stream(prepared.reply) if stream else _Whole(prepared.reply.message())

    def _read(self, body: Json) -> MessagesRequest:
        """Definitions are the same ones from call to call: they are read once."""
        tools = body.pop("tools", [])
        known = (body["model"], *map(id, tools))
        if known not in self._tools:
            whole = MessagesRequest.model_validate({**body, "tools": tools})
            self._tools[known] = (tools, whole)
        read = MessagesRequest.model_validate(body)
        return read.model_copy(update={"tools": self._tools[known][1].tools})


@dataclass
class _Event:
    body: Json

    def to_dict(self, *, warnings: bool) -> Json:  # noqa: ARG002 - as the SDK's
        return self.body


class _Whole(_Event):
    _request_id = ""


class _Stream:
    response = SimpleNamespace(headers={})

    def __init__(self, reply: Reply) -> None:
        self._reply = reply

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __iter__(self) -> Iterator[_Event]:
        return (_Event(dict(event)) for event in self._reply.events())
