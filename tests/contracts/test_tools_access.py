"""Who may reach what, tried on every tool: members nothing, and nobody another gym's things."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Table, select

from app.core.actor import Role
from app.core.db import Base
from app.core.ids import new_id
from tests.contracts.catalogue import REGISTRY, TOOLS, name_of
from tests.contracts.examples import example, id_arguments
from tests.studio import Studio, open_studio
from tools.kit import rows
from tools.kit.calls import Call, Outcome
from tools.kit.cards import Failed
from tools.kit.cards import Table as TableCard
from tools.kit.declare import Tool
from tools.kit.runner import Runner

CASES = [(tool, name) for tool in TOOLS for name in id_arguments(tool)]
ENTITIES = {"coach": "staff", "plan": "membership_plan", "template": "program_template"}
"""What an argument's name means where no table is named so."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two gyms with the same things in them."""

    home: Studio
    foreign: Studio


@pytest.fixture(scope="module")
def pair(database_url: str) -> Iterator[Pair]:
    home, foreign = open_studio(database_url), open_studio(database_url)
    for studio in (home, foreign):
        session_id, member_id = studio.session(), studio.member()
        studio.session(at="20:00")
        studio.booking(member_id, session_id)
    yield Pair(home, foreign)
    for studio in (home, foreign):
        studio.db.engine.dispose()


def run(studio: Studio, tool: Tool[Any], given: dict[str, Any], role: Role = Role.OWNER) -> Outcome:
    actor = replace(studio.owner, role=role)
    runner = Runner(studio.db, REGISTRY, actor, "api")
    return runner.run(Call(id=str(new_id()), name=tool.name, input=given))


def some_id(studio: Studio, name: str) -> UUID:
    """Of a row that the argument may mean; of nothing where the gym has no such row."""
    stem = name.removesuffix("s").removesuffix("_id")
    words = stem.split("_")
    tails = ["_".join(words[start:]) for start in range(len(words))]
    for table_name in (word for tail in tails for word in (tail, ENTITIES.get(tail, ""))):
        table = Base.metadata.tables.get(table_name)
        if table is not None and rows.is_kept(table):
            return _last(studio, table) or new_id()
    return new_id()


def _last(studio: Studio, table: Table) -> UUID | None:
    with studio.act() as session:
        return session.scalars(select(table.c.id).order_by(table.c.id.desc()).limit(1)).first()


def everything(studio: Studio) -> dict[str, list[tuple[object, ...]]]:
    with studio.act() as session:
        tables = (table for table in Base.metadata.sorted_tables if rows.is_kept(table))
        return {
            table.name: [tuple(row) for row in session.execute(select(table).order_by(table.c.id))]
            for table in tables
        }


@pytest.mark.parametrize("tool", TOOLS, ids=name_of)
def test_members_and_roles_below_a_tools_own_are_refused(tool: Tool[Any], pair: Pair) -> None:
    given = example(tool, partial(some_id, pair.home))
    for role in (role for role in Role if not role.at_least(tool.role)):
        assert run(pair.home, tool, given, role).card == Failed(code="not_allowed")


@pytest.mark.parametrize(("tool", "name"), CASES, ids=lambda one: getattr(one, "name", one))
def test_another_gyms_ids_lead_nowhere(tool: Tool[Any], name: str, pair: Pair) -> None:
    """Each id argument alone is foreign, all others are of the caller's own gym."""
    foreign = some_id(pair.foreign, name)
    before = everything(pair.foreign)

    def ids(argument: str) -> UUID:
        return foreign if argument == name else some_id(pair.home, argument)

    outcome = run(pair.home, tool, example(tool, ids, name))

    match outcome.card:
        case TableCard(rows=found, total=total):
            assert (found, total) == ((), 0)
        case card:
            assert isinstance(card, Failed), card
            assert card.code == "not_found"
    assert everything(pair.foreign) == before
