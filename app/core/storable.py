"""Text as PostgreSQL can hold it: without NUL and halves of surrogate pairs."""

from typing import Any


def storable(text: str) -> str:
    """The text without the characters that no column takes; any other stays as it is."""
    return text.replace("\x00", "").encode("utf-8", "ignore").decode()


def storable_json(value: Any) -> Any:  # noqa: ANN401 - any JSON, there and back
    """The same for every text in a JSON value, keys too."""
    match value:
        case str():
            return storable(value)
        case list():
            return [storable_json(one) for one in value]
        case dict():
            return {storable(key): storable_json(one) for key, one in value.items()}
        case _:
            return value
