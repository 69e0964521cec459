"""What a chaos run does.

So many turns drawn from a seed, each on things of its own, so that order doesn't matter.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

Kind = Literal["words", "list", "create", "note", "cancel", "keep", "batch", "book"]
KINDS: tuple[Kind, ...] = ("words", "list", "create", "note", "cancel", "keep", "batch", "book")
ON_PHONE = 5
"""Every so many turns one goes by WhatsApp."""


@dataclass(frozen=True, slots=True)
class Case:
    """One conversation.

    What is said, what the model's script answers, what is answered to its card.
    """

    number: int
    kind: Kind
    channel: Literal["web", "whatsapp"]
    answer: str | None = None
    steps: Sequence[dict[str, Any]] = field(default_factory=tuple)

    @property
    def text(self) -> str:
        return f"case {self.number:03} {self.kind}"

    @property
    def scene(self) -> dict[str, Any]:
        return {"when": f"case {self.number:03}", "steps": list(self.steps)}


@dataclass(frozen=True, slots=True)
class Things:
    """The gym's things that cases may take, in a fixed order."""

    sessions: tuple[UUID, ...]
    members: tuple[UUID, ...]
    class_type: UUID
    first_free_day: str


def cases(seed: int, turns: int, things: Things) -> list[Case]:
    """The same cases for the same seed and gym."""
    draw = random.Random(seed)  # noqa: S311 - a plan, not a secret
    sessions, members = iter(things.sessions), iter(things.members)
    return [_case(n, draw, things, sessions, members) for n in range(turns)]


def _case(
    n: int, draw: random.Random, things: Things, sessions: Iterator[UUID], members: Iterator[UUID]
) -> Case:
    kind = draw.choice(KINDS)
    channel: Literal["web", "whatsapp"] = "whatsapp" if n % ON_PHONE == 0 else "web"
    calls = list(_calls(kind, n, things, sessions, members))
    answer = {"cancel": "1", "keep": "2", "batch": "1"}.get(kind)
    words = {"say": f"Case {n} is done."}
    if not calls:
        return Case(n, "words", channel, steps=(words,))
    return Case(n, kind, channel, answer, ({"calls": calls}, words))


def _calls(  # noqa: C901 - one arm per kind
    kind: Kind, n: int, things: Things, sessions: Iterator[UUID], members: Iterator[UUID]
) -> Iterator[dict[str, Any]]:
    match kind:
        case "list":
            day = {"from": things.first_free_day, "to": things.first_free_day}
            yield {"name": "class_sessions__list", "input": day}
        case "create":
            yield {"name": "class_sessions__create", "input": _new_class(n, things)}
        case "note":
            yield from _about(sessions, 1, "class_sessions__update", notes=f"chaos {n}")
        case "cancel" | "keep":
            yield from _about(sessions, 1, "class_sessions__cancel")
        case "batch":
            yield from _about(sessions, 2, "class_sessions__cancel")
        case "book":
            for member in _take(members, 1):
                yield from _about(
                    sessions,
                    1,
                    "bookings__book_member",
                    member_id=str(member),
                    join_waitlist_if_full=True,
                )
        case "words":
            return


def _about(
    sessions: Iterator[UUID], count: int, name: str, **more: str | bool
) -> Iterator[dict[str, Any]]:
    for one in _take(sessions, count):
        yield {"name": name, "input": {"class_session_id": str(one), **more}}


def _new_class(n: int, things: Things) -> dict[str, Any]:
    """A class nobody else makes: its minute is its number."""
    minutes = 5 * 60 + n
    start = f"{minutes // 60:02}:{minutes % 60:02}"
    minutes += 1
    end = f"{minutes // 60 + 1:02}:{minutes % 60:02}"
    return {
        "class_type_id": str(things.class_type),
        "date": things.first_free_day,
        "start_time": start,
        "end_time": end,
    }


def _take(things: Iterator[UUID], count: int) -> list[UUID]:
    return [one for _, one in zip(range(count), things, strict=False)]
