"""What a call costs: dated prices (prices.json) and the sums, in micro-dollars."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from bot.model.usage import Usage

_MILLION = 1_000_000
GOOD_FOR = timedelta(days=90)
Micros = Annotated[int, Field(ge=0)]
_FILE = Path(__file__).with_name("prices.json")


class Price(BaseModel):
    """Micro-dollars per million tokens since a day; `above`: for prompts of more tokens only."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    since: date
    above: Micros = 0
    input: Micros
    output: Micros
    write_5m: Micros
    write_1h: Micros
    read: Micros


class Sheet(BaseModel):
    """Prices as they are kept in a file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    unit: str
    read_on: date
    prices: Annotated[tuple[Price, ...], Field(min_length=1)]


@cache
def sheet(path: Path = _FILE) -> Sheet:
    """The prices of a file. Raises OSError, ValueError."""
    return Sheet.model_validate_json(path.read_text(encoding="utf-8-sig"))


def price_list() -> tuple[Price, ...]:
    return sheet().prices


def read_on() -> date:
    """The day on which the prices were looked up."""
    return sheet().read_on


def outdated(day: date) -> bool:
    """Whether the prices should be looked up anew."""
    return day - read_on() > GOOD_FOR


def price(model: str, day: date, prompt: int = 0, prices: Sequence[Price] | None = None) -> Price:
    """The price on a day for a prompt of so many tokens, dated model ids included.

    A day before a model's first price has that price: a studio may be shown at an earlier time.
    Raises LookupError for a model without a price: an unpriced call would pass every cap.
    """
    known = [each for each in prices or price_list() if _is(model, each.model)]
    if not known:
        raise LookupError(model)
    day = max(day, min(each.since for each in known))
    begun = (each for each in known if each.since <= day)
    fits = [each for each in begun if prompt > each.above or not each.above]
    if not fits:
        raise LookupError(model)
    return max(fits, key=lambda each: (each.since, each.above))


def step(model: str) -> int | None:
    """Tokens of a prompt above which a model costs more; None where no prompt does."""
    return min(
        (one.above for one in price_list() if one.above and _is(model, one.model)), default=None
    )


def _is(model: str, name: str) -> bool:
    """Whether a model's id is this name, or the name with a date."""
    return model == name or re.fullmatch(rf"{re.escape(name)}-\d{{8}}", model) is not None


def cost(usage: Usage, day: date, prices: Sequence[Price] | None = None) -> int:
    """Micro-dollars of one call, rounded up."""
    rate = price(usage.model, day, usage.prompt, prices)
    total = (
        usage.input * rate.input
        + usage.output * rate.output
        + usage.cache_write_5m * rate.write_5m
        + usage.cache_write_1h * rate.write_1h
        + usage.cache_read * rate.read
    )
    return -(-total // _MILLION)


def worst_case(model: str, day: date, prompt: int, max_tokens: int) -> int:
    """Micro-dollars at most: nothing cached, all of it written for an hour, every token used."""
    rate = price(model, day, prompt)
    dearest = max(rate.input, rate.write_5m, rate.write_1h)
    return -(-(prompt * dearest + max_tokens * rate.output) // _MILLION)
