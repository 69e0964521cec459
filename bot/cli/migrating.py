"""`spotter migrate`: bring a database to the newest schema, as its owner."""

import click

from app.core import migrate
from app.core.settings import Settings


@click.command("migrate")
@click.option("--check", is_flag=True, help="Only say whether models and schema differ.")
@click.option("--to", "revision", default="heads", show_default=True)
def command(*, check: bool, revision: str) -> None:
    """Migrate DATABASE_URL; two of these at once wait for each other."""
    url = Settings().database_url.get_secret_value()
    if not url:
        raise click.ClickException("DATABASE_URL is not set")
    if check:
        migrate.check(url)
    else:
        migrate.upgrade(url, revision)
    click.echo("no drift" if check else "done")
