"""`spotter tools`: every tool as it is declared."""

import json
from typing import Any

import click

from bot.render.speech import label_in
from i18n import Language
from tools.kit import schema
from tools.kit.declare import Tool
from tools.kit.registry import discover

API = "/api/v1"


@click.command("tools")
@click.option("--router", help="Only this one's.")
@click.option("--json", "as_json", is_flag=True, help="One object a tool.")
def command(*, router: str | None, as_json: bool) -> None:
    """List the tools: what may be asked of the studio, by whom, and how it is asked first."""
    found = [tool for tool in discover("tools.catalog").values() if router in {None, tool.router}]
    if not found:
        raise click.UsageError(f"there is no router {router}")
    if as_json:
        click.echo(json.dumps([facts(tool) for tool in found], ensure_ascii=False, indent=1))
        return
    for tool in found:
        asks = "" if tool.ask == "never" else f" · asks: {tool.ask}"
        click.echo(
            f"{tool.name:36} {tool.effect:12} {tool.role:6} {tool.method} {API}{tool.path}{asks}"
        )


def facts(tool: Tool[Any]) -> dict[str, Any]:
    return {
        "name": tool.name,
        "router": tool.router,
        "action": tool.action,
        "category": tool.effect.value,
        "confirm": tool.ask.value,
        "undo": tool.undo,
        "role": tool.role.value,
        "quick": tool.quick,
        "offered": tool.offered,
        "method": tool.method,
        "path": f"{API}{tool.path}",
        "labels": {language.value: label_in(tool.label, language) for language in Language},
        "schema_chars": schema.size(schema.definition(tool)),
    }
