"""What bad input gets from every tool: a failure that has words, and nothing changed."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.core.ids import new_id
from i18n import Language, has
from tests.contracts.catalogue import TOOLS, name_of
from tests.contracts.examples import id_arguments
from tests.contracts.gyms import asked, everything, furnished, run
from tests.contracts.wrongs import wrongs
from tests.studio import Studio
from tools.kit.cards import Failed
from tools.kit.cards import Table as TableCard
from tools.kit.declare import Effect, Tool

FAR = 100_000
"""A version that nothing has."""

each_tool = pytest.mark.parametrize("tool", TOOLS, ids=name_of)


@pytest.fixture(scope="module")
def gym(database_url: str) -> Iterator[Studio]:
    studio = furnished(database_url)
    yield studio
    studio.db.close()


def code(gym: Studio, tool: Tool[Any], given: dict[str, Any]) -> str:
    """What it fails with, "none" for an empty list; something else where it goes through."""
    card = run(gym, tool, given).card
    if isinstance(card, TableCard) and not card.total:
        return "none"
    if not isinstance(card, Failed):
        return f"no failure: {card}"
    assert [one for one in Language if not has(f"error.{card.code}", one)] == []
    return card.code


@each_tool
def test_arguments_that_do_not_fit_are_named_and_nothing_is_tried(
    tool: Tool[Any], gym: Studio
) -> None:
    found = {what: code(gym, tool, given) for what, given in wrongs(tool, asked(gym, tool))}
    assert {what: one for what, one in found.items() if one != "bad_input"} == {}


@each_tool
def test_what_is_gone_or_has_moved_on_is_told_and_stays_as_it_is(
    tool: Tool[Any], gym: Studio
) -> None:
    given = asked(gym, tool)
    before = everything(gym) if tool.effect is not Effect.READ else None
    for name in (name for name in id_arguments(tool) if name in given):
        one = [str(new_id())] if isinstance(given[name], list | tuple) else str(new_id())
        assert code(gym, tool, {**given, name: one}) in {"not_found", "none"}, name
    if "expected_version" in tool.args.model_fields:
        assert code(gym, tool, {**given, "expected_version": FAR}) == "stale_version"
    assert before is None or everything(gym) == before
