"""Old, large results as a short digest: which turns, what remains, and whose thinking that breaks.

Turns are counted from 0. In turn n (the n-th is being answered) results of the turns before
`window(n)` are slim; the window moves every fourth turn and leaves the last two to five whole.
"""

import json
from collections.abc import Sequence
from typing import Any

from bot.turn.events import Event, Heard, Ran
from tools.kit.cards import for_model

LARGE = 2_000
"""Characters of a result that an old turn may still carry whole."""

_STRIDE = 4
_WHOLE = 2
_FIRST = 10
_LABEL = 80


def window(turn: int) -> int:
    """The first turn whose results are whole while this turn is answered."""
    return max(0, turn + 1 - _WHOLE) // _STRIDE * _STRIDE


def large_turns(turns: Sequence[Sequence[Event]]) -> frozenset[int]:
    """The turns with a result or a picture to be slimmed one day."""
    return frozenset(
        number for number, turn in enumerate(turns) if any(_is_large(event) for event in turn)
    )


def still_bound(
    turn: int, now: int, large: frozenset[int], lost: frozenset[int] = frozenset()
) -> bool:
    """Whether thinking of a turn still follows the bytes it was made after.

    It does unless what was whole then is slim now, or gone (`lost`: turns that miss a picture);
    what a kept block followed is kept too, so that no block of the middle is missing.
    """
    slimmed = any(window(turn) <= number < min(window(now), turn + 1) for number in large)
    return not slimmed and not any(window(turn) <= number <= turn for number in lost)


def spelled(value: object) -> str:
    """JSON in one spelling, whatever order a stored card came back in."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def slim(value: dict[str, Any]) -> str:
    """Ids and labels of the first ten, how many there were, and that the rest can be had again."""
    rows = value.get("rows")
    listed = rows if isinstance(rows, list) else []
    kept = {key: each for key, each in value.items() if isinstance(each, int) or key.endswith("id")}
    digest = {
        **kept,
        "first": [_row(row) for row in listed[:_FIRST]],
        "slimmed": "an old result, shortened; call the tool again for all of it",
    }
    return spelled(digest)


def _row(row: dict[str, Any]) -> dict[str, str]:
    texts = (str(each) for key, each in sorted(row.items()) if key != "id" and each is not None)
    return {"id": str(row.get("id", "")), "label": ", ".join(texts)[:_LABEL]}


def _is_large(event: Event) -> bool:
    match event:
        case Heard(pictures=pictures):
            return bool(pictures)
        case Ran(card=card):
            return len(spelled(for_model(card))) > LARGE
        case _:
            return False
