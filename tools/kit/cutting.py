"""Keeping a result within what a model, a page and a stored row can take."""

from typing import Any, Final

from tools.kit.cards import AnyCard, Fact, Facts, Table, WorkoutCard

LARGEST: Final = 60_000
"""Bytes of a card's JSON."""
LONGEST_TEXT: Final = 8_000
LONGEST_LIST: Final = 500


def cut(card: AnyCard) -> AnyCard:
    """The card, with as much of it as fits; a table still says how many rows there are in all."""
    if _size(card) <= LARGEST:
        return card
    short = type(card).model_validate(_shortened(card.model_dump()))
    match short:
        case Table():
            return _cut_table(short)
        case Facts():
            return _cut_facts(short)
        case WorkoutCard():
            return _cut_workout(short)
        case _:
            return short


def _cut_table(card: Table) -> Table:
    """Without the cursor, which would jump over the rows left out."""
    rows = card.rows
    while rows and _size(card) > LARGEST:
        rows = rows[: len(rows) * 3 // 4]
        card = card.model_copy(update={"rows": rows, "cursor": None})
    return card


def _cut_facts(card: Facts) -> Facts:
    total = len(card.facts)
    facts = card.facts
    while facts and _size(card) > LARGEST:
        facts = facts[: len(facts) * 3 // 4]
        left_out = Fact(label="label.left_out", value=total - len(facts))
        card = card.model_copy(update={"facts": (*facts, left_out)})
    return card


def _cut_workout(card: WorkoutCard) -> WorkoutCard:
    """With its first sections; a fact says how many more there are."""
    whole, facts = card.sections, card.facts
    kept = whole
    while kept and _size(card) > LARGEST:
        kept = kept[: len(kept) * 3 // 4]
        left_out = Fact(label="label.left_out", value=len(whole) - len(kept))
        card = card.model_copy(update={"sections": kept, "facts": (*facts, left_out)})
    return card


def _shortened(value: Any) -> Any:  # noqa: ANN401 - any part of a card
    match value:
        case str() if len(value) > LONGEST_TEXT:
            return value[:LONGEST_TEXT] + "\N{HORIZONTAL ELLIPSIS}"
        case dict():
            return {key: _shortened(one) for key, one in value.items()}
        case list() | tuple():
            return [_shortened(one) for one in value[:LONGEST_LIST]]
        case _:
            return value


def _size(card: AnyCard) -> int:
    return len(card.model_dump_json().encode())
