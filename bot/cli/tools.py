"""`spotter tools`: every tool as it is declared."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click

from bot.cli.sheets import UnreadableSheet, rows
from bot.render.speech import label_in
from i18n import Language
from tools.kit import schema
from tools.kit.declare import Tool
from tools.kit.registry import discover

API = "/api/v1"
SHEET: Final[Mapping[str, str]] = {
    "category": "category",
    "confirm": "confirm",
    "inverse": "undo",
    "roles": "role",
    "quick_action": "quick",
    "http_method": "method",
    "http_path": "path",
}
"""The columns of a catalogue's sheet that are compared, and what `facts` calls them."""


@click.command("tools")
@click.option("--router", help="Only this one's.")
@click.option("--json", "as_json", is_flag=True, help="One object a tool.")
@click.option(
    "--check",
    "sheet",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Compare with a catalogue (CSV), and say what differs.",
)
def command(*, router: str | None, as_json: bool, sheet: Path | None) -> None:
    """List the tools: what may be asked of the studio, by whom, and how it is asked first."""
    if sheet is not None:
        _check(sheet, router, as_json=as_json)
        return
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


def _check(sheet: Path, router: str | None, *, as_json: bool) -> None:
    """Exits with 1 where something differs; tools that no row has are named, and no fault."""
    asked = [row for row in _rows(sheet) if router in {None, row["router"]}]
    found = {
        name: list(differences(row))
        for row in asked
        if (name := f"{row['router']}.{row['action']}")
    }
    wrong = {name: some for name, some in found.items() if some}
    more = sorted(
        one.name
        for one in discover("tools.catalog").values()
        if one.name not in found and router in {None, one.router}
    )
    matching = len(found) - len(wrong)
    if as_json:
        told = {"rows": len(found), "match": matching, "differences": wrong, "beyond": more}
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
    else:
        for name, some in wrong.items():
            click.echo(f"{name}: {'; '.join(some)}")
        for name in more:
            click.echo(f"{name}: in no row")
        click.echo(f"{matching} of {len(found)} match")
    raise SystemExit(1 if wrong else 0)


def _rows(sheet: Path) -> list[dict[str, str]]:
    try:
        found = [row for _, row in rows(sheet, ("router", "action", *SHEET))]
    except UnreadableSheet as error:
        raise click.UsageError(f"{sheet} is no catalogue: {error}") from error
    if not found:
        raise click.UsageError(f"{sheet} is no catalogue: it has no rows")
    return found


def differences(row: Mapping[str, str]) -> Iterator[str]:
    """Where a tool is not as its row says; a tool that isn't there differs in nothing else."""
    tool = discover("tools.catalog").get(f"{row['router']}.{row['action']}")
    if tool is None:
        yield "is missing"
        return
    told = facts(tool)
    for column, name in SHEET.items():
        wanted, here = row[column], _spelled(told[name])
        if wanted != here:
            yield f"{column} is {here or 'none'}, not {wanted or 'none'}"


def _spelled(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)
