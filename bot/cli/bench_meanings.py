"""`spotter bench --only meanings`: what it takes to know who is meant, in the large gym."""

import csv
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from app.core.embedding import DIMENSIONS, LONGEST, Meanings, Vector
from app.people import service as people
from app.people.service import NewMember
from app.search import queries, service
from app.search.embedders import LocalE5
from bot.cli.bench_figures import Baseline, Figure, quantile
from bot.cli.bench_place import Place
from bot.cli.bench_reads import Gym, least, open_gym
from bot.cli.bench_reads import Size as GymSize
from bot.playground.demo.large.gym import MEMBERS

ASKED: Final = (
    "Move {name} from the seven o'clock class tomorrow to the one on Thursday evening, and tell "
    "them that we are sorry about it; then see whether there are credits left on the card of {name}"
)

SYLLABLES: Final = ("ba", "do", "gi", "ku", "le", "mo", "ni", "pa", "ro", "su", "ta", "ve")


@dataclass(frozen=True, slots=True)
class Size:
    members: int = MEMBERS
    times: int = 60


def meanings(place: Place, size: Size) -> Iterator[Figure]:
    """The model's time for a text, the look's without it, and how much is found by meaning."""
    embedder = LocalE5()
    yield _embedding(embedder, size)
    gym = open_gym(place, GymSize(members=size.members, times=size.times))
    names = _names(gym, size.times)
    _fill(gym, embedder.model)
    gym.db.meanings = Meanings(embedder)
    yield _looking(gym, names, size)
    yield _recall(embedder)


def _embedding(embedder: LocalE5, size: Size) -> Figure:
    whole = ASKED.format(name="Dana Levi")[:LONGEST]
    samples = _timed(size.times, lambda at: embedder.embed([f"{at} {whole}"], asked=True))
    short = _timed(size.times, lambda at: embedder.embed([f"cancel {at}"], asked=True))
    base = Baseline(quantile(short, 0.95), "the same model, two words", short)
    told = (f"p95 of {size.times}; {LONGEST} characters, {embedder.model}, one thread",)
    return Figure("embed.query_ms", quantile(samples, 0.95), "ms", samples, told, base)


def _looking(gym: Gym, names: Sequence[str], size: Size) -> Figure:
    """Each sentence's vector is there already, as it is when a turn begins."""
    asked = [ASKED.format(name=name) for name in names]
    for one in asked:
        gym.db.meanings.ahead(one)
    met = 0

    def look(at: int) -> None:
        nonlocal met
        with gym.db.transaction(gym.actor.org_id) as session:
            found = _candidates(session, gym, asked[at % len(asked)])
        met += any(one == names[at % len(asked)] for one in found)

    samples = _timed(size.times, look)
    told = (
        f"p95 of {size.times}; {size.members} members, a vector each",
        f"who is named was told in {met} of them",
    )
    low = least(gym, GymSize(times=size.times))
    base = Baseline(quantile(low, 0.95), "a transaction of the same role with one SELECT", low)
    return Figure("ambient.candidates_ms", quantile(samples, 0.95), "ms", samples, told, base)


def _candidates(session: Session, gym: Gym, asked: str) -> list[str]:
    now = gym.db.clock.now()
    return [one.name for one in queries.candidates(session, gym.actor, asked, now=now)]


def _recall(embedder: LocalE5) -> Figure:
    """Titles in English, asked for in Hebrew and Russian: by words alone none would be found."""
    with (files("bot.playground") / "sought.csv").open(encoding="utf-8") as sheet:
        rows = list(csv.DictReader(sheet))
    titles = embedder.embed([row["title"] for row in rows], asked=False)
    asked = [(at, row[language]) for at, row in enumerate(rows) for language in ("he", "ru")]
    vectors = embedder.embed([words for _, words in asked], asked=True)
    pairs = zip(asked, vectors, strict=True)
    first = [float(_nearest(vector, titles) == at) for (at, _), vector in pairs]
    found = sum(first) / len(first)
    told = (f"{len(asked)} wishes in Hebrew and Russian", f"{len(titles)} English titles")
    return Figure("search.recall_at_1", found, "share", first, told)


def _nearest(vector: Vector, others: Sequence[Vector]) -> int:
    near = [sum(a * b for a, b in zip(vector, one, strict=True)) for one in others]
    return near.index(max(near))


def _names(gym: Gym, count: int) -> list[str]:
    """Of some that join: those of the large gym have ten bearers each."""
    chance = random.Random(1)  # noqa: S311 - names of nobody
    lasts = ["".join(chance.choices(SYLLABLES, k=3)).title() for _ in range(count)]
    with gym.db.transaction(gym.actor.org_id) as session:
        for last in lasts:
            new = NewMember("Dana", last)
            people.add_member(session, gym.actor.org_id, new, today=gym.today)
    return [f"Dana {last}" for last in lasts]


def _fill(gym: Gym, model: str) -> None:
    """A vector for each thing: any will do, since a look costs the same."""
    chance = random.Random(1)  # noqa: S311 - numbers of no meaning
    with gym.db.transaction(gym.actor.org_id) as session:
        while rows := service.outdated(session, model, limit=500):
            vectors = [_any(chance) for _ in rows]
            service.keep(session, gym.actor.org_id, model, rows, vectors)
    with gym.db.engine.begin() as connection:
        connection.execute(text("ANALYZE"))


def _any(chance: random.Random) -> Vector:
    return tuple(chance.gauss(0.0, 1.0) for _ in range(DIMENSIONS))


def _timed(times: int, act: Callable[[int], object]) -> list[float]:
    samples = []
    for at in range(times):
        begun = time.perf_counter()
        act(at)
        samples.append((time.perf_counter() - begun) * 1000)
    return samples
