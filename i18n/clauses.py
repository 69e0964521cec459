"""A request cut into its wishes: 'cancel the noon class, oh and book me into the 7am'."""

import re
from typing import Final

_BETWEEN: Final = re.compile(
    r"[.,;:!?()\n]+"
    r"|\b(?:and|then|also|oh|plus|но|и|а|да|потом|затем|ещё|еще|если|if|but|ואז|וגם|אבל|אם)\b"
)
_FEWEST: Final = 2
"""Words of a wish; less is a name, or 'today'."""


def clauses(text: str) -> tuple[str, ...]:
    """The whole text first, then its parts where there are several."""
    parts = [part.strip() for part in _BETWEEN.split(text.casefold())]
    wishes = [part for part in parts if len(part.split()) >= _FEWEST]
    return (text, *wishes) if len(wishes) > 1 else (text,)
