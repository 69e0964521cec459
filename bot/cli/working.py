"""`spotter worker`: take turns until told to end."""

import logging

import click

from app.core.settings import Settings
from bot.operations.logs import log_to_stderr
from bot.operations.watching import watchers
from bot.operations.working import work, work_heavily
from bot.wiring import Wiring


@click.command("worker")
@click.option(
    "--threads", type=int, default=None, help="Turns at once; the settings' unless given."
)
@click.option(
    "--heavy", is_flag=True, help="Take the heavy jobs instead, each in a process of its own."
)
@click.option("--quiet", is_flag=True, help="Log warnings only.")
def command(*, threads: int | None, heavy: bool, quiet: bool) -> None:
    """Work on turns, messages and deadlines.

    SIGTERM ends it at the next event of each turn.
    """
    settings = Settings()
    if not settings.database_url.get_secret_value() or not settings.redis_url.get_secret_value():
        raise click.ClickException("set DATABASE_URL and REDIS_URL")
    level = logging.WARNING if quiet else logging.INFO
    log_to_stderr(level, as_json=settings.log_json, watchers=watchers(settings))
    if heavy:
        work_heavily(Wiring(settings))
    else:
        work(Wiring(settings), threads or settings.turn_threads)
