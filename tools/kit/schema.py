"""The JSON schema of a tool's arguments: lean, inlined, and the same bytes every time."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from app.core.actor import Role
from tools.kit.declare import Args, Tool
from tools.kit.registry import Registry

Schema = dict[str, Any]
_DROPPED = {"title", "$schema", "$defs", "discriminator"}
_NULL = {"type": "null"}
_MAPS = {"properties", "patternProperties"}
"""Keywords whose keys are names of ours, not words of the schema language."""


def definitions(registry: Registry, role: Role) -> list[Schema]:
    """What the Messages API is told of each tool that a role is offered, by router and action.

    All but the core come in by reference only: they cost nothing until they are found.
    """
    return [
        definition(tool) if tool.core else {**definition(tool), "defer_loading": True}
        for tool in registry.for_role(role)
    ]


def loaded(definitions: Iterable[Schema]) -> list[Schema]:
    """Those that the model is given in full."""
    return [one for one in definitions if not one.get("defer_loading")]


def definition(tool: Tool[Any]) -> Schema:
    return {
        "name": tool.wire_name,
        "description": tool.summary,
        "input_schema": input_schema(tool.args),
    }


def input_schema(args: type[Args]) -> Schema:
    """Draft 2020-12, without references. Raises TypeError for arguments that contain themselves."""
    loaded: Schema = json.loads(_text_of(args))
    return loaded


def dumps(value: object) -> str:
    """The one way a definition is written: sorted keys, no blanks, no escapes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def size(value: object) -> int:
    """Characters of a definition or of a list of them."""
    return len(dumps(value))


def lists(args: type[Args]) -> frozenset[str]:
    """The arguments that take several values: a query repeats them."""
    properties = input_schema(args).get("properties", {})
    return frozenset(name for name, one in properties.items() if _is_list(one))


@cache
def _text_of(args: type[Args]) -> str:
    full = args.model_json_schema()
    lean = _lean(full, full.get("$defs", {}), ())
    return dumps({"properties": {}, **lean})


def _lean(schema: Any, defs: Schema, inside: tuple[str, ...]) -> Any:  # noqa: ANN401 - any JSON
    """Without what the model doesn't need: titles, nulls beside a type, a regex beside a format."""
    match schema:
        case {"$ref": str(ref), **rest}:
            return _lean({**_referred(ref, defs, inside), **rest}, defs, (*inside, ref))
        case {"anyOf": [one, null], **rest} | {"anyOf": [null, one], **rest} if null == _NULL:
            return _lean({**one, **_without_null(rest)}, defs, inside)
        case dict():
            return _lean_object(schema, lambda part: _lean(part, defs, inside))
        case list():
            return [_lean(part, defs, inside) for part in schema]
        case _:
            return schema


def _lean_object(schema: Schema, lean: Callable[[Any], Any]) -> Schema:
    dropped = _DROPPED | ({"pattern"} if "format" in schema else set())
    kept = {key: part for key, part in schema.items() if key not in dropped}
    return {
        key: {name: lean(one) for name, one in part.items()} if key in _MAPS else lean(part)
        for key, part in kept.items()
    }


def _referred(ref: str, defs: Schema, inside: tuple[str, ...]) -> Schema:
    if ref in inside:
        raise TypeError(f"{ref} contains itself")
    found: Schema = defs[ref.rpartition("/")[2]]
    return {key: part for key, part in found.items() if key != "description"}


def _without_null(rest: Mapping[Any, Any]) -> Schema:
    return {key: part for key, part in rest.items() if (key, part) != ("default", None)}


def _is_list(schema: Schema) -> bool:
    return schema.get("type") == "array" or any(map(_is_list, schema.get("anyOf", ())))
