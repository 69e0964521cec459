"""JSON bodies: by the letter, as they can be kept, and what can't be read is bad JSON, no fault."""

from typing import Any, Never

from flask.json.provider import DefaultJSONProvider

from app.core.storable import storable_json


class Bodies(DefaultJSONProvider):
    """What `request.get_json` reads with."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:  # noqa: ANN401 - the library's signature
        """Without NUL and lone surrogates. Raises ValueError for NaN and for a bottomless nest."""
        try:
            return storable_json(super().loads(s, parse_constant=_refused, **kwargs))
        except RecursionError as error:
            raise ValueError("too deep") from error


def _refused(constant: str) -> Never:
    raise ValueError(constant)
