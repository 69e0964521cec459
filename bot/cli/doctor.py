"""`spotter doctor`: what a machine has and what is missing, each with what to do about it."""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date

import click
from redis import Redis
from sqlalchemy import NullPool, create_engine, text

from app.core.clock import Clock
from app.core.settings import Settings
from bot.model import prices
from bot.playground.servers.browser import find_browser


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    well: bool
    told: str


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True)
def command(*, as_json: bool) -> None:
    """Look at Python, servers, vendors and the browser of the tests.

    Exit 1 if something is amiss.
    """
    settings = Settings()
    looks: dict[str, Callable[[], str]] = {
        "python": _python,
        "postgres": lambda: _postgres(settings),
        "redis": lambda: _redis(settings),
        "model": lambda: _vendor(
            settings.anthropic_api_key.get_secret_value(), settings.anthropic_base_url
        ),
        "prices": lambda: _prices(Clock().now().date()),
        "twilio": lambda: _vendor(settings.twilio_account_sid, settings.twilio_api_url),
        "browser": lambda: str(find_browser()),
    }
    found = [_look(what, look) for what, look in looks.items()]
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], ensure_ascii=False))
    else:
        for one in found:
            click.echo(f"{'ok ' if one.well else 'NO '} {one.what:9} {one.told}")
    raise SystemExit(0 if all(one.well for one in found) else 1)


def _look(what: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(what, well=True, told=look())
    except Exception as error:  # noqa: BLE001 - whatever is amiss is the finding
        return Finding(
            what,
            well=False,
            told=str(error).splitlines()[0] if str(error) else type(error).__name__,
        )


def _python() -> str:
    return sys.version.split()[0]


def _postgres(settings: Settings) -> str:
    url = settings.database_url.get_secret_value()
    if not url:
        return "embedded (DATABASE_URL is not set)"
    with create_engine(url, poolclass=NullPool).connect() as connection:
        return str(connection.scalar(text("SHOW server_version")))


def _redis(settings: Settings) -> str:
    url = settings.redis_url.get_secret_value()
    if not url:
        return "embedded (REDIS_URL is not set)"
    with Redis.from_url(url, socket_connect_timeout=2) as redis:
        return str(redis.info("server")["redis_version"])


def _prices(today: date) -> str:
    """Old prices are no reason to stop: nothing is amiss on this machine."""
    told = f"of {prices.read_on()}"
    days = prices.GOOD_FOR.days
    return f"{told}, over {days} days old: look them up anew" if prices.outdated(today) else told


def _vendor(secret: str, address: str | None) -> str:
    if not secret:
        return "the stand-in (no credentials)"
    return f"at {address}" if address else "the vendor"
