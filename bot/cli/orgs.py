"""`spotter org`: the gyms that Spotter runs for."""

import json

import click
from sqlalchemy.exc import IntegrityError

from app.automations import service as automations
from app.core.db import as_org
from app.core.errors import BadInput
from app.core.ids import new_id
from app.studio import queries as studio
from app.studio import service
from app.studio.terms import Tier
from bot.cli import here


@click.group("org")
def command() -> None:
    """Add gyms and list them."""


@command.command("add")
@click.argument("name")
@click.option("--slug", required=True)
@click.option(
    "--tier",
    type=click.Choice([tier.value for tier in Tier]),
    default=Tier.LITE.value,
    show_default=True,
)
@click.option("--zone", default="Asia/Jerusalem", show_default=True)
@click.option("--lang", type=click.Choice(["en", "he", "ru"]), default="he", show_default=True)
def add(name: str, *, slug: str, tier: str, zone: str, lang: str) -> None:
    """Add a gym and print its id."""
    org_id = new_id()
    new = service.NewOrg(name=name, slug=slug, tier=Tier(tier), timezone=zone, language=lang)
    try:
        with here.wiring().db.platform() as session, as_org(session, org_id):
            service.create_org(session, org_id, new)
    except IntegrityError:
        raise click.ClickException(f"there is a gym with the slug {slug} already") from None
    except BadInput:
        raise click.ClickException(f"there is no time zone {zone}") from None
    click.echo(org_id)


@command.command("tier")
@click.argument("slug")
@click.argument("tier", type=click.Choice([tier.value for tier in Tier]))
def set_tier(slug: str, tier: str) -> None:
    """Move a gym to another tier; automations that it doesn't include are switched off."""
    with here.wiring().db.platform() as session:
        org_id = studio.org_by_slug(session, slug)
        if org_id is None:
            raise click.ClickException(f"there is no gym with the slug {slug}")
        with as_org(session, org_id):
            service.set_tier(session, org_id, Tier(tier))
            off = automations.tier_changed(session, org_id)
    click.echo(f"{slug} is {tier} now, automations switched off: {off}")


@command.command("list")
@click.option("--json", "as_json", is_flag=True)
def show(*, as_json: bool) -> None:
    """List the gyms."""
    with here.wiring().db.platform() as session:
        found = [
            {"id": str(org.id), "slug": org.slug, "name": org.name, "tier": org.tier.value}
            for org in studio.all_orgs(session)
        ]
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        for one in found:
            click.echo(f"{one['id']}  {one['slug']:20} {one['tier']:6} {one['name']}")
