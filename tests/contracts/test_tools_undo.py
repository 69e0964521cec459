"""Every tool that can be undone is: asked for in a gym, taken back, and compared to the row."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from app.core.actor import Role, Via
from tests.contracts.catalogue import REGISTRY, TOOLS, name_of
from tests.contracts.gyms import Everything, asked, everything, furnished, run
from tests.studio import Studio
from tools.kit import rows
from tools.kit.cards import AnyCard, Done, Failed, LinkCard
from tools.kit.declare import SNAPSHOT, Tool
from tools.kit.models import ToolCall
from tools.kit.undo import undo

UNDOABLE = [tool for tool in TOOLS if tool.undo is not None]


@pytest.fixture(scope="module")
def gym(database_url: str) -> Iterator[Studio]:
    studio = furnished(database_url)
    yield studio
    studio.db.close()


def standing(found: Everything) -> Everything:
    """All but the ledgers, which only grow."""
    return {name: some for name, some in found.items() if not _grows(name)}


def _grows(table_name: str) -> bool:
    return rows.undo_kind(rows.model_of(table_name)) == "reverse"


def undoable(studio: Studio, card: AnyCard) -> UUID:
    """The call behind a card; one that sends a link offers no number, the audit page takes it."""
    assert isinstance(card, Done | LinkCard), card
    if isinstance(card, Done):
        assert card.undo is not None, "it changed nothing that can be taken back"
        return card.undo.call_id
    with studio.act() as session:
        return session.scalars(select(ToolCall.id).order_by(ToolCall.id.desc()).limit(1)).one()


@pytest.mark.parametrize("tool", UNDOABLE, ids=name_of)
def test_what_a_tool_did_is_taken_back_by_who_may(tool: Tool[Any], gym: Studio) -> None:
    given = asked(gym, tool)
    before = everything(gym)
    call_id = undoable(gym, run(gym, tool, given).card)
    after = everything(gym)
    assert after != before

    for role in (role for role in Role if not role.at_least(tool.role)):
        lowered = replace(gym.owner, role=role)
        assert undo(gym.db, REGISTRY, lowered, call_id).card == Failed(code="not_allowed")
    by_program = undo(gym.db, REGISTRY, gym.owner.acting(Via.MACHINE), call_id)
    assert by_program.card == Failed(code="done_by_hand")

    outcome = undo(gym.db, REGISTRY, gym.owner, call_id)

    assert outcome.ok, outcome.card
    now = standing(everything(gym))
    if tool.undo == SNAPSHOT:
        assert now == standing(before)
    else:
        assert now != standing(after)
    again = undo(gym.db, REGISTRY, gym.owner, call_id)
    assert again.card.model_dump()["code"] == "already_undone"
