"""`spotter prefix`: what a role's requests to the model begin with, measured."""

import hashlib
import json

import click

from app.core.actor import Role
from bot.model.cookbook import COOKBOOK
from bot.model.prompt import PREFIX_VERSION
from tools.kit import schema
from tools.kit.registry import discover


@click.command("prefix")
@click.option(
    "--role", type=click.Choice(["coach", "admin", "owner"]), default="owner", show_default=True
)
@click.option("--json", "as_json", is_flag=True)
def command(*, role: str, as_json: bool) -> None:
    """Count the tools and characters of a role's prefix, without the gym's own block."""
    registry = discover("tools.catalog")
    offered = schema.definitions(registry, Role(role))
    loaded = schema.loaded(offered)
    text = schema.dumps(loaded)
    facts = {
        "role": role,
        "tools_total": len(registry),
        "tools_loaded": len(loaded),
        "tools_deferred": len(offered) - len(loaded),
        "chars_tools": len(text),
        "chars_system": len(COOKBOOK),
        "version": PREFIX_VERSION,
        "sha256": hashlib.sha256((text + COOKBOOK).encode()).hexdigest(),
    }
    click.echo(
        json.dumps(facts)
        if as_json
        else "\n".join(f"{key}: {value}" for key, value in facts.items())
    )
