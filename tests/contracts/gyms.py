"""A gym with a little of everything in it, and calls of any tool there."""

from dataclasses import replace
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import Table, select, text

from app.core.actor import Role
from app.core.db import Base
from app.core.ids import new_id
from tests.contracts.catalogue import REGISTRY
from tests.requests.request import request_for
from tests.studio import Studio, open_studio
from tools.kit import rows
from tools.kit.calls import Call, Outcome
from tools.kit.declare import Tool
from tools.kit.runner import Runner

ENTITIES = {"coach": "staff", "plan": "membership_plan", "template": "program_template"}
"""What an argument's name means where no table is named so."""
Everything = dict[str, list[str] | None]


def furnished(database_url: str) -> Studio:
    """Two classes, two members, one booking: the last of each is free for whatever is tried."""
    studio = open_studio(database_url)
    booked, _ = studio.session(), studio.session(at="20:00")
    studio.booking(studio.member(), booked)
    studio.member("Noa Cohen")
    return studio


def run(studio: Studio, tool: Tool[Any], given: dict[str, Any], role: Role = Role.OWNER) -> Outcome:
    runner = Runner(studio.db, REGISTRY, replace(studio.owner, role=role), "api")
    return runner.run(Call(id=str(new_id()), name=tool.name, input=given))


def asked(studio: Studio, tool: Tool[Any]) -> dict[str, Any]:
    """Arguments with which it succeeds, and in the gym what it needs; as JSON."""
    request = request_for(tool.name)
    assert request is not None, f"{tool.name} is never asked for: see tests/requests"
    return {name: _plain(one) for name, one in request.given(studio).items()}


def _plain(value: object) -> object:
    return str(value) if isinstance(value, UUID) else value


def some_id(studio: Studio, name: str) -> UUID:
    """Of the last row that the argument may mean; of nothing where the gym has no such row."""
    words = name.removesuffix("s").removesuffix("_id").split("_")
    tails = ["_".join(words[start:]) for start in range(len(words))]
    for table_name in (word for tail in tails for word in (tail, ENTITIES.get(tail, ""))):
        table = Base.metadata.tables.get(table_name)
        if table is not None and rows.is_kept(table):
            return _last(studio, table) or new_id()
    return new_id()


def everything(studio: Studio) -> Everything:
    """All rows of the studio as text, without what any write moves; read in one statement."""
    with studio.act() as session:
        return {row.name: row.found for row in session.execute(text(_all_rows()))}


@cache
def _all_rows() -> str:
    parts = []
    for table in Base.metadata.sorted_tables:
        if rows.is_kept(table):
            kept = ", ".join(one.name for one in table.c if one.name not in _MOVED)
            parts.append(
                f"SELECT '{table.name}' AS name, (SELECT array_agg(t::text ORDER BY t.id)"  # noqa: S608 - names of our own tables
                f' FROM (SELECT {kept} FROM "{table.name}") t) AS found'
            )
    return " UNION ALL ".join(parts)


_MOVED = {"version", "updated_at"}


def _last(studio: Studio, table: Table) -> UUID | None:
    with studio.act() as session:
        return session.scalars(select(table.c.id).order_by(table.c.id.desc()).limit(1)).first()
