"""Tools marked strict: how many, how open, and which patterns their grammar can hold."""

import re
from collections.abc import Iterator
from typing import Any

from bot.playground.model_api.request import Tool
from bot.playground.model_api.rules.rule import Case, Complaints

MOST_STRICT = 20
MOST_OPTIONAL = 24
MOST_UNIONS = 16
_TOO_COMPLEX = (
    "Schema is too complex for compilation. Simplify your tool schemas"
    " or reduce the number of strict tools."
)
_UNSUPPORTED = re.compile(r"\(\?(?:=|!|<=|<!)|\\[1-9]|\\[bB]|\{\d{4,}")


def too_many_strict(case: Case) -> Complaints:
    if sum(1 for _ in _strict(case)) > MOST_STRICT:
        yield (
            "The compiled grammar is too large, which would cause performance issues."
            " Simplify your tool schemas or reduce the number of strict tools."
        )


def too_many_optional(case: Case) -> Complaints:
    nodes = (node for _, schema in _strict(case) for node in _nodes(schema))
    optional = sum(
        len(set(node.get("properties", {})) - set(node.get("required", ()))) for node in nodes
    )
    if optional > MOST_OPTIONAL:
        yield f"{_TOO_COMPLEX} Found {optional} optional parameters, the most is {MOST_OPTIONAL}."


def too_many_unions(case: Case) -> Complaints:
    nodes = (node for _, schema in _strict(case) for node in _nodes(schema))
    unions = sum("anyOf" in node or isinstance(node.get("type"), list) for node in nodes)
    if unions > MOST_UNIONS:
        yield f"{_TOO_COMPLEX} Found {unions} union types, the most is {MOST_UNIONS}."


def open_object(case: Case) -> Complaints:
    for number, schema in _strict(case):
        for node in _nodes(schema):
            if node.get("type") == "object" and node.get("additionalProperties") is not False:
                yield (
                    f"tools.{number}.custom.input_schema: For 'object' type,"
                    " 'additionalProperties' must be explicitly set to false"
                )


def unsupported_pattern(case: Case) -> Complaints:
    for number, schema in _strict(case):
        for node in _nodes(schema):
            pattern = node.get("pattern")
            if isinstance(pattern, str) and _UNSUPPORTED.search(pattern):
                yield (
                    f"tools.{number}.custom.input_schema:"
                    f" Unsupported regex feature in pattern field: {pattern}"
                )


def _strict(case: Case) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, tool in enumerate(case.prompt.tools):
        if isinstance(tool, Tool) and tool.strict:
            yield number, tool.json_schema


def _nodes(schema: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - any part of a JSON schema
    """Every object within a schema, itself first."""
    if isinstance(schema, list):
        for each in schema:
            yield from _nodes(each)
    if isinstance(schema, dict):
        yield schema
        for each in schema.values():
            yield from _nodes(each)
