"""What a sentence may wish: a closed set of values, without language."""

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from bot.playground.planner.times import Clock, Part


@dataclass(frozen=True, slots=True)
class Spot:
    """Which class is meant, as far as it was said."""

    name: str = ""
    day: date | None = None
    at: Clock | None = None
    part: Part | None = None

    @property
    def said(self) -> bool:
        return bool(self.name or self.at or self.part)


@dataclass(frozen=True, slots=True)
class ShowDay:
    spot: Spot


@dataclass(frozen=True, slots=True)
class WhoIsIn:
    spot: Spot


@dataclass(frozen=True, slots=True)
class FindMember:
    who: str


@dataclass(frozen=True, slots=True)
class Credits:
    who: str
    ledger: bool = False


Kind = Literal[
    "class_types", "staff", "unpaid", "expiring", "at_risk", "tasks", "leads", "new_leads"
]
"""`tasks` are the writer's own."""


@dataclass(frozen=True, slots=True)
class ListAll:
    kind: Kind


@dataclass(frozen=True, slots=True)
class Figures:
    """How the gym does on a day."""

    day: date | None = None


@dataclass(frozen=True, slots=True)
class Programmed:
    """The workout of a day."""

    day: date | None = None


@dataclass(frozen=True, slots=True)
class Create:
    spot: Spot


@dataclass(frozen=True, slots=True)
class CancelClass:
    spot: Spot
    every: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """A class to another time, or, where `what` names a member, a booking to another class."""

    what: Spot
    to: Spot
    who: str = ""


@dataclass(frozen=True, slots=True)
class ChangeCapacity:
    spot: Spot
    places: int


@dataclass(frozen=True, slots=True)
class ChangeCoach:
    spot: Spot
    coach: str


@dataclass(frozen=True, slots=True)
class Book:
    who: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class CancelBooking:
    who: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class UndoLast:
    pass


@dataclass(frozen=True, slots=True)
class Talk:
    """Nothing to do: a greeting, thanks, a question about itself, or what no rule knows."""

    topic: Literal["hello", "thanks", "help", "unknown"]


Change = Create | CancelClass | Move | ChangeCapacity | ChangeCoach | Book | CancelBooking
OfDay = ShowDay | Figures | Programmed
One = OfDay | WhoIsIn | FindMember | Credits | ListAll | UndoLast | Talk | Change


@dataclass(frozen=True, slots=True)
class Several:
    """Things wished in one breath, in order."""

    wishes: tuple[One, ...] = field(default=())


Wish = One | Several


def parts(wish: Wish) -> tuple[One, ...]:
    match wish:
        case Several(wishes):
            return wishes
        case _:
            return (wish,)
