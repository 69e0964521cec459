"""The typed values that cards carry: facts, never sentences; words are made from them above."""

from datetime import date, datetime, time
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Name(_Value):
    """What people typed: a person, a class, a title. Shown as written, isolated."""

    t: Literal["name"] = "name"
    text: str


class Names(_Value):
    """Several names; the words cut a long list and say how many more."""

    t: Literal["names"] = "names"
    all: tuple[str, ...]


class Day(_Value):
    t: Literal["day"] = "day"
    date: date


class Hours(_Value):
    """A local clock time, or a range of them."""

    t: Literal["hours"] = "hours"
    start: time
    end: time | None = None


class Moment(_Value):
    """A local date with its clock time or range, as a class has."""

    t: Literal["moment"] = "moment"
    date: date
    start: time
    end: time | None = None


class Instant(_Value):
    """An instant, as clock time in `zone`; with the day where that isn't the reader's today."""

    t: Literal["instant"] = "instant"
    at: datetime
    zone: str


class Count(_Value):
    """So many of something: `of` is a count phrase of the catalogues, as `credits`."""

    t: Literal["count"] = "count"
    n: int
    of: str


class Amount(_Value):
    t: Literal["amount"] = "amount"
    minor: int
    currency: str = "ILS"


class Code(_Value):
    """A phone, a code, a link: runs left to right in any text."""

    t: Literal["code"] = "code"
    text: str


class Term(_Value):
    """A word of the studio that is translated, as a status: `key` is `booking.late`."""

    t: Literal["term"] = "term"
    key: str


class Terms(_Value):
    """Several such words."""

    t: Literal["terms"] = "terms"
    keys: tuple[str, ...]


AnyValue = Name | Names | Day | Hours | Moment | Instant | Count | Amount | Code | Term | Terms
Value = Annotated[AnyValue, Field(discriminator="t")] | int | bool


class Line(_Value):
    """One phrase: a key of the catalogues and the values of its placeholders."""

    key: str
    values: dict[str, Value] = {}


def plain(  # noqa: C901, PLR0911 - one branch a type of value
    value: Value | None,
) -> str | int | bool | list[str] | None:
    """A value as the model reads it: short, exact, without a language."""
    match value:
        case None | int():
            return value
        case Name() | Code():
            return value.text
        case Names():
            return list(value.all)
        case Day():
            return value.date.isoformat()
        case Hours() | Moment():
            return _clock(value)
        case Instant():
            return value.at.isoformat(timespec="minutes")
        case Count():
            return value.n
        case Amount():
            return f"{value.minor / 100:.2f} {value.currency}"
        case Term():
            return value.key.rpartition(".")[2]
        case Terms():
            return [key.rpartition(".")[2] for key in value.keys]


def _clock(value: Hours | Moment) -> str:
    span = _span(value.start, value.end)
    return span if isinstance(value, Hours) else f"{value.date.isoformat()} {span}"


def _span(start: time, end: time | None) -> str:
    return f"{start:%H:%M}" if end is None else f"{start:%H:%M}-{end:%H:%M}"
