"""`spotter tools --check`: a catalogue's sheet against what is declared."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.cli import tools

HEAD = "router,action,category,confirm,inverse,roles,quick_action,http_method,http_path"
GOOD = "class_types,list,read,never,,coach,yes,GET,/api/v1/class-types"


def check(folder: Path, *rows: str, more: tuple[str, ...] = ()) -> Result:
    sheet = folder / "sheet.csv"
    sheet.write_text("\n".join((HEAD, *rows)), encoding="utf-8")
    return CliRunner().invoke(tools.command, ["--check", str(sheet), *more])


def test_a_row_that_fits_is_counted(tmp_path: Path) -> None:
    result = check(tmp_path, GOOD)
    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == "1 of 1 match"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (GOOD.replace("read", "write"), "category is read, not write"),
        (GOOD.replace("never", "always"), "confirm is never, not always"),
        (GOOD.replace(",,", ",snapshot,"), "inverse is none, not snapshot"),
        (GOOD.replace("coach", "owner"), "roles is coach, not owner"),
        (GOOD.replace("yes", "no"), "quick_action is yes, not no"),
        (GOOD.replace("GET", "POST"), "http_method is GET, not POST"),
        (GOOD.replace("class-types", "types"), "http_path is /api/v1/class-types, not"),
        (GOOD.replace(",list,", ",paint,"), "class_types.paint: is missing"),
    ],
)
def test_what_differs_is_named(tmp_path: Path, wrong: str, told: str) -> None:
    result = check(tmp_path, GOOD.replace(",list,", ",list,"), wrong)
    assert told in result.output
    assert result.exit_code == 1


def test_a_program_reads_the_same(tmp_path: Path) -> None:
    result = check(tmp_path, GOOD, more=("--json", "--router", "class_types"))
    told = json.loads(result.stdout)
    assert (told["rows"], told["match"], told["differences"]) == (1, 1, {})


def test_any_other_table_is_refused(tmp_path: Path) -> None:
    sheet = tmp_path / "other.csv"
    sheet.write_text("a,b\n1,2\n", encoding="utf-8")
    result = CliRunner().invoke(tools.command, ["--check", str(sheet)])
    assert result.exit_code == 2
    assert "is no catalogue" in result.output
