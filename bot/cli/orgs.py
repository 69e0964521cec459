"""`spotter org`: the gyms that Spotter runs for."""

import dataclasses
import json

import click

from app.studio.service import NewOrg
from app.studio.terms import Tier
from bot.cli import here

TIER = click.Choice([tier.value for tier in Tier])


@click.group("org")
def command() -> None:
    """Add gyms, list them, change the tier they are on."""


@command.command("add")
@click.argument("name")
@click.option("--slug", required=True)
@click.option("--tier", type=TIER, default=Tier.LITE.value, show_default=True)
@click.option("--zone", default="Asia/Jerusalem", show_default=True)
@click.option("--lang", type=click.Choice(["en", "he", "ru"]), default="he", show_default=True)
def add(name: str, *, slug: str, tier: str, zone: str, lang: str) -> None:
    """Add a gym and print its id."""
    new = NewOrg(name=name, slug=slug, tier=Tier(tier), timezone=zone, language=lang)
    with here.told():
        click.echo(here.provisioning().add_gym(new).id)


@command.command("list")
@click.option("--json", "as_json", is_flag=True)
def show(*, as_json: bool) -> None:
    """List the gyms."""
    found = here.provisioning().gyms()
    if as_json:
        shown = [dataclasses.asdict(one) for one in found]
        click.echo(json.dumps(shown, ensure_ascii=False, default=str))
    else:
        for one in found:
            click.echo(f"{one.id}  {one.slug:20} {one.tier.value:6} {one.name}")


@command.command("tier")
@click.argument("slug")
@click.argument("tier", type=TIER)
def change_tier(slug: str, tier: str) -> None:
    """Put a gym on another tier; what that has no more is switched off, not deleted."""
    with here.told():
        moved = here.provisioning().change_tier(slug, Tier(tier))
    click.echo(f"{moved.before.value} -> {moved.tier.value}")
    if moved.automations_off:
        click.echo(f"automations switched off: {moved.automations_off}")
