"""`spotter bench`: measure, and print each figure with its baseline as a line of JSON."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import click

from bot.cli import (
    bench_ack,
    bench_crowd,
    bench_meanings,
    bench_model,
    bench_reads,
    bench_turns,
)
from bot.cli.bench_figures import Figure
from bot.cli.bench_place import Place, open_place

Measure = Callable[[Place], Iterator[Figure]]


def measures(kind: tuple[str, ...]) -> dict[str, Measure]:
    """What can be measured, by the name that `--only` takes."""
    web, turns = bench_ack.Size(), bench_turns.Size()
    return {
        "ack": partial(bench_ack.ack, size=web, kind=kind),
        "throughput": partial(bench_ack.throughput, size=web, kind=kind),
        "first_words": partial(bench_turns.first_words, size=turns),
        "tool_call": partial(bench_turns.tool_calls, size=turns),
        "crowd": partial(bench_crowd.crowd, size=turns),
        "costs": bench_model.costs,
        "finding": bench_model.finding_tools,
        "recall": bench_model.recall,
        "reads": partial(bench_reads.reads, size=bench_reads.Size()),
        "meanings": partial(bench_meanings.meanings, size=bench_meanings.Size()),
    }


NAMES: Final = tuple(measures(()))


@click.command("bench")
@click.option("--only", type=click.Choice(NAMES), multiple=True, help="All, unless given.")
@click.option(
    "--gthread", type=int, help="Measure the web process with so many threads, not with gevent."
)
@click.option("--json", "as_json", is_flag=True, help="Implied.")
def command(*, only: tuple[str, ...], gthread: int | None, as_json: bool) -> None:  # noqa: ARG001 - the option is for symmetry with other commands
    """Print figures, one a line: {name, value, unit, baseline, ratio, samples, conditions, ...}."""
    kind = ("-k", "gthread", "--threads", str(gthread)) if gthread else ()
    for figure in run(only or NAMES, measures(kind)):
        click.echo(figure.line())


def run(
    names: tuple[str, ...], known: dict[str, Measure], *, fast: bool = False
) -> Iterator[Figure]:
    """One after another, each in a place of its own."""
    for name in names:
        with open_place(fast=fast) as place:
            yield from known[name](place)
