"""The catalogue's sheet: every row of it is a tool, declared as the row says."""

import csv
from pathlib import Path

from bot.cli.tools import differences
from tests.each import each

SHEET = Path(__file__).with_name("catalogue.csv")
OTHERWISE: dict[str, str] = {}
"""Rows that a decision in the README departs from, with what differs."""


def rows() -> list[dict[str, str]]:
    with SHEET.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def named(row: dict[str, str]) -> str:
    return f"{row['router']}.{row['action']}"


@each(rows(), named)
def test_a_tool_is_as_its_row_says(row: dict[str, str]) -> None:
    assert "; ".join(differences(row)) == OTHERWISE.get(named(row), "")


def test_no_row_was_lost() -> None:
    assert len({named(row) for row in rows()}) == len(rows()) == 225
