"""Numbers as somebody wrote them: a yes is none, though Python counts it as 1."""

from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import PydanticCustomError


def no_yes(model: type[BaseModel], field: str | None, value: object) -> None:
    """Raise what pydantic reports, where true or false came for a field that takes numbers only."""
    found = value if isinstance(value, list | tuple) else (value,)
    if not any(isinstance(one, bool) for one in found):
        return
    annotation = model.model_fields[field or ""].annotation
    if not _has(annotation, bool) and (_has(annotation, int) or _has(annotation, float)):
        raise PydanticCustomError("number_type", "a number")


def _has(annotation: Any, wanted: type) -> bool:  # noqa: ANN401 - any annotation
    """Whether a value of the annotation may be just this type, or hold one."""
    return annotation is wanted or any(_has(one, wanted) for one in get_args(annotation))
