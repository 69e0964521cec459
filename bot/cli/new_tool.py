"""`spotter new-tool`: a tool that works, its rule, its words and its test, to be made one's own."""

import ast
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Final

import click
from babel.messages.pofile import read_po

import app
from app.core.actor import Role
from app.core.db import OrgRow
from bot.cli import tool_shapes
from bot.cli.tool_shapes import Plan
from i18n import Language
from tools.kit import rows
from tools.kit.declare import Effect

ROOT: Final = Path(__file__).parents[2]


class CannotScaffold(ValueError):
    """What was asked for is there already, or says too little to begin with."""


@click.command("new-tool")
@click.argument("name")
@click.argument("route")
@click.option("--effect", type=click.Choice([one.value for one in Effect]), default="read")
@click.option("--role", type=click.Choice(["coach", "admin", "owner"]), default="coach")
@click.option("--about", default="", help="Its table; else the last id in the route.")
@click.option("--en", required=True, help="Its label, as 'Set a nickname'.")
@click.option("--he", required=True, help="The same in Hebrew.")
@click.option("--ru", required=True, help="The same in Russian.")
def command(**given: str) -> None:
    """Declare a tool: NAME as router.action, ROUTE as 'PATCH /members/{member_id}/nickname'.

    Writes the declaration, the rule beside its domain's others, words in three languages, a test
    and a sentence that asks for it. All of it works at once: change it into what you need.
    """
    try:
        written = scaffold(
            ROOT,
            name=given["name"],
            effect=Effect(given["effect"]),
            route=given["route"],
            role=Role(given["role"]),
            labels={language: given[language.value] for language in Language},
            about=given["about"],
        )
    except CannotScaffold as error:
        raise click.UsageError(str(error)) from None
    click.echo("\n".join(written))
    golden = "tests/contracts/test_tools_golden.py"
    click.echo(f"Approve its definition: .venv/bin/python -m pytest --update {golden}")
    click.echo(
        "Then its cards: UPDATE_GOLDEN=1 .venv/bin/python -m pytest tests/requests -k golden"
    )


def scaffold(
    root: Path,
    *,
    name: str,
    effect: Effect,
    route: str,
    role: Role,
    labels: Mapping[Language, str],
    about: str = "",
) -> list[str]:
    """Write a tool into the project at `root`; return the files. Raises CannotScaffold."""
    router, _, action = name.partition(".")
    model = _model(about or route.rpartition("{")[2].partition("}")[0].removesuffix("_id"))
    plan = Plan(router, action, effect, route, role, labels[Language.EN], model)
    if plan.shape is None or plan.text is None or not action.isidentifier():
        raise CannotScaffold(f"{name}, {effect} and {route!r} make no sense together")
    catalogue = root / "tools" / "catalog" / f"{router}.py"
    test = root / "tests" / "tools" / "catalog" / f"test_{router}_{action}.py"
    rule = _rule_file(root, plan)
    for path, wanted in ((catalogue, action), (rule, plan.rule)):
        if _defines(path, wanted):
            raise CannotScaffold(f"{path.relative_to(root)} has {wanted} already")
    module = ".".join(rule.relative_to(root).with_suffix("").parts)
    _extend(
        rule, plan.label, tool_shapes.imports(plan), tool_shapes.written(tool_shapes.RULE, plan)
    )
    declared = tool_shapes.written(tool_shapes.TOOL, plan)
    _extend(catalogue, f"Tools of {router}", tool_shapes.tool_imports(plan, module), declared)
    test.write_text(tool_shapes.written(tool_shapes.TEST, plan), encoding="utf-8")
    request = _ask_for(root, plan)
    words = [_add_words(root, plan, language, label) for language, label in labels.items()]
    _tidy(root, (catalogue, rule, test, request))
    files = (catalogue, rule, test, request, *words)
    return [str(path.relative_to(root)) for path in files]


