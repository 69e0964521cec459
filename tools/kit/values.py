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


class Deed(_Value):
    """Something that was done, by its tool's name; people read the tool's label."""

    t: Literal["deed"] = "deed"
    tool: str


class Quote(_Value):
    """What somebody wrote, in its own lines, shown whole: a message, a note."""

    t: Literal["quote"] = "quote"
    text: str


class Percent(_Value):
    """A share as a percentage, 0 to 100 (or beyond); None where there is too little to tell."""

    t: Literal["percent"] = "percent"
    value: float | None


class Number(_Value):
    """A figure with so many digits after the point, as visits a week."""

    t: Literal["number"] = "number"
    value: float
    digits: int = 1


class Weight(_Value):
    """Kept in grams, told in the unit it is wanted in."""

    t: Literal["weight"] = "weight"
    grams: int
    unit: Literal["kg", "lb"] = "kg"


class Span(_Value):
    """Whole days, the last of them included."""

    t: Literal["span"] = "span"
    start: date
    end: date


class Month(_Value):
    t: Literal["month"] = "month"
    year: int
    month: int


AnyValue = (
    Name | Names | Day | Hours | Moment | Instant | Count | Amount | Code | Term | Terms | Deed
    | Quote | Percent | Number | Weight | Span | Month
)  # fmt: skip
Value = Annotated[AnyValue, Field(discriminator="t")] | int | bool


class Line(_Value):
    """One phrase: a key of the catalogues and the values of its placeholders."""

    key: str
    values: dict[str, Value] = {}


def plain(  # noqa: C901, PLR0911, PLR0912 - one branch a type of value
    value: Value | None,
) -> str | int | float | bool | list[str] | None:
    """A value as the model reads it: short, exact, without a language."""
    match value:
        case None | int():
            return value
        case Name() | Code() | Quote():
            return value.text
        case Deed():
            return value.tool
        case Percent() | Number():
            return _rounded(value)
        case Weight():
            return f"{pounds_or_kilos(value):g} {value.unit}"
        case Span():
            return f"{value.start.isoformat()}..{value.end.isoformat()}"
        case Month():
            return f"{value.year}-{value.month:02d}"
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


GRAMS_A_POUND = 453.59237


def pounds_or_kilos(value: Weight) -> float:
    """In its unit, to the half of the smallest plate (rule 52)."""
    return round(value.grams / (GRAMS_A_POUND if value.unit == "lb" else 1000), 2)


def _rounded(value: Percent | Number) -> float | None:
    digits = value.digits if isinstance(value, Number) else 1
    return None if value.value is None else round(value.value, digits)


def _clock(value: Hours | Moment) -> str:
    span = _span(value.start, value.end)
    return span if isinstance(value, Hours) else f"{value.date.isoformat()} {span}"


def _span(start: time, end: time | None) -> str:
    return f"{start:%H:%M}" if end is None else f"{start:%H:%M}-{end:%H:%M}"
