"""The OpenAPI document of all tools, made from their declarations."""

from collections.abc import Iterable
from inspect import getdoc
from typing import Any, Final

from pydantic import TypeAdapter

from tools.kit import failures, schema
from tools.kit.cards import Card, QuestionCard
from tools.kit.declare import Effect, Tool
from tools.kit.registry import Registry, places
from tools.kit.schema import Schema

_BODILESS: Final = {"GET", "DELETE"}
_REF: Final = "#/components/schemas/{model}"
_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": True,
    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
    "description": "The same key again returns what came of it before.",
}
_IF_MATCH: Final = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "pattern": '^("[1-9][0-9]{0,8}"|[*])$'},
    "description": "The ETag of what was read: the same as expected_version.",
}
_ETAG: Final = {
    "ETag": {
        "schema": {"type": "string"},
        "description": "The version of the one thing shown, for If-Match.",
    }
}
_LOCAL_TIME: Final = r"^[0-2][0-9]:[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?$"
_PROBLEM: Final = "application/problem+json"
_FAILURES: Final = {
    "400": "The request can't be read, or its key is missing.",
    "401": "Nobody is signed in.",
    "403": "This isn't the caller's to do.",
    "404": "There is no such thing in this gym.",
    "409": "The state of things, or of the key, forbids it.",
    "412": "It is no longer the version that If-Match names.",
    "413": "The body is over a megabyte.",
    "415": "The body isn't JSON.",
    "422": "Arguments don't fit; `values.fields` names them.",
    "429": "Too many requests; Retry-After says when to come back.",
    "500": "A fault of ours.",
    "503": "Not just now.",
}


def document(registry: Registry, *, prefix: str) -> Schema:
    """OpenAPI 3.1, in a fixed order."""
    paths: dict[str, Schema] = {}
    for tool in registry.values():
        paths.setdefault(prefix + tool.path, {})[tool.method.lower()] = operation(tool)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Spotter", "version": "1"},
        "security": [{"token": []}],
        "tags": [{"name": name} for name in sorted({tool.router for tool in registry.values()})],
        "paths": {**paths, **_doors(prefix)},
        "x-problems": _problems(),
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
            },
            "schemas": _schemas(),
        },
    }


def operation(tool: Tool[Any]) -> Schema:
    properties = schema.input_schema(tool.args)["properties"]
    required = {name for name, field in tool.args.model_fields.items() if field.is_required()}
    beside = {name: one for name, one in properties.items() if name not in places(tool.path)}
    found: Schema = {
        "operationId": tool.wire_name,
        "tags": [tool.router],
        "summary": tool.summary,
        "parameters": _parameters(tool, properties, required),
        "responses": _responses(tool),
        "x-role": tool.role.value,
    }
    if beside and tool.method not in _BODILESS:
        body = {"type": "object", "properties": beside, "additionalProperties": False}
        needed = sorted(required & beside.keys())
        content = {"schema": {**body, "required": needed} if needed else body}
        found["requestBody"] = {
            "required": bool(needed),
            "content": {"application/json": content},
        }
    return found


def _parameters(tool: Tool[Any], properties: Schema, required: set[str]) -> list[Schema]:
    in_path = places(tool.path)
    found = [_parameter(name, properties[name], "path", required) for name in sorted(in_path)]
    if tool.method in _BODILESS:
        queried = (name for name in properties if name not in in_path)
        found += [_parameter(name, properties[name], "query", required) for name in queried]
    matched = [_IF_MATCH] if "expected_version" in properties else []
    return [*found, *matched, *([] if tool.effect is Effect.READ else [_KEY])]


def _parameter(name: str, value: Schema, place: str, required: set[str]) -> Schema:
    return {"name": name, "in": place, "required": name in required, "schema": value}


def _responses(tool: Tool[Any]) -> Schema:
    asked = {"202": _response("A person must agree first.", "Asked")}
    told = _response("What came of it.", "Told")
    one = tool.effect is Effect.READ and bool(places(tool.path))
    return {
        "200": {**told, "headers": _ETAG} if one else told,
        **(asked if tool.confirm is not None else {}),
        **_failures(),
    }


