"""Workouts that carry a name everywhere, as Fran: what they are called and how they are scored."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from app.workouts.terms import SchemeType


@dataclass(frozen=True, slots=True)
class Benchmark:
    key: str
    name: str
    tag: str
    scheme: SchemeType
    aliases: tuple[str, ...] = ()


@cache
def benchmarks() -> Mapping[str, Benchmark]:
    """All of them by key."""
    with files("app.workouts.text").joinpath("benchmarks.csv").open(encoding="utf-8") as lines:
        return MappingProxyType({row["key"]: _benchmark(row) for row in csv.DictReader(lines)})


def _benchmark(row: dict[str, str]) -> Benchmark:
    return Benchmark(
        key=row["key"],
        name=row["name"],
        tag=row["tag"],
        scheme=SchemeType(row["scheme"]),
        aliases=tuple(filter(None, row["aliases"].split(";"))),
    )
