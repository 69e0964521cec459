"""Versions in headers: what was read carries its ETag, and If-Match is the `expected_version`."""

import re
from http import HTTPStatus
from typing import Any, Final

from flask import Response, request

from app.core.errors import BadInput, StaleVersion
from tools.kit import failures
from tools.kit.cards import AnyCard, Facts
from tools.kit.declare import Tool

EXPECTED: Final = "expected_version"
_TAG: Final = re.compile(r'"([1-9][0-9]{0,8})"')


def expected(tool: Tool[Any]) -> dict[str, int]:
    """The version that If-Match names, as an argument. `*` says no more than the path does.

    Raises BadInput for what no ETag of ours looks like, and where the tool can't hold to it.
    """
    given = request.headers.get("If-Match", "*").strip()
    if given == "*":
        return {}
    tag = _TAG.fullmatch(given)
    if tag is None or EXPECTED not in tool.args.model_fields:
        raise BadInput(fields=("If-Match",))
    return {EXPECTED: int(tag[1])}


def status_of(code: str) -> int:
    """Of a failure: a version that a header named is a precondition, one in the body isn't."""
    named = request.headers.get("If-Match", "*").strip() != "*"
    moved = named and code == StaleVersion.code
    return HTTPStatus.PRECONDITION_FAILED if moved else failures.status_of(code)


def tagged(response: Response, card: AnyCard) -> Response:
    """With the ETag of the one thing that was read; what is shown of it is the reader's alone."""
    if isinstance(card, Facts) and card.ref is not None and card.ref.version is not None:
        response.set_etag(str(card.ref.version))
    response.headers.setdefault("Cache-Control", "private, no-cache")
    return response
