"""Texts with places for a person's own words, in several languages: chosen and filled. Pure."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from pydantic import BaseModel, ConfigDict

from app.messages.errors import MissingValues

PLACE: Final = re.compile(r"\{([a-z][a-z_]{0,29})\}")
KNOWN: Final = frozenset({"name", "fullname", "gym"})
"""What is known of whoever is written to."""


class Variant(BaseModel):
    """A text in one language; `ref` is the provider's id of the approved template it is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    body: str
    ref: str | None = None
    variables: tuple[str, ...] = ()


class Wording(BaseModel):
    """What is said, by language, and what is put in its places besides a person's own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    variants: dict[str, Variant]
    given: dict[str, str] = {}

    def language_for(self, language: str, default: str) -> str:
        """Their own, or else the gym's, or else the first there is."""
        found = (one for one in (language, default) if one in self.variants)
        return next(found, next(iter(self.variants)))

    def check(self, known: Iterable[str] = KNOWN) -> None:
        """Raises MissingValues."""
        places = {name for one in self.variants.values() for name in places_of(one.body)}
        missing = places - {*known} - self.given.keys()
        if missing:
            raise MissingValues(names=tuple(sorted(missing)))


def places_of(body: str) -> tuple[str, ...]:
    """The names of its places, in order, each once."""
    return tuple(dict.fromkeys(PLACE.findall(body)))


def filled(body: str, values: Mapping[str, str]) -> str:
    """The text with the words put in; a place that nobody filled stays as it is."""
    return PLACE.sub(lambda found: values.get(found[1], found[0]), body)


def content_variables(variant: Variant, values: Mapping[str, str]) -> dict[str, str]:
    """What the provider puts into its own copy: by number, on one line each."""
    told = enumerate(variant.variables, start=1)
    return {str(number): " ".join(values.get(name, "-").split()) or "-" for number, name in told}
