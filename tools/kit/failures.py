"""Errors as cards: codes with typed values, and nothing that could be read as an instruction."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.orm.exc import StaleDataError

from app.core.errors import BadInput, StaleVersion, StudioError
from app.core.money import Money
from tools.kit.cards import Failed
from tools.kit.values import Amount, Code, Day, Hours, Instant, Name, Names, Value

_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}|\d{1,4}")
_BOUNDS = ("expected", "expected_tags", "ge", "gt", "le", "lt", "min_length", "max_length")
"""What a validation error says of our own schema; all else in it quotes the input."""
_TELLING = 5
_TAKEN = {"23505", "23P01"}
_TRY_AGAIN = {"40001", "40P01"}


def failed(error: StudioError) -> Failed:
    values = {key: value_of(one) for key, one in error.values.items() if one is not None}
    return Failed(code=error.code, values=values)


def status_of(code: str) -> int:
    """The HTTP status of a failure's code, as its error declares it."""
    found = declared().get(code)
    return found.status if found else 500 if code == "internal" else 400


def declared() -> dict[str, type[StudioError]]:
    """Every failure that there is, by its code; as far as its module was imported."""
    return {error.code: error for error in _below(StudioError)}


def _below(base: type[StudioError]) -> Iterator[type[StudioError]]:
    for error in base.__subclasses__():
        yield error
        yield from _below(error)


def bad_input(error: ValidationError) -> BadInput:
    """The fields that don't fit, and why by our own schema; never the input itself."""
    found = error.errors(include_url=False)
    fields = dict.fromkeys(_field(one["loc"]) for one in found)
    return BadInput(fields=tuple(fields), problems=tuple(map(_problem, found)))


def ordinary(error: Exception) -> StudioError | None:
    """The ordinary failure behind an exception; None where it is a fault of ours.

    Somebody who was faster shows as a version that moved or as a value that is taken.
    """
    match error:
        case StudioError():
            return error
        case ValidationError():
            return None
        case StaleDataError():
            return StaleVersion()
        case IntegrityError() if _state(error) in _TAKEN:
            return StaleVersion()
        case _:
            return None


def worth_again(error: Exception) -> bool:
    """Whether transactions were in each other's way, so that the same again may go through."""
    return isinstance(error, DBAPIError) and _state(error) in _TRY_AGAIN


def may_pass(error: Exception) -> bool:
    """Whether the same may go through another time: the database was away, or held by others."""
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    return lost or worth_again(error)


def value_of(value: object) -> Value:
    """What a rule says of its error, as a typed value of a card."""
    match value:
        case bool() | int() | BaseModel():
            return value  # type: ignore[return-value] # models here are values; Failed checks it
        case str() | UUID():
            return _text(value)
        case datetime():
            return Instant(at=value, zone="UTC")
        case date():
            return Day(date=value)
        case time():
            return Hours(start=value)
        case Money(minor, currency):
            return Amount(minor=minor, currency=currency)
        case _:
            return _many(value)


def _text(value: str | UUID) -> Value:
    return Code(text=str(value)) if isinstance(value, UUID) else Name(text=str(value))


def _many(value: object) -> Value:
    if isinstance(value, Sequence | set | frozenset):
        return Names(all=tuple(map(str, value)))
    return Name(text=str(value))


def _state(error: DBAPIError) -> str | None:
    return getattr(error.orig, "sqlstate", None)


def _field(place: Sequence[str | int]) -> str:
    """A dotted path; a part that isn't a plain name may be anybody's words, so it is left out."""
    if not place:
        return "arguments"
    return ".".join(str(part) if _FIELD.fullmatch(str(part)) else "?" for part in place)


def _problem(error: ErrorDetails) -> str:
    """What our schema says, or what a rule of the arguments does where it doesn't quote them."""
    context: dict[str, Any] = error.get("ctx", {})
    said = str(context.get("error", ""))
    if said and not any(text in said for text in _texts(error["input"])):
        return f"{_field(error['loc'])}: {said}"
    bounds = [f"{name}={context[name]}" for name in _BOUNDS if name in context]
    return " ".join([f"{_field(error['loc'])}: {error['type']}", *bounds])


def _texts(given: object) -> Iterator[str]:
    """Every text in an input, but those too short to tell anybody anything."""
    match given:
        case str() if len(given) >= _TELLING:
            yield given
        case dict():
            for key, one in given.items():
                yield from () if _FIELD.fullmatch(str(key)) else (str(key),)
                yield from _texts(one)
        case list() | tuple():
            for one in given:
                yield from _texts(one)
        case BaseModel():
            yield from _texts(given.model_dump())
        case _:
            return
