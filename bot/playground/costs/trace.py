"""A week of a gym's conversations, a turn a line of JSON: to be read, changed and replaced."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

WEEK = Path(__file__).with_name("week.jsonl")
DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")

Lane = Literal["quick", "read", "act"]
Size = Annotated[int, Field(ge=0, le=200_000)]


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Step(_Line):
    """One call: the characters of its arguments and of its result."""

    tool: str
    input: Size = 60
    result: Size


class Ask(_Line):
    """One turn. `rounds` are calls made together; `waits` is how long the yes takes, in seconds."""

    day: Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    at: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
    talk: str
    """Turns with one name are one conversation, in the order of their lines."""
    role: Literal["owner", "admin", "coach"] = "owner"
    says: str
    lane: Lane
    """Where it belongs: one read, several, or a write."""
    wrong: bool = False
    """The small model takes it for less than it is: it is handed over in the middle."""
    rounds: tuple[tuple[Step, ...], ...]
    waits: Annotated[int, Field(ge=0, le=86_400)] = 0
    words: Size = 400
    """Characters of the answer."""

    @property
    def since_week_began(self) -> timedelta:
        hours, minutes = map(int, self.at.split(":"))
        return timedelta(days=DAYS.index(self.day), hours=hours, minutes=minutes)


class UnreadableTrace(ValueError):
    """Says which line, and what is wrong with it."""


def read_trace(path: Path) -> tuple[Ask, ...]:
    """The turns of a file. Raises UnreadableTrace."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # a sentence may hold other breaks
    except UnicodeDecodeError as error:
        raise UnreadableTrace("the file is not in UTF-8") from error
    found = tuple(_ask(number, line) for number, line in enumerate(lines, 1) if line.strip())
    if not found:
        raise UnreadableTrace("the file holds no turn")
    return found


def _ask(number: int, line: str) -> Ask:
    try:
        return Ask.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise UnreadableTrace(f"line {number}: {place} {first['msg']}".strip()) from error
