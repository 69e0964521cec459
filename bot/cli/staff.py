"""`spotter staff`: who works in a gym, and how they sign in."""

from uuid import UUID

import click
from sqlalchemy.orm import Session

from app.core.actor import Role
from app.core.db import as_org
from app.core.errors import NotFound
from app.people import queries, service
from app.studio import queries as studio
from app.web.tokens import sign_in_link
from bot.cli import here
from bot.conversation import identity


@click.group("staff")
def command() -> None:
    """Add people to a gym, list them, let them in."""


@command.command("add")
@click.argument("org_id", type=click.UUID)
@click.argument("name")
@click.option(
    "--role", type=click.Choice(["coach", "admin", "owner"]), default="coach", show_default=True
)
@click.option("--email")
@click.option("--lang", type=click.Choice(["en", "he", "ru"]), default="he", show_default=True)
def add(org_id: UUID, name: str, *, role: str, email: str | None, lang: str) -> None:
    """Add a person and print their user id."""
    with here.wiring().db.platform() as session:
        user_id = service.create_user(
            session, service.NewUser(name=name, email=email, language=lang)
        )
        with as_org(session, org_id):
            _check_gym(session, org_id)
            service.add_staff(session, org_id, user_id, name=name, role=Role(role))
    click.echo(user_id)


@command.command("list")
@click.argument("org_id", type=click.UUID)
def show(org_id: UUID) -> None:
    """List who works in a gym."""
    with here.wiring().db.transaction(org_id) as session:
        _check_gym(session, org_id)
        for one in queries.list_staff(session, active=None):
            click.echo(
                f"{one.user_id}  {one.role.value:6} {'' if one.active else 'left  '}{one.name}"
            )


@command.command("sign-in")
@click.argument("org_id", type=click.UUID)
@click.argument("user_id", type=click.UUID)
def sign_in(org_id: UUID, user_id: UUID) -> None:
    """Print an address that signs a person in, once."""
    wiring = here.wiring()
    here.person(wiring, org_id, user_id)
    click.echo(sign_in_link(wiring.settings, org_id, user_id))


@command.command("link-code")
@click.argument("org_id", type=click.UUID)
@click.argument("user_id", type=click.UUID)
def link_code(org_id: UUID, user_id: UUID) -> None:
    """Print a code that links a phone.

    It links the phone it is sent from, and is good for 10 minutes.
    """
    wiring = here.wiring()
    here.person(wiring, org_id, user_id)
    with wiring.db.platform() as session:
        click.echo(identity.new_code(session, org_id, user_id))


def _check_gym(session: Session, org_id: UUID) -> None:
    try:
        studio.org(session, org_id)
    except NotFound:
        raise click.ClickException(f"there is no gym {org_id}: see `spotter org list`") from None
