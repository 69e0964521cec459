"""The exercise library: slugs, names, aliases and what each exercise is counted in."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from app.workouts.terms import Measure

LOADED_WITH: Final = frozenset(
    ("barbell", "dumbbell", "kettlebell", "medicine_ball", "sandbag", "sled", "yoke", "machine")
)
LIFTS: Final = frozenset(("strength", "weightlifting"))
NO_EXERCISE: Final = frozenset(("rest", "complex"))
"""Written in a workout where an exercise stands, and none."""


@dataclass(frozen=True, slots=True)
class Known:
    """An exercise, of the library or a gym's own."""

    slug: str
    names: Mapping[str, str]
    """By language; a gym's own has one name for all of them."""
    category: str = ""
    equipment: tuple[str, ...] = ()
    measure: Measure = Measure.REPS
    aliases: tuple[str, ...] = ()
    video_url: str | None = None
    custom: bool = False

    def name(self, language: str) -> str:
        return self.names.get(language) or self.names["en"]

    @property
    def loaded(self) -> bool:
        """Whether it is usually done with a weight that somebody chooses."""
        return bool(LOADED_WITH.intersection(self.equipment))

    @property
    def is_lift(self) -> bool:
        return self.loaded and self.category in LIFTS


@dataclass(frozen=True, slots=True)
class Unsure:
    """A phrase that gyms use for two exercises: what it is read as, and what it may be."""

    alias: str
    saved: str
    other: str


@cache
def library() -> Mapping[str, Known]:
    """All exercises by slug, in the order of their names."""
    return MappingProxyType({one.slug: one for one in map(_known, _rows("exercises.csv"))})


@cache
def unsure() -> tuple[Unsure, ...]:
    return tuple(Unsure(**row) for row in _rows("ambiguous.csv"))


def phrases(one: Known) -> Iterator[str]:
    """Every way to write it."""
    yield from dict.fromkeys((*one.names.values(), *one.aliases))


def _known(row: dict[str, str]) -> Known:
    return Known(
        slug=row["slug"],
        names=MappingProxyType({code: row[f"name_{code}"] for code in ("en", "he", "ru")}),
        category=row["category"],
        equipment=tuple(filter(None, row["equipment"].split(";"))),
        measure=Measure(row["measure"]),
        aliases=tuple(filter(None, ";".join((row["en"], row["he"], row["ru"])).split(";"))),
    )


def _rows(name: str) -> Iterator[dict[str, str]]:
    with files("app.workouts.library").joinpath(name).open(encoding="utf-8") as lines:
        yield from csv.DictReader(lines)
