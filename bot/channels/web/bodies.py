"""What a page sends with words: where the person is looking, and what "this" means there."""

import json
from typing import Any
from uuid import UUID

from flask import request
from pydantic import BaseModel, ConfigDict, Field

from app.core.errors import BadInput


class Selection(BaseModel):
    """What 'this' means on the page."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(max_length=40)
    id: UUID
    label: str = Field(max_length=200)

    @property
    def told(self) -> str:
        """The label is what people wrote: a JSON string, so that it can't pose as more."""
        label = json.dumps(" ".join(self.label.split()), ensure_ascii=False)
        return f"{self.type} {self.id} {label}"


class Place(BaseModel):
    """`page` is the address that the person is looking at."""

    model_config = ConfigDict(extra="forbid")

    conversation_id: UUID | None = None
    page: str = Field(default="", max_length=300)
    selection: Selection | None = None

    @property
    def beside(self) -> dict[str, Any]:
        found = {"page": self.page} if self.page else {}
        if self.selection is not None:
            found["selection"] = self.selection.told
        return found


class Message(Place):
    text: str


def json_body() -> dict[str, Any]:
    """The request's object. Raises BadInput for anything else."""
    body = request.get_json()
    if not isinstance(body, dict):
        raise BadInput(fields=["body"])
    return body
