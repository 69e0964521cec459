"""`spotter find-tools`: the tools that a request brings before the model."""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import click

from app.core.actor import Role
from app.core.embedding import readable
from app.core.settings import Settings
from app.search.embedders import LocalE5, embedder_of, has_local
from bot.cli.sheets import UnreadableSheet, rows
from tools import finding, meaning
from tools.kit.registry import discover

COLUMNS: Final = ("lang", "prompt", "expected_tools")
ROLES: Final = ("coach", "admin", "owner")


Near = Callable[[str, Sequence[str]], Sequence[str]]
"""Which of some tools mean what is asked, the nearest first."""


def by_letters(_: str, __: Sequence[str]) -> Sequence[str]:
    return ()


def by_meaning() -> Near:
    """By the model of the settings, else the one that comes along, else by letters alone."""
    embedder = embedder_of(Settings()) or (LocalE5() if has_local() else None)
    if embedder is None:
        return by_letters
    known = meaning.of(embedder.model)

    def near(text: str, names: Sequence[str]) -> Sequence[str]:
        if not readable(text):
            return ()
        (vector,) = embedder.embed([text], asked=True)
        return known.nearest(text, vector, names)

    return near


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for, by whom and where, and what should be found."""

    lang: str
    role: str
    prompt: str
    page: str = ""
    expected: tuple[str, ...] = ()


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
@click.option("--role", type=click.Choice(ROLES), default="owner")
@click.option("--page", default="", help="What the person looks at.")
@click.option("--letters", is_flag=True, help="By letters alone, as where no model of meaning is.")
@click.option("--json", "as_json", is_flag=True)
def command(
    *, text: str | None, sheet: Path | None, role: str, page: str, letters: bool, as_json: bool
) -> None:
    """Find the tools for TEXT, or for each request of a file; ends with the share that had all."""
    if sheet is None and not text:
        raise click.UsageError("Say what is wanted, or give a file of requests.")
    near = by_letters if letters else by_meaning()
    alone = Asked("", role, text or "", page)
    made = tries(sheet, near) if sheet else [tried(alone, near)]
    found = shares(made) if sheet else {}
    if as_json:
        told = [{**asdict(one), "ok": one.ok} for one in made]
        click.echo(json.dumps({"requests": told, "recall": found}, ensure_ascii=False, indent=1))
        return
    for one in made:
        click.echo(_line(one) if sheet else "\n".join(one.found))
    for lang, share in found.items():
        click.echo(f"{lang}: {share:.1%}")


def tries(sheet: Path, near: Near) -> list[Try]:
    """Each request of a sheet, tried. Raises click.BadParameter for what is none."""
    try:
        found = [_of_line(line, row, near) for line, row in rows(sheet, COLUMNS)]
    except UnreadableSheet as error:
        raise click.BadParameter(str(error), param_hint="--prompts") from error
    if not found:
        raise click.BadParameter("the sheet holds no request", param_hint="--prompts")
    return found


def _of_line(line: int, row: Mapping[str, str], near: Near) -> Try:
    if row.get("role") and row["role"] not in ROLES:
        raise UnreadableSheet(f"line {line}: can't be: role {row['role']!r}")
    return of_row(row, near)


def of_row(row: Mapping[str, str], near: Near = by_letters) -> Try:
    expected = tuple(one.strip() for one in row["expected_tools"].split(";") if one.strip())
    role, page = row.get("role") or "owner", row.get("page") or ""
    return tried(Asked(row["lang"], role, row["prompt"], page, expected), near)


def tried(asked: Asked, near: Near = by_letters) -> Try:
    offered = discover("tools.catalog").for_role(Role(asked.role))
    core = {one.name for one in offered if one.core}
    deferred = [one for one in offered if not one.core]
    beside = finding.Beside(near(asked.prompt, [one.name for one in deferred]), asked.page)
    found = tuple(one.name for one in finding.find(deferred, asked.prompt, beside))
    missing = (one for one in dict.fromkeys(asked.expected) if one not in {*core, *found})
    return Try(asked.lang, asked.role, asked.prompt, asked.expected, found, tuple(missing))


def shares(made: Sequence[Try]) -> dict[str, float]:
    by_lang: dict[str, list[Try]] = defaultdict(list)
    for one in made:
        by_lang[one.lang].append(one)
        by_lang["all"].append(one)
    return {lang: sum(one.ok for one in some) / len(some) for lang, some in by_lang.items()}


def _line(one: Try) -> str:
    return f"{'ok     ' if one.ok else 'missing'} {one.lang} {one.prompt}" + (
        f"\n        without {', '.join(one.missing)}; found {', '.join(one.found)}"
        if one.missing
        else ""
    )
