"""Saying a key with a card's values to one reader in one place; what every look shares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.render.reader import Reader
from bot.render.values import shown
from i18n import MissingWordsError, Shown, Variant, has, phrase
from tools.kit.values import Count, Line, Term, Value

Values = Mapping[str, Value | Shown]


@dataclass(frozen=True, slots=True)
class Voice:
    reader: Reader
    variant: Variant = ""
    units: int | None = None
    """The most that names may take, where a whole line has to fit."""

    def has(self, key: str) -> bool:
        return has(key, self.reader.language, self.variant)

    def say(self, key: str, values: Values | None = None) -> str:
        """The phrase with its values, or the one for just this case. Raises MissingWordsError.

        Cases: `<key>.waitlisted` by a status, `<key>.late` by a flag, `<key>.no_credits` by a zero.
        """
        given = values or {}
        spoken = {place: self.show(value, place) for place, value in given.items()}
        cases = (f"{key}.{case}" for place, value in given.items() for case in _cases(place, value))
        chosen = next(filter(self.has, cases), key)
        return phrase(chosen, self.reader.language, spoken, self.variant)

    def show(self, value: Value | Shown, place: str = "") -> Shown:
        if isinstance(value, Shown):
            return value
        return shown(value, self.reader, self.variant, place=place, units=self.units)

    def line(self, line: Line) -> str:
        return self.say(line.key, line.values)

    def note(self, line: Line) -> str:
        """A line under what was done: an announced effect may have words for afterwards."""
        done = f"{line.key}.done"
        return self.say(done if self.has(done) else line.key, line.values)

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

    def narrow(self, units: int | None) -> "Voice":
        return replace(self, units=units)


def _cases(place: str, value: Value | Shown) -> tuple[str, ...]:
    match value:
        case Term(key=key) if place == "status":
            return (key.rpartition(".")[2],)
        case True:
            return (place,)
        case False:
            return ()
        case 0 | Count(n=0):
            return (f"no_{place}",)
        case _:
            return ()
