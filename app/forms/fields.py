"""The questions of a form, and whether an answer fits its question. Pure."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic import Field as Bounds

from app.forms.errors import AnswersMissing
from app.forms.terms import FieldType, FormKind

LONGEST: Final = 4_000
"""Characters of an answer."""
YES, NO = "yes", "no"

Answer = str | bool | float
Answers = dict[str, Answer]


class Field(BaseModel):
    """One question. `flags`: a yes wants somebody to look at it before the form counts."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    label: str = Bounds(min_length=1, max_length=300)
    type: FieldType = FieldType.TEXT
    required: bool = True
    options: tuple[str, ...] = Bounds(default=(), max_length=20)
    medical: bool = False
    flags: bool = False

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.type is FieldType.CHOICE) != bool(self.options):
            raise ValueError("a choice has options, and nothing else has")
        if self.flags and self.type is not FieldType.YES_NO:
            raise ValueError("only a yes can flag")
        return self


def of_kind(kind: FormKind, fields: Sequence[Field]) -> tuple[Field, ...]:
    """In a health declaration all is medical, and each yes flags (rule 43)."""
    if kind is not FormKind.HEALTH_DECLARATION:
        return tuple(fields)
    return tuple(
        one.model_copy(update={"medical": True, "flags": one.type is FieldType.YES_NO})
        for one in fields
    )


def key_of(position: int) -> str:
    """How the answer to a question is called; a version's questions keep their places."""
    return f"q{position + 1}"


def read_answers(fields: Sequence[Field], given: Mapping[str, str]) -> Answers:
    """What somebody filled in, by key. Raises AnswersMissing."""
    found: Answers = {}
    wrong: list[str] = []
    for position, field in enumerate(fields):
        text = given.get(key_of(position), "").strip()
        answer = _read(field, text) if text else None
        if answer is not None:
            found[key_of(position)] = answer
        elif text or field.required:
            wrong.append(field.label)
    if wrong:
        raise AnswersMissing(questions=tuple(wrong))
    return found


def flagged(fields: Sequence[Field], answers: Mapping[str, Answer]) -> bool:
    return any(
        field.flags and answers.get(key_of(position)) is True
        for position, field in enumerate(fields)
    )


def stored(fields: Sequence[Field]) -> list[dict[str, Any]]:
    return [one.model_dump(mode="json", exclude_defaults=True) for one in fields]


def fields_of(stored_fields: Sequence[Mapping[str, Any]]) -> tuple[Field, ...]:
    return tuple(map(Field.model_validate, stored_fields))


def _read(field: Field, text: str) -> Answer | None:
    """None for what is no answer to this."""
    match field.type:
        case FieldType.YES_NO:
            return {YES: True, NO: False}.get(text)
        case FieldType.CHOICE:
            return text if text in field.options else None
        case FieldType.NUMBER:
            return _number(text)
        case FieldType.DATE:
            return _day(text)
        case FieldType.TEXT | FieldType.LONG_TEXT:
            return text if len(text) <= LONGEST else None


def _number(text: str) -> float | None:
    try:
        found = float(text.replace(",", "."))
    except ValueError:
        return None
    return found if abs(found) < 1e12 else None  # noqa: PLR2004 - also what isn't a number at all


def _day(text: str) -> str | None:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None
