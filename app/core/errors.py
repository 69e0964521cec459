"""Ordinary failures: a code, a status and typed parameters.

The words are made above, from the code.
"""

from typing import ClassVar


class StudioError(Exception):
    """The base of what may go wrong in normal business; `values` are what its words need.

    A subclass is one code. Its words are the catalogue entries `error.<code>` in each language.
    """

    code: ClassVar[str] = "studio_error"
    status: ClassVar[int] = 400
    forgets: ClassVar[bool] = False
    """Whether not even what was asked for may be kept."""

    def __init__(self, **values: object) -> None:
        super().__init__(self.code)
        self.values = values


class NotFound(StudioError):
    """No such thing in this org; ids of another org look the same."""

    code, status = "not_found", 404


class NotAllowed(StudioError):
    code, status = "not_allowed", 403


class BadInput(StudioError):
    """Arguments that don't fit; `fields` names them, also where it is one."""

    code, status = "bad_input", 422

    def __init__(self, **values: object) -> None:
        fields = values.get("fields")
        super().__init__(**{**values, "fields": (fields,)} if isinstance(fields, str) else values)


class StaleVersion(StudioError):
    """Somebody changed it since it was read."""

    code, status = "stale_version", 409


class KeyReused(StudioError):
    """An idempotency key that came before with other arguments."""

    code, status = "key_reused", 409
