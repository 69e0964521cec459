"""The model's side, measured without a model: what turns cost, how tools are found."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from app.core.actor import Role
from bot.cli import find_tools
from bot.cli.bench_figures import Baseline, Figure, median, quantile
from bot.cli.bench_place import Place
from bot.model import prices
from bot.model.prompt import Toolset, prefix
from bot.playground.costs.gyms import facts
from bot.playground.costs.policy import PAPERS, POLICIES
from bot.playground.costs.replay import Replayed, replay
from bot.playground.costs.trace import WEEK, read_trace
from tools import finding
from tools.kit import schema
from tools.kit.registry import discover

_TIMES = 20
_TESTS = Path(__file__).parents[2] / "tests"
SHEETS = {
    "seen": _TESTS / "tools" / "prompts.csv",
    "unseen": _TESTS / "data" / "unseen_requests.csv",
}
_WEEK = ("the week of bot/playground/costs, one gym", "counted by the stand-in's cache")


def costs(_: Place) -> Iterator[Figure]:
    """Dollars a turn under each policy, held against the papers' design, and what was cached."""
    trace, registry, sheet = read_trace(WEEK), discover("tools.catalog"), prices.sheet()
    replayed = [replay(trace, one, registry, sheet, gyms=1, seed=1) for one in POLICIES]
    papers = next(_a_turn(one) for one in replayed if one.policy is PAPERS)
    for one in replayed:
        turn, name = _a_turn(one), one.policy.name
        held = Baseline(papers, PAPERS.what)
        yield Figure(f"cost.{name}", turn, "USD/turn", [turn], [*_WEEK, one.policy.what], held)
        hit = one.tally.hit_ratio
        yield Figure(f"cost.{name}.cache_hit", hit, "ratio", [hit], [*_WEEK])


def _a_turn(one: Replayed) -> float:
    return one.tally.micros / 1_000_000 / one.turns


def finding_tools(_: Place) -> Iterator[Figure]:
    """How long the prefix takes to build and a search to answer."""
    registry = discover("tools.catalog")
    finding.index()
    asked = [one.says for one in read_trace(Path(WEEK))]
    offered = registry.for_role(Role.OWNER)
    tools = Toolset.of(schema.definitions(registry, Role.OWNER))
    builds = _timed(lambda: prefix(tools, facts(1, "owner")), _TIMES)
    searches = [s for text in asked for s in _timed(lambda: finding.find(offered, text), 1)]  # noqa: B023 - called at once
    yield Figure(
        "prefix.build",
        median(builds),
        "ms",
        builds,
        ["an owner's, tools kept by the process"],
    )
    words = ["the words of a week's turns"]
    yield Figure("tools.search", median(searches), "ms", searches, words)
    yield Figure("tools.search.p95", quantile(searches, 0.95), "ms", searches, words)


def recall(_: Place) -> Iterator[Figure]:
    """For how many requests all tools are at hand: those the phrases were made by, and unseen ones.

    Each sample is a request: 1 where nothing was missing.
    """
    near = find_tools.by_meaning()
    for kind, sheet in SHEETS.items():
        tries = find_tools.tries(sheet, near)
        for lang, share in find_tools.shares(tries).items():
            samples = [float(one.ok) for one in tries if lang in {one.lang, "all"}]
            yield Figure(f"recall.{kind}.{lang}", share, "ratio", samples, [sheet.name])


def _timed(act: Callable[[], object], times: int) -> list[float]:
    found = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        found.append((time.perf_counter() - began) * 1000)
    return found
