"""Who may reach what, tried on every tool: members nothing, and nobody another gym's things."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from app.core.actor import Role
from tests.contracts.catalogue import TOOLS, name_of
from tests.contracts.examples import example, id_arguments
from tests.contracts.gyms import asked, everything, furnished, run, some_id
from tests.studio import Studio
from tools.kit.cards import Failed
from tools.kit.cards import Table as TableCard
from tools.kit.declare import Tool

CASES = [(tool, name) for tool in TOOLS for name in id_arguments(tool)]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two gyms with the same things in them."""

    home: Studio
    foreign: Studio


@pytest.fixture(scope="module")
def pair(database_url: str) -> Iterator[Pair]:
    home, foreign = furnished(database_url), furnished(database_url)
    yield Pair(home, foreign)
    for studio in (home, foreign):
        studio.db.close()


@pytest.mark.parametrize("tool", TOOLS, ids=name_of)
def test_members_and_roles_below_a_tools_own_are_refused(tool: Tool[Any], pair: Pair) -> None:
    given = asked(pair.home, tool)
    for role in (role for role in Role if not role.at_least(tool.role)):
        assert run(pair.home, tool, given, role).card == Failed(code="not_allowed")


@pytest.mark.parametrize(("tool", "name"), CASES, ids=lambda one: getattr(one, "name", one))
def test_another_gyms_ids_lead_nowhere(tool: Tool[Any], name: str, pair: Pair) -> None:
    """Each id argument alone is foreign, all others are of the caller's own gym."""
    given, elsewhere = asked(pair.home, tool), asked(pair.foreign, tool)
    foreign = elsewhere.get(name) or example(tool, partial(some_id, pair.foreign), name)[name]
    before = everything(pair.foreign)

    outcome = run(pair.home, tool, {**given, name: foreign})

    match outcome.card:
        case TableCard(rows=found, total=total):
            assert (found, total) == ((), 0)
        case card:
            assert isinstance(card, Failed), card
            assert card.code == "not_found"
    assert everything(pair.foreign) == before
