"""One spelling of JSON wherever bytes are compared or counted."""

import json
from typing import Any


def dumps(value: Any) -> str:  # noqa: ANN401 - any JSON
    """Compact, letters as they are, keys in the order they came."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
