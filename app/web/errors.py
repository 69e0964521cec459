"""What went wrong, told to whoever asked: JSON for programs, a page for people."""

import logging
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, g, make_response, redirect, render_template, request
from pydantic import ValidationError
from pydantic_core import to_jsonable_python
from werkzeug.exceptions import HTTPException

from app.core.errors import StudioError
from app.web import problems
from app.web.ports import Ports
from i18n import Language

_log = logging.getLogger(__name__)

SIGN_IN = "/sign-in"
_CODES = {
    400: "bad_input",
    401: "sign_in_needed",
    403: "not_allowed",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "bad_input",
    422: "bad_input",
    429: "too_many_requests",
    503: "unavailable",
}


class SignInNeeded(StudioError):
    code, status = "sign_in_needed", 401


class MembersRefused(StudioError):
    """A member of the gym at a door for its staff."""

    code, status = "members_refused", 403


class BadCsrf(StudioError):
    """A change asked with a page's cookie but without the page's word."""

    code, status = "bad_csrf", 403


class TooMany(StudioError):
    """`seconds`: when to come back."""

    code, status = "too_many_requests", 429


def install(app: Flask, ports: Ports) -> None:
    """Answer every failure in one shape, that of app.web.problems, or with a page."""

    def studio(error: StudioError) -> Response:
        return _answer(ports, error.code, error.status, error.values)

    def invalid(error: ValidationError) -> Response:
        fields = sorted({".".join(map(str, one["loc"])) for one in error.errors(include_url=False)})
        return _answer(ports, "bad_input", 422, {"fields": fields})

    def http(error: HTTPException) -> Response | HTTPException:
        if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
            return error
        return _answer(ports, _CODES.get(error.code, "internal"), error.code, {})

    def unknown(error: Exception) -> Response:
        _log.error("unexpected failure at %s", request.endpoint, exc_info=error)
        return _answer(ports, "internal", 500, {})

    app.register_error_handler(StudioError, studio)
    app.register_error_handler(ValidationError, invalid)
    app.register_error_handler(HTTPException, http)
    app.register_error_handler(Exception, unknown)


def language(ports: Ports) -> str:
    """The person's own; without one, what their browser asks for."""
    actor = g.get("actor")
    if actor is not None:
        return str(actor.language)
    asked = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((tag for tag in asked if tag in ports.languages), ports.languages[0])


def _answer(ports: Ports, code: str, status: int, values: dict[str, Any]) -> Response:
    spoken = language(ports)
    message = ports.words(code, values, spoken)
    if not _wants_page():
        plain = to_jsonable_python(values, fallback=str)
        body = problems.problem(code, status, message, plain)
        return _with_wait(problems.answered(body, status), status, values)
    if status == HTTPStatus.UNAUTHORIZED and request.method == "GET":
        return make_response(redirect(SIGN_IN))
    page = render_template("error.html", message=message, language=Language.of(spoken))
    return _with_wait(make_response(page), status, values)


def _with_wait(response: Response, status: int, values: dict[str, Any]) -> Response:
    response.status_code = status
    if "seconds" in values and status == HTTPStatus.TOO_MANY_REQUESTS:
        response.headers["Retry-After"] = str(values["seconds"])
    return response


def _wants_page() -> bool:
    if request.path.startswith("/api/"):
        return False
    best = request.accept_mimetypes.best_match(
        ["application/json", "text/html"], "application/json"
    )
    return best == "text/html"
