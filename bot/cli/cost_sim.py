"""`spotter cost-sim`: what a week of conversations costs under each way of sending it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError

from bot.model import prices
from bot.model.prices import Sheet
from bot.playground.costs.policy import BY_NAME, MAIN, PAPERS, SMALL
from bot.playground.costs.replay import Replayed, replay
from bot.playground.costs.trace import WEEK, Ask, UnreadableTrace, read_trace
from tools.kit import schema
from tools.kit.registry import discover

_MILLION = 1_000_000
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("cost-sim")
@click.option("--gyms", type=click.IntRange(1, 1000), default=1, show_default=True)
@click.option(
    "--policy", "names", type=click.Choice(list(BY_NAME)), multiple=True, help="All, unless given."
)
@click.option("--trace", type=FILE, default=WEEK, help="Another week, a turn a line of JSON.")
@click.option("--prices", "sheet", type=FILE, help="Other prices, in the form of prices.json.")
@click.option("--seed", type=int, default=1, show_default=True, help="How the gyms' weeks differ.")
@click.option("--json", "as_json", is_flag=True)
def command(
    *,
    gyms: int,
    names: tuple[str, ...],
    trace: Path,
    sheet: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Replay a week through our own prompts and the stand-in's cache, and add up the prices.

    The papers' design is always one of the policies: the others are held against it.
    """
    week, priced = _week(trace), _sheet(sheet)
    chosen = [BY_NAME[name] for name in names or BY_NAME]
    policies = chosen if PAPERS in chosen else [PAPERS, *chosen]
    registry = discover("tools.catalog")
    replayed = [replay(week, one, registry, priced, gyms=gyms, seed=seed) for one in policies]
    told = report(replayed, gyms=gyms, sheet=priced)
    click.echo(json.dumps(told, indent=1) if as_json else _table(told))


def _week(path: Path) -> tuple[Ask, ...]:
    try:
        return read_trace(path)
    except UnreadableTrace as error:
        raise click.BadParameter(str(error), param_hint="--trace") from error


def _sheet(path: Path | None) -> Sheet:
    if path is None:
        return prices.sheet()
    try:
        found = prices.sheet(path)
        for model in (MAIN, SMALL):
            prices.price(model, found.read_on, prices=found.prices)
    except (ValidationError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"no price sheet: {error}", param_hint="--prices") from error
    except LookupError as error:
        raise click.BadParameter(f"no price of {error}", param_hint="--prices") from error
    return found


def report(replayed: Sequence[Replayed], *, gyms: int, sheet: Sheet) -> dict[str, Any]:
    """The figures of all policies; money in dollars, sizes in characters as they are sent."""
    papers = next(one for one in replayed if one.policy is PAPERS)
    return {
        "gyms": gyms,
        "turns": papers.turns,
        "prices_read_on": sheet.read_on.isoformat(),
        "policies": [_figures(one, papers) for one in replayed],
    }


def _figures(one: Replayed, papers: Replayed) -> dict[str, Any]:
    tally, turn = one.tally, _a_turn(one)
    return {
        "policy": one.policy.name,
        "what": one.policy.what,
        "usd_a_turn": round(turn, 5),
        "times_cheaper": round(_a_turn(papers) / turn, 2) if turn else None,
        "hit_ratio": round(tally.hit_ratio, 3),
        "calls": tally.calls,
        "pings": one.pings,
        "usd_by_model": {name: micros / _MILLION for name, micros in tally.micros_by_model.items()},
        "longest_prompt_tokens": tally.largest,
        "tokens": {
            "read": tally.read,
            "written": tally.written,
            "fresh": tally.fresh,
            "output": tally.output,
        },
        "lanes": dict(one.taken.lanes),
        "handed_over": one.taken.handed_over,
        "looked_for_tools": one.taken.sought,
        "chars_tools": schema.size(schema.loaded(one.sent.tools)),
        "chars_system": len(one.sent.system[0]["text"]),
    }


def _a_turn(one: Replayed) -> float:
    return one.tally.micros / _MILLION / one.turns


def _table(told: dict[str, Any]) -> str:
    head = (
        f"{told['turns']} turns of {told['gyms']} gyms, prices as read on {told['prices_read_on']}"
    )
    rows = [
        f"{one['policy']:<15} ${one['usd_a_turn']:.4f} a turn  {_times(one['times_cheaper'])}"
        f"  cache {one['hit_ratio']:.0%}  {one['what']}"
        for one in told["policies"]
    ]
    return "\n".join([head, *rows])


def _times(cheaper: float | None) -> str:
    return "    -" if cheaper is None else f"{cheaper:>5.1f}x"
