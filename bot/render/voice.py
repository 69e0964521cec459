"""Saying a key with a card's values to one reader in one place; what every look shares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.render.reader import Reader
from bot.render.values import shown
from i18n import MissingWordsError, Shown, Variant, has, phrase
from tools.kit.values import Count, Line, Value

Values = Mapping[str, Value | Shown]

_NOBODY = ("booked", "members", "recipients")
"""Counts of people: at 0 a phrase may have other words, under `<key>.nobody`."""


@dataclass(frozen=True, slots=True)
class Voice:
    reader: Reader
    variant: Variant = ""
    units: int | None = None
    """The most that names may take, where a whole line has to fit."""

    def has(self, key: str) -> bool:
        return has(key, self.reader.language, self.variant)

    def say(self, key: str, values: Values | None = None) -> str:
        """The phrase with its values. Raises MissingWordsError."""
        given = values or {}
        if self._is_nobody(given) and self.has(f"{key}.nobody"):
            key = f"{key}.nobody"
        spoken = {place: self.show(value, place) for place, value in given.items()}
        return phrase(key, self.reader.language, spoken, self.variant)

    def show(self, value: Value | Shown, place: str = "") -> Shown:
        if isinstance(value, Shown):
            return value
        return shown(value, self.reader, self.variant, place=place, units=self.units)

    def line(self, line: Line) -> str:
        return self.say(line.key, line.values)

    def lines(self, lines: Sequence[Line]) -> list[str]:
        return [self.line(line) for line in lines]

    def first(self, keys: Sequence[str], values: Values) -> str:
        """The first of the keys that has words and whose values are all there.

        The last one is the generic phrase, so that a new tool is shown before it has its words.
        """
        *own, generic = keys
        for key in own:
            try:
                return self.say(key, values)
            except MissingWordsError:
                continue
        return self.say(generic, values)

    def narrow(self, units: int) -> "Voice":
        return replace(self, units=units)

    @staticmethod
    def _is_nobody(values: Values) -> bool:
        return any(_zero(values.get(place)) for place in _NOBODY)


def _zero(value: Value | Shown | None) -> bool:
    return (isinstance(value, Count) and value.n == 0) or (
        isinstance(value, int) and not isinstance(value, bool) and value == 0
    )
