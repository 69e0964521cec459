"""What `spotter new-tool` writes passes what every tool must pass, before anybody touches it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.core.actor import Role
from bot.cli.new_tool import CannotScaffold, scaffold
from bot.playground.servers import Servers
from i18n import Language
from tools.kit.declare import Effect

pytestmark = pytest.mark.long

PROJECT = Path(__file__).parents[3]
PARTS = ("app", "bot", "i18n", "migrations", "tests", "tools", "pyproject.toml")
TOOLS = {
    "tryouts.get": (Effect.READ, "GET /try/locations/{location_id}", Role.COACH),
    "tryouts.list": (Effect.READ, "GET /try/locations", Role.COACH),
    "tryouts.open": (Effect.WRITE, "POST /try/locations", Role.ADMIN),
    "tryouts.rename": (Effect.WRITE, "PATCH /try/locations/{location_id}", Role.OWNER),
    "tryouts.remove": (Effect.DESTRUCTIVE, "DELETE /try/locations/{location_id}", Role.ADMIN),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with five new tools in it, one of each shape."""
    root = tmp_path_factory.mktemp("project")
    for part in PARTS:
        if (PROJECT / part).is_dir():
            shutil.copytree(
                PROJECT / part, root / part, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy(PROJECT / part, root / part)
    for number, name in enumerate(TOOLS):
        labels = {
            Language.EN: f"Try a place {'abcdefgh'[number]}",
            Language.HE: "לנסות מקום",
            Language.RU: "Попробовать место",
        }
        add(root, name, labels)
    return root


def add(root: Path, name: str, labels: dict[Language, str]) -> list[str]:
    effect, route, role = TOOLS[name]
    return scaffold(
        root, name=name, effect=effect, route=route, role=role, labels=labels, about="location"
    )


def run(root: Path, servers: Servers, *arguments: str) -> None:
    """In the copy, on the servers of these tests."""
    environment = {**os.environ, "SPOTTER_DATA": str(servers.place.root.parent)}
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-1_000:]


def test_its_code_is_typed_and_linted(copy: Path, servers: Servers) -> None:
    files = ["tools/catalog/tryouts.py", "app/studio/service.py", "tests/requests/tryouts.py"]
    files += [f"tests/tools/catalog/test_{name.replace('.', '_')}.py" for name in TOOLS]
    run(copy, servers, "ruff", "check", *files)
    run(copy, servers, "ruff", "format", "--check", *files)
    run(copy, servers, "mypy", "--strict", *files)


def test_it_keeps_every_contract_and_its_own_tests_pass(copy: Path, servers: Servers) -> None:
    files = [f"tests/tools/catalog/test_{name.replace('.', '_')}.py" for name in TOOLS]
    files += ["tests/contracts/test_tools.py", "tests/contracts/test_tools_access.py"]
    run(copy, servers, "pytest", "-q", "-p", "no:cacheprovider", "-k", "tryouts", *files)
    words = ["tests/i18n/test_catalogues.py", "tests/i18n/test_every_key_has_words.py"]
    run(copy, servers, "pytest", "-q", "-p", "no:cacheprovider", *words, "-k", "not page")


def test_the_same_again_and_what_makes_no_sense_is_refused(copy: Path) -> None:
    labels = dict.fromkeys(Language, "Try")
    with pytest.raises(CannotScaffold, match="already"):
        add(copy, "tryouts.get", labels)
    for about, effect in (("nothing", Effect.READ), ("location", Effect.DESTRUCTIVE)):
        with pytest.raises(CannotScaffold):
            scaffold(
                copy,
                name="tryouts.other",
                effect=effect,
                route="GET /try/others",
                role=Role.COACH,
                labels=labels,
                about=about,
            )
