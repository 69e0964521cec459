"""Files that people hand to commands: whatever is in them, a sentence says what is wrong."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from bot.cli.main import main
from bot.model import prices

HEAD: Final = "lang,role,page,clock,prompt,expected_tools,needs_confirmation,notes"
ROW: Final = "en,owner,,2026-11-30T10:00+02:00,who trains tonight?,class_sessions.list,no,"
GOOD_SHEET: Final = f"{HEAD}\n{ROW}\n"
TURN: Final[Mapping[str, Any]] = {
    "day": "mon",
    "at": "09:00",
    "talk": "a",
    "says": "who trains tonight?",
    "lane": "quick",
    "rounds": [[{"tool": "class_sessions.list", "result": 900}]],
}
CATALOGUE: Final = "router,action,category,confirm,inverse,roles,quick_action,http_method,http_path"
LISTED: Final = "class_types,list,read,never,,coach,yes,GET,/api/v1/class-types"

READERS: Final = (
    ("find-tools", "--prompts"),
    ("eval", "--stand-in", "--prompts"),
    ("tools", "--check"),
    ("cost-sim", "--policy", "papers", "--trace"),
    ("cost-sim", "--policy", "papers", "--prices"),
)
NO_FILE: Final = (
    b"",
    b"\n\n",
    b"a,b\n1,2\n",
    b"\xff\xfea\x00,\x00",
    b"\xe9t\xe9,b\n",
    b"{}",
    b"[" * 100_000,
    HEAD.encode() + b"\n" + b"x" * 200_000,
    HEAD.encode() + b"\nen,owner\n",
    HEAD.encode() + b'\nen,owner,,,"never closed\n',
    HEAD.encode() + b"\n" + ROW.encode() + b",one,more\n",
    GOOD_SHEET.replace("owner", "king").encode(),
    CATALOGUE.encode() + b"\nclass_types,list\n",
)


def run(*args: str) -> Result:
    return CliRunner().invoke(main, list(args))


def refused(result: Result) -> bool:
    """Refused in words: not a fault of ours."""
    return result.exit_code == 2 and isinstance(result.exception, SystemExit)


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_what_is_no_such_file_is_refused_in_words(command: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "file"
    for held in NO_FILE:
        file.write_bytes(held)
        result = run(*command, str(file))
        assert refused(result), (held[:60], result.output[-300:], result.exception)
    assert refused(run(*command, str(tmp_path)))
    assert refused(run(*command, str(tmp_path / "none")))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_files_are_read_as_editors_and_spreadsheets_save_them(
    mark: str, end: str, tmp_path: Path
) -> None:
    def saved(text: str) -> str:
        file = tmp_path / "file"
        file.write_bytes((mark + text.replace("\n", end)).encode())
        return str(file)

    found = run("find-tools", "--json", "--prompts", saved(GOOD_SHEET))
    assert json.loads(found.stdout)["recall"] == {"en": 1.0, "all": 1.0}
    checked = run("tools", "--check", saved(f"{CATALOGUE}\n{LISTED}\n"))
    assert checked.output.splitlines()[-1] == "1 of 1 match"
    trace = json.dumps({**TURN, "says": "one line\u2028another"}, ensure_ascii=False)
    simulated = run("cost-sim", "--policy", "papers", "--trace", saved(f"{trace}\n\n"))
    assert simulated.exit_code == 0, simulated.output
    sheet = prices.sheet().model_dump_json(indent=1)
    priced = run("cost-sim", "--policy", "papers", "--prices", saved(sheet))
    assert priced.exit_code == 0, priced.output


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda one: {**one, "input": -5}, "greater than or equal to 0"),
        (lambda one: {**one, "model": "other"}, "no price of claude"),
        (lambda one: {**one, "above": 9}, "no price of claude"),
    ],
)
def test_a_price_sheet_that_lacks_a_price_is_refused(
    change: Any,  # noqa: ANN401 - from JSON to JSON
    says: str,
    tmp_path: Path,
) -> None:
    told = prices.sheet().model_dump(mode="json")
    file = tmp_path / "prices.json"
    file.write_text(json.dumps({**told, "prices": [change(one) for one in told["prices"]]}))
    result = run("cost-sim", "--prices", str(file))
    assert refused(result), result.exception
    assert says in result.output


def test_what_is_free_is_cheaper_by_no_number(tmp_path: Path) -> None:
    told = prices.sheet().model_dump(mode="json")
    nothing = dict.fromkeys(("input", "output", "write_5m", "write_1h", "read"), 0)
    file, week = tmp_path / "prices.json", tmp_path / "week.jsonl"
    file.write_text(json.dumps({**told, "prices": [{**one, **nothing} for one in told["prices"]]}))
    week.write_text(json.dumps(TURN))
    result = run("cost-sim", "--policy", "papers", "--trace", str(week), "--prices", str(file))
    assert "$0.0000 a turn" in result.output
    assert result.exit_code == 0
