"""The page about the API: the OpenAPI document for people to read, by router."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from flask import render_template

from tools.kit.schema import Schema

_BOUNDS: Final = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "over {}",
    "exclusiveMaximum": "under {}",
    "minLength": "{} characters or more",
    "maxLength": "up to {} characters",
    "minItems": "{} items or more",
    "maxItems": "up to {} items",
    "default": "{} if not given",
}


def of(document: Schema) -> str:
    """One page without scripts."""
    tags: dict[str, list[Schema]] = {tag["name"]: [] for tag in document["tags"]}
    doors: list[Schema] = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            shown = {"method": method.upper(), "path": path, **operation}
            shown["arguments"] = list(_arguments(operation))
            tags.get(next(iter(operation.get("tags", ())), ""), doors).append(shown)
    routers = [*tags.items(), ("questions and undo", doors)]
    return render_template("api.html", routers=routers, problems=document["x-problems"])


def _arguments(operation: Schema) -> Iterator[Schema]:
    for one in operation["parameters"]:
        described = {
            **one["schema"],
            **({"description": d} if (d := one.get("description")) else {}),
        }
        yield _argument(one["name"], one["in"], described, required=one["required"])
    content = operation.get("requestBody", {}).get("content", {})
    body = content.get("application/json", {}).get("schema", {})
    yield from _fields(body, "")


def _fields(body: Mapping[str, Any], above: str) -> Iterator[Schema]:
    """Those of a body, and those below each as `above.name`."""
    for name, value in body.get("properties", {}).items():
        path = f"{above}{name}"
        yield _argument(path, "body", value, required=name in body.get("required", ()))
        inner = value.get("items", value)
        for one in (inner, *inner.get("anyOf", ()), *inner.get("oneOf", ())):
            yield from _fields(one, f"{path}{'[].' if 'items' in value else '.'}")


def _argument(name: str, place: str, value: Schema, *, required: bool) -> Schema:
    return {
        "name": name,
        "place": place,
        "type": _type(value),
        "required": required,
        "bounds": [text.format(value[key]) for key, text in _BOUNDS.items() if key in value],
        "description": value.get("description", ""),
    }


def _type(value: Mapping[str, Any]) -> str:
    match value:
        case {"enum": [*some]}:
            return " | ".join(map(str, some))
        case {"const": one}:
            return str(one)
        case {"anyOf": [*some]} | {"oneOf": [*some]}:
            return " or ".join(dict.fromkeys(map(_type, some)))
        case {"type": "array", **rest}:
            return f"list of {_type(rest.get('items', {}))}"
        case {"type": [*some]}:
            return " or ".join(some)
        case {"type": "string", "format": kind}:
            return str(kind)
        case {"type": kind}:
            return str(kind)
        case _:
            return "anything"
