"""Tables that people hand to a command: CSV, as a spreadsheet or an editor saves it."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path


class UnreadableSheet(ValueError):
    """Says which line, and what is wrong with it."""


def rows(path: Path, needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows with the number of the line they end on; all of `needed` are columns of it.

    Raises UnreadableSheet, for a file that isn't such a table at all as well.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        found = csv.DictReader(file, strict=True)
        try:
            missing = [one for one in needed if one not in (found.fieldnames or ())]
            if missing:
                raise UnreadableSheet(f"the sheet has no column {', '.join(missing)}")
            for row in found:
                yield found.line_num, _whole(row, found.line_num, needed)
        except UnicodeDecodeError as error:
            raise UnreadableSheet("the sheet is not in UTF-8") from error
        except csv.Error as error:
            raise UnreadableSheet(f"line {found.line_num}: {error}") from error


def _whole(
    row: Mapping[str | None, str | list[str] | None], line: int, needed: Sequence[str]
) -> dict[str, str]:
    """Raises UnreadableSheet where a comma too many, or too few, has moved the cells."""
    if any(row.get(None) or ()) or any(row[one] is None for one in needed):
        raise UnreadableSheet(f"line {line}: has not as many cells as there are columns")
    return {name: str(cell or "").strip() for name, cell in row.items() if name is not None}
