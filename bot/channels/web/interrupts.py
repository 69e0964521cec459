"""A question as an AG-UI interrupt, and what comes back as a choice."""

from datetime import datetime
from typing import Any, assert_never

from ag_ui.core import Interrupt

from app.core.errors import BadInput
from bot.turn.events import Asked
from tools.kit.cards import Confirm, ConfirmBatch, Pick, QuestionCard, Typed
from tools.kit.questions import Approve, Choice, Choose, Decline, Words


def interrupt(asked: Asked, view: dict[str, Any], until: datetime | None) -> Interrupt:
    """What a client of any make needs to ask its person; `metadata` has the card as we show it."""
    alone = asked.call_ids[0] if len(asked.call_ids) == 1 else None
    return Interrupt(
        id=str(asked.question_id),
        reason=_reason(asked.card),
        message=str(view.get("title", "")),
        tool_call_id=alone,
        response_schema=_schema(asked.card),
        expires_at=until.isoformat() if until else None,
        metadata={"spotter": {"view": view, "call_ids": list(asked.call_ids)}},
    )


def choice_of(card: QuestionCard, status: str, payload: object) -> Choice:
    """The choice in a resume entry, checked against the schema we gave. Raises BadInput."""
    if status == "cancelled":
        return Decline()
    given = payload if isinstance(payload, dict) else {}
    match card:
        case Confirm():
            return Approve() if _flag(given) else Decline()
        case ConfirmBatch():
            return Choose(_numbers(given.get("approved"), len(card.items)))
        case Pick():
            picked = _numbers([given.get("option")], len(card.options), lowest=0)
            return Choose(tuple(n for n in picked if n))
        case Typed():
            return Words(_words(given))
        case _:
            assert_never(card)


def _reason(card: QuestionCard) -> str:
    match card:
        case Confirm() | ConfirmBatch():
            return "confirmation"
        case Pick() | Typed():
            return "input_required"
        case _:
            assert_never(card)


def _schema(card: QuestionCard) -> dict[str, Any]:
    match card:
        case Confirm():
            return _object("approved", {"type": "boolean"})
        case ConfirmBatch():
            number = {"type": "integer", "minimum": 1, "maximum": len(card.items)}
            return _object("approved", {"type": "array", "items": number, "uniqueItems": True})
        case Pick():
            lowest = 0 if card.allow_none else 1
            number = {"type": "integer", "minimum": lowest, "maximum": len(card.options)}
            return _object("option", number)
        case Typed():
            return _object("words", {"type": "string", "const": card.words})
        case _:
            assert_never(card)


def _object(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: schema},
        "required": [name],
        "additionalProperties": False,
    }


def _flag(given: dict[str, Any]) -> bool:
    """Only a plain true or false: a word like 'ok' must never approve anything."""
    if not isinstance(flag := given.get("approved"), bool):
        raise BadInput(fields=["approved"])
    return flag


def _words(given: dict[str, Any]) -> str:
    if not isinstance(words := given.get("words"), str):
        raise BadInput(fields=["words"])
    return words


def _numbers(raw: object, highest: int, *, lowest: int = 1) -> tuple[int, ...]:
    if not isinstance(raw, list) or not all(type(n) is int and lowest <= n <= highest for n in raw):
        raise BadInput(fields=["choice"])
    return tuple(sorted(set(raw)))
