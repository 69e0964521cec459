"""One sentence for one tool, as a coach writes it, with what it needs and what they see then."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from app.core.actor import Role
from tests.studio import Studio

Given = Callable[[Studio], dict[str, Any]]


@dataclass(frozen=True)
class Request:
    """A tool asked for in plain words.

    `given` puts into the gym what the call needs, anew each time, and gives the call's arguments;
    run by the owner they succeed. `shows` are words that the phone shows in the end. `answer` is
    what the person replies where the call asks first.
    """

    tool: str
    says: str
    given: Given = field(default=lambda _: {})
    shows: tuple[str, ...] = ()
    answer: str = "1"
    role: Role = Role.OWNER
    replays: bool = True
    """Whether its cards are the same in every gym, so that golden files can hold them."""

    @property
    def router(self) -> str:
        return self.tool.partition(".")[0]


def requests() -> Iterator[Request]:
    """Those of all routers, each in a module named after it."""
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem not in {
            "__init__",
            "conftest",
            "played",
            "request",
        } and not path.stem.startswith("test"):
            yield from import_module(f"{__package__}.{path.stem}").REQUESTS


REQUESTS: list[Request] = []


def all_requests() -> list[Request]:
    if not REQUESTS:
        REQUESTS.extend(requests())
    return REQUESTS


def request_for(tool: str) -> Request | None:
    """The first one of a tool."""
    return next((one for one in all_requests() if one.tool == tool), None)
