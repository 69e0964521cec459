"""`spotter staff`: who works in a gym, and how they sign in."""

from uuid import UUID

import click

from app.core.actor import Role
from app.people.service import NewUser
from app.people.views import StaffView
from app.web.tokens import sign_in_link
from bot.cli import here
from bot.conversation import identity

ROLE = click.Choice([role.value for role in (Role.COACH, Role.ADMIN, Role.OWNER)])


@click.group("staff")
def command() -> None:
    """Add people to a gym, list them, change what they are there, let them in.

    GYM is a gym's slug or its id.
    """


@command.command("add")
@click.argument("gym")
@click.argument("name")
@click.option("--role", type=ROLE, default="coach", show_default=True)
@click.option("--email")
@click.option("--lang", type=click.Choice(["en", "he", "ru"]), default="he", show_default=True)
def add(gym: str, name: str, *, role: str, email: str | None, lang: str) -> None:
    """Add a person and print their user id; who has a login by that e-mail keeps it."""
    new = NewUser(name=name, email=email, language=lang)
    with here.told():
        click.echo(here.provisioning().add_staff(gym, new, Role(role)).user_id)


@command.command("list")
@click.argument("gym")
def show(gym: str) -> None:
    """List who works in a gym, and who did."""
    with here.told():
        found = here.provisioning().staff(gym)
    for one in found:
        click.echo(_line(one))


@command.command("role")
@click.argument("gym")
@click.argument("user_id", type=click.UUID)
@click.argument("role", type=ROLE)
def change_role(gym: str, user_id: UUID, role: str) -> None:
    """Give somebody another role. A gym's last owner keeps theirs."""
    with here.told():
        click.echo(_line(here.provisioning().change_staff(gym, user_id, role=Role(role))))


@command.command("deactivate")
@click.argument("gym")
@click.argument("user_id", type=click.UUID)
def deactivate(gym: str, user_id: UUID) -> None:
    """Let somebody go: from now on nothing of this gym opens to them."""
    with here.told():
        click.echo(_line(here.provisioning().change_staff(gym, user_id, active=False)))


@command.command("activate")
@click.argument("gym")
@click.argument("user_id", type=click.UUID)
def activate(gym: str, user_id: UUID) -> None:
    """Let somebody in again, as what they were."""
    with here.told():
        click.echo(_line(here.provisioning().change_staff(gym, user_id, active=True)))


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


def _line(one: StaffView) -> str:
    return f"{one.user_id}  {one.role.value:6} {'' if one.active else 'left  '}{one.name}"
