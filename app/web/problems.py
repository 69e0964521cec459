"""A failure on the wire, as RFC 9457 has it: its code as type, its words as detail."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Response, jsonify

MEDIA_TYPE: Final = "application/problem+json"
EXPLAINED: Final = "/api/v1/docs#problem-"
"""Where the page about the API says what a code means."""


def problem(code: str, status: int, said: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """`said` is one sentence for a person in their language; `values` are plain JSON."""
    return {
        "type": f"{EXPLAINED}{code}",
        "title": title(code),
        "status": status,
        "detail": said,
        "code": code,
        "values": dict(values),
    }


def title(code: str) -> str:
    """The same for every occurrence and reader, so that programs may log it."""
    return code.replace("_", " ").capitalize()


def answered(body: Mapping[str, Any], status: int) -> Response:
    """The response for a problem, with whatever was added to it."""
    response = jsonify(dict(body))
    response.status_code = status
    response.mimetype = MEDIA_TYPE
    return response
