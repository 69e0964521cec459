"""The rules of tests/contracts/source.py: kept by this project, and each catches a bad sample."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.contracts import source
from tests.contracts.source import RULES, TEST_RULES, Rule, Source, faults, median_length
from tests.each import each

PROJECT = Path(__file__).parents[2]
CODE = ("app", "tools", "bot", "i18n", "migrations")
BINARY = {".png", ".ico", ".woff2", ".ogg"}

SOMEBODYS_FOLDER = re.compile(r"(?<![\w.])/(?:home|root|Users|work|workspace|farm|mnt)/[\w.-]+")
LEAVES_THE_PROJECT = re.compile(r"(?<![\w.])\.\./\w")


def sources(*roots: str) -> list[Source]:
    paths = [path for root in roots for path in sorted((PROJECT / root).rglob("*.py"))]
    return [Source(path.relative_to(PROJECT).as_posix(), path.read_text()) for path in paths]


SOURCES = sources(*CODE)
TESTS = sources("tests")


@each(SOURCES, lambda code: code.path)
def test_the_code_keeps_the_rules(code: Source) -> None:
    assert faults(code, RULES) == []


@each(TESTS, lambda code: code.path)
def test_the_tests_keep_their_rules(code: Source) -> None:
    assert faults(code, TEST_RULES) == []


def test_half_of_all_functions_are_shorter_than_ten_lines() -> None:
    assert median_length(SOURCES) < source.MEDIAN_BELOW


def test_nothing_committed_names_a_folder_of_the_machine_it_was_written_on() -> None:
    folder = re.compile(f"{SOMEBODYS_FOLDER.pattern}|{re.escape(str(PROJECT))}")

    assert [path for path in committed() if folder.search(read(path))] == []


def test_no_document_or_task_points_outside_the_project() -> None:
    outside = [
        path
        for path in committed()
        if path.suffix in {"", ".md", ".toml"} and LEAVES_THE_PROJECT.search(read(path))
    ]

    assert outside == []


@pytest.mark.parametrize("root", ["home", "root", "Users", "work", "workspace", "farm", "mnt"])
def test_somebodys_folder_is_noticed(root: str) -> None:
    assert SOMEBODYS_FOLDER.search(f"see /{root}/dana")
    assert SOMEBODYS_FOLDER.search(f"('/{root}/spotter')")


@pytest.mark.parametrize("text", ["cp -r ../x .", "see ../notes/a.md", "`../x`"])
def test_a_way_out_of_the_project_is_noticed(text: str) -> None:
    assert LEAVES_THE_PROJECT.search(text)


def test_the_lock_names_no_index_and_pins_every_package_by_hash() -> None:
    for path in (PROJECT / "lock").glob("*.txt"):
        pins = re.split(r"\n(?=\S)", read(path).strip())

        assert all("==" in pin and "--hash=sha256:" in pin for pin in pins)
        assert "://" not in read(path)


BAD: dict[Rule, list[tuple[str, str]]] = {
    source.only_db_commits: [
        ("app/people/service.py", "session.commit()"),
        ("bot/worker.py", "db.session.commit()"),
    ],
    source.only_clock_reads_the_time: [
        ("app/people/service.py", "from datetime import datetime\nnow = datetime.now(UTC)"),
        ("bot/worker.py", "import datetime\nnow = datetime.datetime.now()"),
        ("bot/worker.py", "import datetime\nnow = datetime.date.today()"),
        ("bot/worker.py", "import time\nnow = time.time()"),
        ("bot/worker.py", "from time import time"),
    ],
    source.only_settings_read_the_environment: [
        ("bot/cli.py", "import os\nkey = os.environ['KEY']"),
        ("bot/cli.py", "from os import environ"),
        ("bot/cli.py", "import os\nkey = os.getenv('KEY')"),
    ],
    source.words_stand_where_words_belong: [
        ("app/people/service.py", "word = 'שלום'"),
        ("bot/render/text.py", "word = f'{name}: привет'"),
        ("tools/kit/cards.py", '"""Says: Ёлка."""'),
    ],
    source.a_silenced_check_says_which_and_why: [
        ("bot/cli.py", "x = 1  # noqa"),
        ("bot/cli.py", "x = 1  # noqa: E501"),
        ("bot/cli.py", "x = 1  # type: ignore"),
        ("bot/cli.py", "x = 1  # type: ignore[arg-type]"),
        ("bot/cli.py", "# ruff: noqa"),
        ("bot/cli.py", "# mypy: ignore-errors"),
    ],
    source.nothing_is_left_unfinished: [("bot/cli.py", "x = 1  # TO" + "DO: more")],
    source.files_are_short: [("bot/cli.py", "x = 1\n" * 401)],
    source.functions_are_short: [("bot/cli.py", "def long():\n" + "    x = 1\n" * 50)],
    source.a_module_says_what_it_owns: [("bot/cli.py", "import os")],
    source.packages_hold_no_code: [("bot/__init__.py", "def act(): ...")],
}


@pytest.mark.parametrize(
    ("rule", "bad"), [(rule, Source(*bad)) for rule, samples in BAD.items() for bad in samples]
)
def test_a_rule_catches_a_bad_sample(rule: Rule, bad: Source) -> None:
    assert len(list(rule(bad))) == 1


@pytest.mark.parametrize("rule", [*RULES, *TEST_RULES])
def test_every_rule_has_a_bad_sample(rule: Rule) -> None:
    assert BAD[rule]


@pytest.mark.parametrize(
    ("rule", "path", "text"),
    [
        (source.only_db_commits, "app/core/db.py", "session.commit()"),
        (source.only_clock_reads_the_time, "app/core/clock.py", "datetime.now(UTC)"),
        (source.only_clock_reads_the_time, "bot/worker.py", "time.monotonic()"),
        (source.words_stand_where_words_belong, "bot/playground/gym.py", "'שלום'"),
        (
            source.a_silenced_check_says_which_and_why,
            "bot/cli.py",
            "x = 1  # noqa: S311 - jitter needs no secrecy",
        ),
        (
            source.a_silenced_check_says_which_and_why,
            "bot/cli.py",
            "x = 1  # type: ignore[no-untyped-call]  # the vendor ships no types",
        ),
        (source.functions_are_short, "bot/cli.py", "def long():\n" + "    x = 1\n" * 49),
    ],
)
def test_a_rule_lets_what_is_allowed_pass(rule: Rule, path: str, text: str) -> None:
    assert list(rule(Source(path, text))) == []


def test_the_median_counts_lines_from_def_to_end() -> None:
    code = "def a():\n    x = 1\n\ndef b():\n    x = 1\n    y = 2\n    z = 3\n"

    assert median_length([Source("bot/cli.py", code)]) == 3


def committed() -> list[Path]:
    """Return the text files that git keeps."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    paths = [PROJECT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and path.suffix not in BINARY]


def read(path: Path) -> str:
    return path.read_text(errors="replace")
