"""Every tool that can be undone is: run in a furnished gym, taken back, and compared to the row."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from tests.contracts.catalogue import REGISTRY, TOOLS, name_of
from tests.contracts.examples import example
from tests.contracts.gyms import Everything, everything, furnished, run, some_id
from tests.studio import Studio
from tools.kit import rows, schema
from tools.kit.cards import Done, UndoOffer
from tools.kit.declare import SNAPSHOT, Tool
from tools.kit.undo import undo

UNDOABLE = [tool for tool in TOOLS if tool.undo is not None]


@pytest.fixture
def gym(database_url: str) -> Iterator[Studio]:
    studio = furnished(database_url)
    yield studio
    studio.db.engine.dispose()


def standing(studio: Studio) -> Everything:
    """All but the ledgers, which only grow."""
    found = everything(studio)
    return {name: some for name, some in found.items() if not _grows(name)}


def _grows(table_name: str) -> bool:
    return rows.undo_kind(rows.model_of(table_name)) == "reverse"


def attempts(studio: Studio, tool: Tool[Any]) -> Iterator[UndoOffer]:
    """What comes of calls with the fewest arguments, then with one more of each."""
    names = schema.input_schema(tool.args)["properties"]
    for wanted in (None, *names):
        try:
            given = example(tool, partial(some_id, studio), wanted)
        except ValueError:
            continue
        card = run(studio, tool, given).card
        if isinstance(card, Done) and card.undo is not None:
            yield card.undo


def worked(studio: Studio, tool: Tool[Any]) -> tuple[Everything, UndoOffer]:
    """The gym before a call that changed something, and the offer to take it back."""
    before = standing(studio)
    offer = next(attempts(studio, tool), None)
    if offer is None and tool.undo != SNAPSHOT:
        inverse = REGISTRY[f"{tool.router}.{tool.undo}"]
        run(studio, inverse, example(inverse, partial(some_id, studio)))
        before = standing(studio)
        offer = next(attempts(studio, tool), None)
    assert offer is not None, "no example of it changes anything in a furnished gym"
    return before, offer


@pytest.mark.parametrize("tool", UNDOABLE, ids=name_of)
def test_what_a_tool_did_is_taken_back(tool: Tool[Any], gym: Studio) -> None:
    before, offer = worked(gym, tool)
    after = standing(gym)
    assert after != before

    outcome = undo(gym.db, REGISTRY, gym.owner, offer.call_id)

    assert outcome.ok, outcome.card
    if tool.undo == SNAPSHOT:
        assert standing(gym) == before
    else:
        assert standing(gym) != after
    again = undo(gym.db, REGISTRY, gym.owner, offer.call_id)
    assert again.card.model_dump()["code"] == "already_undone"
