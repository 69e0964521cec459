"""Arguments that fit any tool, made from its schema, with ids of one gym or of another."""

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from tools.kit import schema
from tools.kit.declare import Tool

Ids = Callable[[str], UUID]
"""The id of something that an argument of this name may mean."""

TEXTS = (
    "Dana",
    "2026-12-02",
    "18:30",
    "2026-12-02T18:30:00+00:00",
    "2026-12",
    "mon",
    "en",
    "+972541234567",
    "dana@example.com",
    "18:30:00",
    "https://example.com/a",
    "back_squat",
    "3x10 back squat",
    "1",
)


def id_arguments(tool: Tool[Any]) -> list[str]:
    """The arguments that are an id, or a list of them."""
    properties = schema.input_schema(tool.args)["properties"]
    return [name for name, one in properties.items() if _is_id(one) or _is_id(one.get("items", {}))]


def example(tool: Tool[Any], ids: Ids, wanted: str | None = None) -> dict[str, Any]:
    """The fewest arguments that fit, with `wanted` among them. Raises ValueError where none do."""
    whole = schema.input_schema(tool.args)
    properties, required = whole["properties"], set(whole.get("required", ()))
    base = required | ({wanted} if wanted else set())
    optional = [name for name in properties if name not in base]
    for more in _smallest_first(optional):
        made = {name: value_of(properties[name], name, ids) for name in (*sorted(base), *more)}
        if _fits(tool, made):
            return made
    raise ValueError(f"no arguments for {tool.name}")


def value_of(one: dict[str, Any], name: str, ids: Ids) -> Any:  # noqa: ANN401, C901, PLR0911 - any JSON
    match one:
        case {"const": value}:
            return value
        case {"enum": [first, *_]}:
            return first
        case {"anyOf": [first, *_]} | {"oneOf": [first, *_]}:
            return value_of(first, name, ids)
        case {"type": "string"}:
            return str(ids(name)) if _is_id(one) else _text(one)
        case {"type": "integer" | "number"}:
            return one.get("minimum", one.get("exclusiveMinimum", 0) + 1)
        case {"type": "boolean"}:
            return True
        case {"type": "array"}:
            item = value_of(one.get("items", {"type": "string"}), name, ids)
            return [item] * max(1, one.get("minItems", 1))
        case {"type": "object"}:
            needed = one.get("required", ())
            return {key: value_of(one["properties"][key], key, ids) for key in needed}
        case _:
            return "x"


def _text(one: dict[str, Any]) -> str:
    formats = {"date": TEXTS[1], "time": TEXTS[9], "date-time": TEXTS[3], "uri": TEXTS[10]}
    if one.get("format") in formats:
        return formats[one["format"]]
    pattern = one.get("pattern", "")
    found = (text for text in TEXTS if re.search(pattern, text))
    return next(found, TEXTS[0])[: one.get("maxLength", 100)]


def _is_id(one: dict[str, Any]) -> bool:
    return one.get("format") == "uuid" or any(map(_is_id, one.get("anyOf", ())))


def _smallest_first(names: list[str]) -> Iterator[tuple[str, ...]]:
    for count in range(4):
        yield from combinations(names, count)


def _fits(tool: Tool[Any], made: dict[str, Any]) -> bool:
    try:
        tool.args.model_validate(made)
    except ValidationError:
        return False
    return True
