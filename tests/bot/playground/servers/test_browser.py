"""Which browser the tests drive."""

from pathlib import Path

import pytest

from bot.playground.servers.browser import NAMES, find_browser


@pytest.mark.parametrize("name", NAMES)
def test_a_browser_on_the_search_path_is_found(tmp_path: Path, name: str) -> None:
    program = tmp_path / name
    program.touch(mode=0o755)

    assert find_browser(str(tmp_path)) == program


def test_where_there_is_none_nothing_is_found(tmp_path: Path) -> None:
    assert find_browser(str(tmp_path)) is None
