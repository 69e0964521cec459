"""The API's error envelope: a status, a type, a sentence and sometimes a code."""

from collections.abc import Mapping
from typing import Any

TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    405: "invalid_request_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    503: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}


class Refused(Exception):
    """A request that the API answers with an error envelope."""

    def __init__(
        self,
        status: int,
        message: str,
        code: str | None = None,
        headers: Mapping[str, str] | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        """`details`: what goes beside the code."""
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        self.headers = headers or {}
        self.details = details or {}

    def envelope(self, request_id: str) -> dict[str, Any]:
        return {"type": "error", "error": self.error(), "request_id": request_id}

    def error(self) -> dict[str, Any]:
        details = {"details": {"error_code": self.code, **self.details}} if self.code else {}
        return {"type": TYPES[self.status], "message": self.message, **details}


def invalid(message: str, code: str | None = None) -> Refused:
    """A 400, which the real service marks as not worth a retry."""
    return Refused(400, message, code, {"x-should-retry": "false"})