def _failures() -> Schema:
    return {status: _response(text, "Problem", _PROBLEM) for status, text in _FAILURES.items()}


def _problems() -> list[Schema]:
    """Every code a failure may have, with its status and what is meant by it."""
    return [
        {"code": code, "status": error.status, "meaning": (getdoc(error) or "").partition("\n")[0]}
        for code, error in sorted(failures.declared().items())
    ]


def _response(description: str, model: str, media_type: str = "application/json") -> Schema:
    content = {media_type: {"schema": {"$ref": _REF.format(model=model)}}}
    return {"description": description, "content": content}


def _doors(prefix: str) -> Schema:
    """What isn't a tool: questions and undo."""
    choice = {
        "oneOf": [
            {"type": "string", "description": "approve, decline, or the words to type"},
            {"type": "array", "items": {"type": "integer"}, "description": "shown numbers"},
        ]
    }
    body = {"type": "object", "properties": {"choice": choice}, "required": ["choice"]}
    answer = {
        **_door("answer", "Answer a question; what it lets run is run.", "question_id", "Question"),
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
    }
    look = _door("question", "Show a question and what came of it.", "question_id", "Question")
    undo = _door("undo", "Take a write back, within 24 hours.", "call_id", "Told")
    return {
        f"{prefix}/questions/{{question_id}}": {"get": look},
        f"{prefix}/questions/{{question_id}}/answers": {"post": answer},
        f"{prefix}/calls/{{call_id}}/undo": {"post": undo},
    }


def _door(name: str, summary: str, argument: str, model: str) -> Schema:
    parameter = _parameter(argument, {"type": "string", "format": "uuid"}, "path", {argument})
    gone = {"410": _response("It has expired.", "Problem", _PROBLEM)} if name == "answer" else {}
    return {
        "operationId": name,
        "summary": summary,
        "parameters": [parameter],
        "responses": {"200": _response("What came of it.", model), **_failures(), **gone},
    }


def _schemas() -> Schema:
    cards: Iterable[tuple[str, TypeAdapter[Any]]] = (
        ("Card", TypeAdapter(Card)),
        ("QuestionCard", TypeAdapter(QuestionCard)),
    )
    found, shared = TypeAdapter.json_schemas(
        [(name, "serialization", adapter) for name, adapter in cards], ref_template=_REF
    )
    named = {name: one for (name, _), one in found.items()}
    written: Schema = _local_times({**shared.get("$defs", {}), **named})
    return {**written, **_envelopes()}


def _local_times(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """A studio's clock times have no offset, and the format named `time` must."""
    match value:
        case {"format": "time", **rest}:
            return {**rest, "pattern": _LOCAL_TIME}
        case dict():
            return {key: _local_times(one) for key, one in value.items()}
        case list():
            return [_local_times(one) for one in value]
        case _:
            return value


def _envelopes() -> Schema:
    text = {"type": "string"}
    told = _object(ok={"type": "boolean"}, card=_ref("Card"), message=text)
    question = _object(
        id=text,
        state=text,
        card=_ref("QuestionCard"),
        message=text,
        expires_at={"type": "string", "format": "date-time"},
        decided_at={"type": ["string", "null"], "format": "date-time"},
        decided_where={"type": ["string", "null"]},
    )
    problem = _object(
        type=text,
        title=text,
        status={"type": "integer"},
        detail=text,
        code=text,
        values={"type": "object"},
    )
    return {
        "Told": told,
        "Asked": _object(question=question),
        "Question": _object(question=question, outcomes={"type": "array", "items": _ref("Told")}),
        "Problem": problem,
    }


def _object(**properties: Any) -> Schema:  # noqa: ANN401 - any schema
    return {"type": "object", "properties": properties, "required": [*properties]}


def _ref(model: str) -> Schema:
    return {"$ref": _REF.format(model=model)}
