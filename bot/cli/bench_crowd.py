"""Turns in a crowd: CPU and memory for each, and the wait for the first words, many at once."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

import psutil

from bot.cli.bench_child import Child
from bot.cli.bench_figures import Baseline, Figure, median, quantile
from bot.cli.bench_place import Place, cpu_s, pss_mb
from bot.cli.bench_turns import DELTAS, Size, Turn, open_bench


@dataclass
class Watch:
    """A process's memory, looked at all the while, and the CPU it used."""

    process: psutil.Process
    peak_mb: float = 0.0
    cpu_s: float = 0.0

    def __enter__(self) -> Self:
        self._before, self._over = cpu_s(self.process), threading.Event()
        self._looking = threading.Thread(target=self._look)
        self._looking.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._looking.join()
        self.cpu_s = cpu_s(self.process) - self._before

    def _look(self) -> None:
        while not self._over.wait(0.1):
            self.peak_mb = max(self.peak_mb, pss_mb(self.process))


@dataclass(frozen=True, slots=True)
class Wave:
    cpu_ms: float
    """A turn."""
    more_mb: float
    """A turn, at the peak over the rest before the first wave."""
    turns: list[Turn]


def crowd(place: Place, size: Size) -> Iterator[Figure]:
    """CPU and memory a turn with many turns at once, and how long they wait for the first words."""
    with open_bench(place, size.at_once) as bench:
        bench.order(delta=size.between_deltas_s)
        ours_rest, bare_rest = (pss_mb(one.process) for one in (bench.worker, bench.direct))
        ours: list[Wave] = []
        bare: list[Wave] = []
        for _ in range(size.waves):
            ours.append(_wave(bench.worker, ours_rest, size, bench.turns))
            bare.append(_wave(bench.direct, bare_rest, size, bench.calls))
    how = (
        f"{size.at_once} turns at once, threads in one process, {size.waves} waves",
        f"{DELTAS} deltas, {size.between_deltas_s * 1e3:g} ms apart; nothing else on the worker",
        "the worker's own steady look for work included",
        *place.conditions,
    )
    what = f"the same {size.at_once} streams by the SDK alone, in threads of one process"
    for name, unit, of in (("cpu", "ms a turn", _cpu), ("memory", "MB a turn (PSS)", _memory)):
        mine, base = [of(one) for one in ours], [of(one) for one in bare]
        pick = max if of is _memory else median
        figure = Baseline(pick(base), what, base)
        yield Figure(f"crowd.{name}", pick(mine), unit, mine, how, figure)
    yield from _first_words(ours, bare, how, what)
    yield Figure("crowd.rest", ours_rest, "MB (PSS)", [ours_rest], how, Baseline(bare_rest, what))


def _cpu(wave: Wave) -> float:
    return wave.cpu_ms


def _memory(wave: Wave) -> float:
    return wave.more_mb


def _first_words(
    ours: list[Wave], bare: list[Wave], how: tuple[str, ...], what: str
) -> Iterator[Figure]:
    mine, base = (
        [turn.first_ms for wave in waves for turn in wave.turns] for waves in (ours, bare)
    )
    for part in (0.5, 0.99):
        held = Baseline(quantile(base, part), what, base)
        yield Figure(
            f"crowd.first_words.p{part * 100:g}", quantile(mine, part), "ms", mine, how, held
        )


def _wave(one: Child, rest_mb: float, size: Size, carry: Callable[[str, int], list[Turn]]) -> Wave:
    with Watch(one.process) as watch:
        turns = carry("story", size.at_once)
    return Wave(watch.cpu_s * 1e3 / size.at_once, (watch.peak_mb - rest_mb) / size.at_once, turns)