def _ask_for(root: Path, plan: Plan) -> Path:
    """A sentence that leads to the tool, beside the router's others."""
    path = root / "tests" / "requests" / f"{plan.router}.py"
    code = tool_shapes.written(tool_shapes.REQUEST, plan)
    if not path.exists():
        code = f"REQUESTS: list[Request] = []\n\n\n{code}"
    _extend(path, f"What people ask of {plan.router}", tool_shapes.request_imports(plan), code)
    return path


def _model(table: str) -> type[OrgRow]:
    for found in walk_packages(app.__path__, "app."):
        if found.name.endswith(".models"):
            import_module(found.name)
    try:
        return rows.model_of(table)
    except KeyError:
        raise CannotScaffold(f"there is no table {table!r}: say which with --about") from None


def _rule_file(root: Path, plan: Plan) -> Path:
    """Where the domain keeps its rules: a module, or a package with one for each subject."""
    domain = root / "app" / plan.domain
    package = domain / "service"
    return package / f"{plan.rule}.py" if package.is_dir() else domain / "service.py"


def _defines(path: Path, name: str) -> bool:
    if not path.exists():
        return False
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return any(isinstance(one, ast.FunctionDef) and one.name == name for one in body)


def _extend(path: Path, says: str, imports: str, code: str) -> None:
    """Add to a module, or begin it."""
    text = path.read_text(encoding="utf-8") if path.exists() else f'"""{says}."""\n'
    lines = text.splitlines()
    docstring = ast.parse(text).body[0].end_lineno or 1
    top, rest = "\n".join(lines[:docstring]), "\n".join(lines[docstring:])
    path.write_text(f"{top}\n\n{imports}\n{rest}\n\n\n{code}", encoding="utf-8")


def _add_words(root: Path, plan: Plan, language: Language, label: str) -> Path:
    """Into the router's own catalogue."""
    folder = root / "i18n" / language.value / "LC_MESSAGES"
    path = folder / f"{plan.router}.po"
    if not path.exists():
        general = (folder / "spotter.po").read_text(encoding="utf-8")
        path.write_text(general[general.index('msgid ""') :].partition("\n\n")[0] + "\n")
    known = {key: text for one in folder.glob("*.po") for key, text in _known(one).items()}
    wanted = {plan.label: label, **_words(plan, label, known)}
    added = [
        f'\nmsgid "{_quoted(key)}"\nmsgstr "{_quoted(text)}"\n'
        for key, text in wanted.items()
        if key not in known
    ]
    with path.open("a", encoding="utf-8") as catalogue:
        catalogue.write("".join([f"\n# --- {plan.tool} ---", *added]))
    return path


def _known(path: Path) -> dict[str, str]:
    with path.open("rb") as file:
        return {one.id: str(one.string) for one in read_po(file) if isinstance(one.id, str)}


def _words(plan: Plan, label: str, known: Mapping[str, str]) -> dict[str, str]:
    """First words, from the label and from what Spotter says of anything."""
    named = f"{label}: {{name}}"
    found = {"title": label if plan.shape == "list" else named}
    if plan.effect is not Effect.READ:
        found = {"done": named, "undone": known["card.undone"].replace("{all}", "{name}")}
    if plan.effect is Effect.DESTRUCTIVE:
        asked = {"ask": f"{label}?", "approve": label, "keep": known["card.keep"]}
        found |= {**asked, "sms": f"{named}?", "item": named}
    return {f"{plan.tool}.{part}": text for part, text in {**found, "asked": label}.items()}


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _tidy(root: Path, paths: Iterable[Path]) -> None:
    """Sort the imports, drop those that nothing uses, format."""
    files = [str(path) for path in paths]
    for step in (["check", "--quiet", "--fix", "--select", "I,F401,F811"], ["format", "--quiet"]):
        subprocess.run([sys.executable, "-m", "ruff", *step, *files], cwd=root, check=True)
