"""Arguments that don't fit, made from arguments that do and from the schema they must fit."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from tools.kit import schema
from tools.kit.declare import Tool

Wrong = tuple[str, dict[str, Any]]
"""What is wrong, and the arguments with that in them."""
Put = Callable[[Any], dict[str, Any]]

NO_SUCH: Final = {
    "date": ("2026-02-30", "0000-01-01", "0001-01-01", "9999-12-31", "tomorrow"),
    "time": ("25:00:00", "18:61:00", "evening"),
    "date-time": (
        "2026-13-01T10:00:00+00:00",
        "2026-12-01T24:30:00+00:00",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-12:00",
        "now",
    ),
    "uuid": ("not-an-id", "00000000-0000-0000-0000-00000000000g"),
    "duration": ("an hour",),
}
_OTHER: Final = {
    "string": {"no": ["text"]},
    "integer": "many",
    "number": "many",
    "boolean": "perhaps",
    "array": 7,
    "object": 7,
}
_BOUNDED: Final = {"enum", "const", "format", "pattern"}
ENDLESS: Final = 10_000
"""More than this nothing takes, also where its definition is too lean to say how much it does."""
_FARTHER: Final = {"minimum": -1, "exclusiveMinimum": 0, "maximum": 1, "exclusiveMaximum": 0}


def wrongs(tool: Tool[Any], given: Mapping[str, Any]) -> Iterator[Wrong]:
    """Each has one fault, so that nothing else can be what it is refused for."""
    whole = schema.input_schema(tool.args)
    for name in whole.get("required", ()):
        yield f"without {name}", {key: one for key, one in given.items() if key != name}
    yield "with what there is no argument for", {**given, "no_such_argument": 1}
    for name, one in whole["properties"].items():
        yield from _of(one, given.get(name), name, _putter(given, name))


def _putter(given: Mapping[str, Any], name: str) -> Put:
    return lambda value: {**given, name: value}


def _of(one: dict[str, Any], value: object, name: str, put: Put) -> Iterator[Wrong]:
    kind = one.get("type")
    if isinstance(kind, str):
        yield f"{name} as another type", put(_OTHER[kind])
    if kind == "array" and one.get("minItems"):
        yield f"{name} as an empty list", put([])
    if "enum" in one:
        yield f"{name} as none of its words", put("no such word")
    for bound, step in _FARTHER.items():
        if bound in one:
            yield f"{name} beyond its {bound}", put(one[bound] + step)
    if kind == "string" and not one.keys() & _BOUNDED:
        yield f"{name} too long", put("x" * (one.get("maxLength", ENDLESS) + 1))
        yield from ((f"{name} as blanks", put("\u200b \u2060")),) * bool(one.get("minLength"))
    for impossible in NO_SUCH.get(one.get("format", ""), ()):
        yield f"{name} as {impossible}", put(impossible)
    yield from _inside(one, value, name, put)


def _inside(one: dict[str, Any], value: object, name: str, put: Put) -> Iterator[Wrong]:
    """What is wrong with one item of a list, or with one part of what has parts."""
    match value:
        case [first, *rest] if isinstance(one.get("items"), dict):
            yield f"too many {name}", put([first] * (one.get("maxItems", ENDLESS) + 1))
            yield from _of(one["items"], first, f"{name}[]", lambda item: put([item, *rest]))
        case dict():
            yield f"{name} with more in it", put({**value, "no_such_part": 1})
            for part, inner in one.get("properties", {}).items():
                yield from _of(inner, value.get(part), f"{name}.{part}", _within(value, part, put))
        case _:
            return


def _within(value: Mapping[str, Any], part: str, put: Put) -> Put:
    return lambda inner: put({**value, part: inner})
