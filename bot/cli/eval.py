"""`spotter eval`: requests to whatever model is configured, each in a demo gym of its own."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from app.core.settings import Settings
from bot.cli.demo import offset_for
from bot.cli.eval_play import Approve, Trial
from bot.cli.eval_score import Scored, shares
from bot.cli.eval_sheet import Request, read_sheet
from bot.cli.scene import brain_for
from bot.cli.sheets import UnreadableSheet
from bot.cli.stage import stage
from bot.playground.servers import private_servers
from tools.kit.registry import Registry, discover

_MILLION = 1_000_000


@click.command("eval")
@click.option(
    "--prompts",
    "sheet",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="CSV: lang, role, page, clock, prompt, expected_tools, needs_confirmation.",
)
@click.option("--limit", type=click.IntRange(1), help="Only the first so many.")
@click.option("--approve", type=click.Choice(["all", "none"]), default="all", show_default=True)
@click.option("--stand-in", is_flag=True, help="Ask the planner of the demo, not a model.")
@click.option("--patience", type=float, default=180.0, show_default=True, help="Seconds a turn.")
@click.option("--json", "as_json", is_flag=True)
def command(
    *,
    sheet: Path,
    limit: int | None,
    approve: Approve,
    stand_in: bool,
    patience: float,
    as_json: bool,
) -> None:
    """Play the requests of a sheet, and score each.

    Right is: all expected tools called (more reads may be), no other write, a yes asked for where
    one is needed and only there, and nothing done without it. What differs in the studio is told.
    """
    settings = Settings()
    if not stand_in and not _has_model(settings):
        raise click.ClickException(
            "no model: set ANTHROPIC_API_KEY (and ANTHROPIC_BASE_URL for another server), "
            "or ask the demo's planner with --stand-in"
        )
    registry = discover("tools.catalog")
    try:
        requests = read_sheet(sheet, registry)[:limit]
    except UnreadableSheet as error:
        raise click.BadParameter(str(error), param_hint="--prompts") from error
    scored: list[Scored] = []
    for one in play(requests, settings, registry, approve, stand_in=stand_in, patience_s=patience):
        scored.append(one)
        if not as_json:
            click.echo(_line(one))
    click.echo(json.dumps(_told(scored), ensure_ascii=False, indent=1) if as_json else _sum(scored))


def _has_model(settings: Settings) -> bool:
    return bool(settings.anthropic_api_key.get_secret_value() or settings.anthropic_base_url)


def play(
    requests: Sequence[Request],
    settings: Settings,
    registry: Registry,
    approve: Approve,
    *,
    stand_in: bool,
    patience_s: float,
) -> Iterator[Scored]:
    """In the order of their clocks: a Spotter lives at one time."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = stack.enter_context(private_servers(folder / "servers"))
        number = 0
        for clock, some in groupby(sorted(requests, key=_when), key=_when):
            with stage(
                servers.database_url,
                servers.redis_url,
                brain=brain_for(None) if stand_in else None,
                settings=settings.model_copy(update={"anthropic_base_url": None})
                if stand_in
                else settings,
                clock_offset_s=offset_for(clock),
                debounce_ms=0,
            ) as place:
                trial = Trial(place, registry, approve, patience_s)
                for request in some:
                    number += 1
                    yield trial.play(request, number)


def _when(request: Request) -> datetime:
    return request.clock


def _told(scored: Sequence[Scored]) -> dict[str, Any]:
    return {"requests": [_as_json(one) for one in scored], "shares": shares(scored)}


def _as_json(one: Scored) -> dict[str, Any]:
    request = {
        "lang": one.request.lang,
        "role": one.request.role.value,
        "prompt": one.request.prompt,
        "expected": one.request.expected,
    }
    return {
        **request,
        "ok": one.score.ok,
        **asdict(one.score),
        "answer": one.answer,
        "rows": one.rows,
        "tokens": one.tokens,
        "usd": one.cost_micros / _MILLION,
        "seconds": one.seconds,
    }


def _line(one: Scored) -> str:
    found = one.score
    wrong = {
        "without": found.missing,
        "wrote": found.extra_writes,
        "unapproved": found.unapproved,
        "asked": () if found.asked == found.confirms else (str(found.asked).lower(),),
        "fault": (found.fault,) if found.fault else (),
    }
    said = "; ".join(f"{key} {', '.join(what)}" for key, what in wrong.items() if what)
    head = f"{'ok   ' if found.ok else 'wrong'} {one.request.lang} {one.seconds:5.1f}s"
    return f"{head} {one.request.prompt}" + (f"\n      {said}" if said else "")


def _sum(scored: Sequence[Scored]) -> str:
    return "\n".join(
        f"{key}: {one['ok']:.0%} of {one['requests']:.0f} right;"
        f" all called {one['all_called']:.0%}, asked right {one['asked_right']:.0%},"
        f" nothing unapproved"
        f" {one['nothing_unapproved']:.0%}, ${one['usd_a_request']:.4f} each"
        for key, one in shares(scored).items()
    )
