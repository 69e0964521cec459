"""The Spotter that a command is about: the environment's, else the one that runs here."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import click

from app.core.actor import Actor
from app.core.errors import StudioError
from app.core.settings import Settings
from app.people import queries as people
from bot.cli import run_file
from bot.operations import saying
from bot.operations.provisioning import Provisioning
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


def provisioning() -> Provisioning:
    return Provisioning(wiring().db)


@contextmanager
def told() -> Iterator[None]:
    """Make what ordinarily goes wrong a ClickException, in the words that people get."""
    try:
        yield
    except StudioError as error:
        raise click.ClickException(saying.of_error(error.code, error.values, "en")) from None


def person(found: Wiring, org_id: UUID, user_id: UUID) -> Actor:
    """Raises a ClickException for one who doesn't work in this gym."""
    with found.db.transaction(org_id) as session:
        actor = people.actor(session, org_id, user_id)
    if actor is None:
        raise click.ClickException(
            f"{user_id} doesn't work in gym {org_id}: see `spotter staff list`"
        )
    return actor
