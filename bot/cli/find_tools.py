"""`spotter find-tools`: the tools that a request brings before the model."""

import csv
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from app.core.actor import Role
from tools import finding
from tools.kit.registry import discover


@dataclass(frozen=True, slots=True)
class Try:
    """One request: what the model would have before it, and what of the expected isn't there."""

    lang: str
    role: str
    prompt: str
    expected: tuple[str, ...]
    found: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.missing


@click.command("find-tools")
@click.argument("text", required=False)
@click.option(
    "--prompts",
    "sheet",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Requests (CSV: lang, role, prompt, expected_tools by semicolons), each tried.",
)
@click.option("--role", type=click.Choice(["coach", "admin", "owner"]), default="owner")
@click.option("--json", "as_json", is_flag=True)
def command(*, text: str | None, sheet: Path | None, role: str, as_json: bool) -> None:
    """Find the tools for TEXT, or for each request of a file; ends with the share that had all."""
    if sheet is None and not text:
        raise click.UsageError("Say what is wanted, or give a file of requests.")
    tries = list(_tries(sheet)) if sheet else [tried("", role, text or "", ())]
    found = shares(tries) if sheet else {}
    if as_json:
        told = [{**asdict(one), "ok": one.ok} for one in tries]
        click.echo(json.dumps({"requests": told, "recall": found}, ensure_ascii=False, indent=1))
        return
    for one in tries:
        click.echo(_line(one) if sheet else "\n".join(one.found))
    for lang, share in found.items():
        click.echo(f"{lang}: {share:.1%}")


def _tries(sheet: Path) -> Iterator[Try]:
    with sheet.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield of_row(row)


def of_row(row: Mapping[str, str]) -> Try:
    expected = tuple(filter(None, row["expected_tools"].split(";")))
    return tried(row["lang"], row.get("role") or "owner", row["prompt"], expected)


def tried(lang: str, role: str, prompt: str, expected: tuple[str, ...]) -> Try:
    offered = discover("tools.catalog").for_role(Role(role))
    core = {one.name for one in offered if one.core}
    deferred = [one for one in offered if not one.core]
    found = tuple(one.name for one in finding.find(deferred, prompt))
    missing = tuple(one for one in dict.fromkeys(expected) if one not in {*core, *found})
    return Try(lang, role, prompt, expected, found, missing)


def shares(tries: list[Try]) -> dict[str, float]:
    by_lang: dict[str, list[Try]] = defaultdict(list)
    for one in tries:
        by_lang[one.lang].append(one)
        by_lang["all"].append(one)
    return {lang: sum(one.ok for one in some) / len(some) for lang, some in by_lang.items()}


def _line(one: Try) -> str:
    return f"{'ok     ' if one.ok else 'missing'} {one.lang} {one.prompt}" + (
        f"\n        without {', '.join(one.missing)}; found {', '.join(one.found)}"
        if one.missing
        else ""
    )
