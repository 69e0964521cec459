"""The Spotter that a command is about: the environment's, else the one that runs here."""

import click

from app.core.settings import Settings
from bot.cli import run_file
from bot.playground.servers import servers_folder
from bot.wiring import Wiring


def wiring() -> Wiring:
    """Raises a ClickException where there is neither."""
    settings = Settings()
    if settings.database_url.get_secret_value():
        return Wiring(settings)
    running = run_file.read(servers_folder("run", settings.spotter_data))
    if running is None:
        raise click.ClickException("set DATABASE_URL and REDIS_URL, or start `spotter run` first")
    return Wiring(Settings.of(running.env))
