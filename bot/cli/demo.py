"""`spotter demo`: make the demo gym in a database, once for each seed."""

from datetime import UTC, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

import click

from app.core.clock import Clock
from app.studio import queries as studio
from bot.cli import here
from bot.playground.demo import build
from bot.playground.demo.large.gym import build_large
from bot.wiring import Wiring

ZONE = ZoneInfo("Asia/Jerusalem")


@click.command("demo")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--lang", type=click.Choice(["en", "he", "ru"]), default="en", show_default=True)
@click.option(
    "--size",
    type=click.Choice(["small", "large"]),
    default="small",
    show_default=True,
    help="large: 5,000 members and three years behind them.",
)
def command(*, seed: int, lang: str, size: str) -> None:
    """Make the demo gym of SEED where it isn't there yet, and print its id."""
    make = ensure_large if size == "large" else ensure_demo
    click.echo(make(here.wiring(), seed, lang))


def ensure_demo(wiring: Wiring, seed: int, language: str) -> UUID:
    """The demo gym of a seed, made relative to the process's clock if it isn't there."""
    with wiring.db.platform() as session:
        known = studio.org_by_slug(session, f"demo-{seed}")
    if known is not None:
        return known
    return build(wiring.db, seed=seed, now=wiring.clock.now(), language=language).org_id


def ensure_large(wiring: Wiring, seed: int, language: str) -> UUID:
    """The large gym of a seed, made in bulk if it isn't there."""
    with wiring.db.platform() as session:
        known = studio.org_by_slug(session, f"large-{seed}")
    if known is not None:
        return known
    return build_large(wiring.db, seed=seed, now=wiring.clock.now(), language=language).org_id


def offset_for(now: datetime | None) -> float:
    """Seconds between the wall clock and the gym's; a time without a zone is the gym's own."""
    if now is None:
        return 0.0
    aware = now if now.tzinfo else now.replace(tzinfo=ZONE)
    return (aware.astimezone(UTC) - Clock().now()).total_seconds()
