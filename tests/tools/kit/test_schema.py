"""What the model is told of a tool: lean, inlined, and the same bytes every time."""

from datetime import date, time
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field

from app.core.actor import Role
from tools.kit import schema
from tools.kit.declare import Args
from tools.kit.registry import Registry


class Mood(StrEnum):
    """How it went."""

    GOOD = "good"
    BAD = "bad"


class Lift(BaseModel):
    kind: Literal["lift"] = "lift"
    title: str
    grams: int = Field(ge=0)


class Run(BaseModel):
    kind: Literal["run"] = "run"
    metres: Decimal


class Everything(Args):
    thing_id: UUID = Field(description="The thing meant.")
    title: str | None = Field(default=None, max_length=80)
    mood: Mood = Field(default=Mood.GOOD, description="As they said.")
    day: date
    start: time | None = None
    parts: tuple[Annotated[Lift | Run, Field(discriminator="kind")], ...] = ()
    extra: dict[str, int] = Field(default_factory=dict)


class Looped(Args):
    inner: tuple["Looped", ...] = ()


def found() -> dict[str, Any]:
    return schema.input_schema(Everything)


def test_nothing_is_left_that_the_model_does_not_need() -> None:
    written = schema.dumps(found())
    for word in ("$ref", "$defs", "$schema", "discriminator", '"title":"', "null", "How it went"):
        assert word not in written


def test_an_argument_may_be_called_as_a_word_of_the_language_is() -> None:
    assert found()["properties"]["title"] == {"maxLength": 80, "type": "string"}


def test_optional_arguments_are_just_not_required() -> None:
    assert found()["required"] == ["thing_id", "day"]
    assert found()["properties"]["start"] == {"format": "time", "type": "string"}


def test_references_are_inlined_with_the_words_beside_them() -> None:
    mood = {"default": "good", "description": "As they said.", "enum": ["good", "bad"]}
    assert found()["properties"]["mood"] == {**mood, "type": "string"}
    lift, run = found()["properties"]["parts"]["items"]["oneOf"]
    assert lift["properties"]["kind"]["const"] == "lift"
    assert run["properties"]["kind"]["const"] == "run"


def test_a_format_needs_no_pattern_beside_it() -> None:
    assert found()["properties"]["thing_id"] == {
        "description": "The thing meant.",
        "format": "uuid",
        "type": "string",
    }


def test_it_is_valid_and_closed_and_the_same_every_time() -> None:
    Draft202012Validator.check_schema(found())
    assert found()["additionalProperties"] is False
    assert schema.dumps(found()) == schema.dumps(found())


def test_what_contains_itself_is_refused() -> None:
    with pytest.raises(TypeError, match="contains itself"):
        schema.input_schema(Looped)


def test_lists_are_known_for_queries() -> None:
    assert schema.lists(Everything) == {"parts"}


def test_a_role_gets_its_own_list_in_one_order(registry: Registry) -> None:
    coach = schema.definitions(registry, Role.COACH)
    owner = schema.definitions(registry, Role.OWNER)
    names = [one["name"] for one in owner]
    assert names == sorted(names)
    assert [one for one in owner if one in coach] == coach
    assert schema.size(coach) < schema.size(owner)
    assert set(owner[0]) == {"name", "description", "input_schema", "defer_loading"}
