"""Declaring a tool: one typed function and one decorator, from which everything else is derived."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from inspect import getdoc
from typing import Any, Final, Generic, Protocol, TypeVar, get_type_hints, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.storable import is_visible
from tools.kit.cards import AnyCard, QuestionCard, Ref
from tools.kit.values import Amount, Count, Line, Value

COACH, ADMIN, OWNER = Role.COACH, Role.ADMIN, Role.OWNER
SNAPSHOT: Final = "snapshot"
AT_ONCE: Final = 20
"""So many items are done within the call, in one transaction; more are a task of the background."""

FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2200


class Args(BaseModel):
    """Arguments of a tool: closed, frozen, and never an org (that is the actor's)."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    @field_validator("*", mode="before")
    @classmethod
    def _seen(cls, value: Any) -> Any:  # noqa: ANN401 - any argument
        """Text that shows nothing is no text, wherever there must be some."""
        match value:
            case str():
                return value if is_visible(value) else ""
            case list() | tuple():
                return [cls._seen(one) if isinstance(one, str) else one for one in value]
            case _:
                return value

    @field_validator("*")
    @classmethod
    def _of_our_time(cls, value: Any) -> Any:  # noqa: ANN401 - any argument
        """Weeks and years are reckoned from every day, and the calendar ends on both sides."""
        for one in value if isinstance(value, tuple | list) else (value,):
            if isinstance(one, date) and not FIRST_YEAR <= one.year <= LAST_YEAR:
                bounds = {"ge": FIRST_YEAR, "le": LAST_YEAR}
                raise PydanticCustomError("year", "a year from {ge} to {le}", bounds)
        return value


@runtime_checkable
class Meant(Protocol):
    """Arguments that are looked up by meaning: what of them is told before the transaction."""

    @property
    def meant(self) -> str: ...


A = TypeVar("A", bound=Args)


@dataclass(frozen=True, slots=True)
class Context:
    """What a tool is given besides its arguments."""

    session: Session
    actor: Actor
    now: datetime
    choice: str | None = None
    """What the person picked, for a tool whose question was a Pick."""


class Effect(StrEnum):
    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"


class Ask(StrEnum):
    """When a call waits for a yes: never, where it destroys, or always (bulk, or it goes out)."""

    NEVER = "never"
    DESTRUCTIVE = "destructive"
    ALWAYS = "always"


class Item(BaseModel):
    """One of many: what the step looks it up by, and how people know it, should it fail."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    name: str
    more: dict[str, Any] = {}
    """JSON that was decided with it: the step may not find it any more."""
    fetched: Any = Field(default=None, exclude=True)


class Started(BaseModel):
    """Many things that a tool is going to do one by one, by its `step`; see tools.kit.many."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    items: tuple[Item, ...]
    counted: str
    """The count phrase of what is done, as `memberships`: `{done}` of the words."""
    values: dict[str, Value] = {}
    """Of the words, beside `done`; what a step returns under the same name is added up."""
    notes: tuple[Line, ...] = ()
    ref: Ref | None = None
    at_once: int = Field(default=AT_ONCE, ge=0)


Sums = Mapping[str, Count | Amount | int]
"""What one step adds to the values of the words: `{"credits": Count(n=1, of="credits")}`."""
Step = Callable[[Context, A, Item], Sums | None]
Outside = Callable[[str], Any]
"""The studio's access to another service, by its name: `outside("arbox")`."""
Fetch = Callable[[Outside, A, Item], Any]
After = Callable[[Context, A, Sequence[Item]], None]


@dataclass(frozen=True, kw_only=True)
class Tool(Generic[A]):
    router: str
    action: str
    effect: Effect
    method: str
    path: str
    role: Role
    label: str
    summary: str
    args: type[A]
    run: Callable[[Context, A], AnyCard | Started]
    step: Step[A] | None
    fetch: Fetch[A] | None
    after: After[A] | None
    confirm: Callable[[Context, A], QuestionCard | None] | None
    ask: Ask
    undo: str | None
    quick: bool
    offered: bool
    core: bool

    @property
    def name(self) -> str:
        """As people and the audit write it: `bookings.move`."""
        return f"{self.router}.{self.action}"

    @property
    def wire_name(self) -> str:
        """As the model sees it; the API allows no dot."""
        return f"{self.router}__{self.action}"


def tool(
    effect: Effect,
    route: str,
    *,
    label: str,
    role: Role = COACH,
    confirm: Callable[[Context, Any], QuestionCard | None] | None = None,
    step: Step[Any] | None = None,
    fetch: Fetch[Any] | None = None,
    after: After[Any] | None = None,
    always: bool = False,
    undo: str | None = None,
    quick: bool = False,
    offered: bool = True,
    core: bool = False,
) -> Callable[[Callable[[Context, A], AnyCard | Started]], Tool[A]]:
    """Declare a tool; its name is its module and function, its summary the docstring.

    `route` is the method and the path below /api/v1. `confirm` makes the question (None: nothing to
    ask this time; a StudioError from it fails the call). `undo` is SNAPSHOT or the action of this
    router that reverses it. `step`, `fetch`, `after`: see tools.kit.many. A `core` tool is always
    before the model. Raises TypeError where effect, question and undo don't fit together.
    """
    method, _, path = route.partition(" ")
    _check(effect, label, always=always, asks=confirm is not None, changes=bool(undo or step))

    def declare(run: Callable[[Context, A], AnyCard | Started]) -> Tool[A]:
        return Tool(
            router=_router(run.__module__),
            action=run.__name__,
            effect=effect,
            method=method,
            path=path,
            role=role,
            label=label,
            summary=(getdoc(run) or "").strip(),
            args=get_type_hints(run)["args"],
            run=run,
            step=step,
            fetch=fetch,
            after=after,
            confirm=confirm,
            ask=_ask(effect, always=always),
            undo=undo,
            quick=quick,
            offered=offered,
            core=core,
        )

    return declare


def _router(module: str) -> str:
    """A module of the catalogue, or the package there that holds it."""
    parts = module.split(".")
    return parts[parts.index("catalog") + 1] if "catalog" in parts else parts[-1]


def _ask(effect: Effect, *, always: bool) -> Ask:
    """A choice that a read or write offers (which one, what if it is full) is no approval."""
    if always:
        return Ask.ALWAYS
    return Ask.DESTRUCTIVE if effect is Effect.DESTRUCTIVE else Ask.NEVER


def _check(effect: Effect, label: str, *, always: bool, asks: bool, changes: bool) -> None:
    if effect is Effect.DESTRUCTIVE and not asks:
        raise TypeError(f"{label!r} is destructive, so it must say what it asks first")
    if effect is Effect.READ and (always or changes):
        raise TypeError(f"{label!r} only reads, so it has nothing to ask, undo or do in steps")
    if always and not asks:
        raise TypeError(f"{label!r} always asks, so it must say what")
