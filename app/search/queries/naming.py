"""Which words of a sentence may be somebody's name, and how well they fit a name."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from app.people.names import NICK, SOUND, keys_of_word, words_of
from i18n import inflection

MOST: Final = 40
"""Words that are looked at."""
WRITTEN: Final = 4
SOUNDS: Final = 3
NICKNAME: Final = 2
_SOUND_LEAST: Final = 3
"""Letters of a sound with its mark: shorter ones are anybody's."""
_SAME_SCRIPT_LEAST: Final = 4
"""Shorter words of one script that only sound alike are two words."""


@dataclass(frozen=True)
class Asked:
    """The words of a sentence, each in the forms that a name may have been given there."""

    words: tuple[tuple[str, ...], ...]

    @cached_property
    def by_key(self) -> dict[str, tuple[tuple[int, str], ...]]:
        """What names are looked up by, and which words have it, in which form."""
        found: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for place, forms in enumerate(self.words):
            for form in forms:
                for key in _keys(form):
                    found[key].append((place, form))
        return {key: tuple(at) for key, at in found.items()}

    def keys(self) -> Iterator[tuple[str, int, int]]:
        """Each with the place of a word that has it, and how well it may fit."""
        for key, at in self.by_key.items():
            yield from ((key, place, weight(key)) for place in {place for place, _ in at})

    def fits(self, name_keys: frozenset[str]) -> dict[int, int]:
        """Which words fit a name, by their place, and how well."""
        met = name_keys & self.by_key.keys()
        if not met:
            return {}
        written = [key for key in name_keys if key[0] not in SOUND + NICK]
        found: dict[int, int] = {}
        for key in met:
            for place, form in self.by_key[key]:
                if key[0] != SOUND or _may_sound(form, written):
                    found[place] = max(found.get(place, 0), weight(key))
        return found

    def holds(self, name: str) -> bool:
        """Whether every word of a name is said, as written."""
        said = {form for forms in self.words for form in forms}
        wanted = words_of(name)
        return bool(wanted) and said.issuperset(wanted)


def asked(text: str) -> Asked:
    words = inflection.words(text)[:MOST]
    return Asked(tuple(inflection.forms(word) for word in words if len(word) > 1))


def weight(key: str) -> int:
    return {SOUND: SOUNDS, NICK: NICKNAME}.get(key[0], WRITTEN)


def _keys(form: str) -> Iterator[str]:
    return (key for key in keys_of_word(form) if key[0] != SOUND or len(key) >= _SOUND_LEAST)


def _may_sound(form: str, written: list[str]) -> bool:
    """Across scripts sound is all there is; within one, words must also begin alike."""
    return any(
        inflection.script(form) != inflection.script(word)
        or (len(form) >= _SAME_SCRIPT_LEAST and form[:2] == word[:2])
        for word in written
    )
