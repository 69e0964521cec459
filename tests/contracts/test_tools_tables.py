"""The wall around an org, seen from the database: no table of one without its policy."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from sqlalchemy import Connection, create_engine, text

from app.core.db import APP_ROLE
from tests.contracts.catalogue import REGISTRY
from tools.kit.rows import model_of, undo_kind

WALLS = """
SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity AS walled,
       EXISTS (SELECT FROM pg_policy p JOIN pg_roles r ON r.oid = ANY (p.polroles)
               WHERE p.polrelid = c.oid AND r.rolname = :role
                 AND pg_get_expr(p.polqual, c.oid) LIKE '%app.org_id%'
                 AND pg_get_expr(p.polwithcheck, c.oid) LIKE '%app.org_id%') AS bound,
       has_table_privilege(:role, c.oid, 'UPDATE, DELETE') AS changes,
       has_table_privilege(:role, c.oid, 'SELECT, INSERT, UPDATE, DELETE') AS reached
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND n.nspname = 'public'
  AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'org_id')
"""


@pytest.fixture(scope="module")
def connection(database_url: str) -> Iterator[Connection]:
    engine = create_engine(database_url)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


@dataclass(frozen=True, slots=True)
class Wall:
    walled: bool
    bound: bool
    changes: bool
    reached: bool

    @property
    def stands(self) -> bool:
        """The app can't come near (a platform table), or sees the rows of its org alone."""
        return not self.reached or (self.walled and self.bound)


def walls(connection: Connection) -> dict[str, Wall]:
    found = connection.execute(text(WALLS), {"role": APP_ROLE})
    return {name: Wall(*more) for name, *more in found}


def test_every_table_of_an_org_is_walled_in(connection: Connection) -> None:
    found = walls(connection)
    assert {"tool_call", "touched_row", "question", "audit_log", "booking"} <= found.keys()
    assert [name for name, wall in found.items() if not wall.stands] == []


def test_logs_and_ledgers_only_grow(connection: Connection) -> None:
    found = walls(connection)
    assert len(REGISTRY) > 0, "the catalogue brings the models in"
    growing = [name for name in found if _grows(name)]
    assert {"audit_log", "credit_ledger"} <= set(growing)
    assert [name for name in growing if found[name].changes] == []


def _grows(table_name: str) -> bool:
    try:
        model = model_of(table_name)
    except KeyError:
        return False
    return undo_kind(model) == "reverse" or table_name == "audit_log"


def test_a_table_without_a_policy_is_found(connection: Connection) -> None:
    with connection.begin_nested() as savepoint:
        connection.execute(text("CREATE TABLE bare_example (id uuid, org_id uuid)"))
        connection.execute(text(f"GRANT SELECT ON bare_example TO {APP_ROLE}"))
        assert not walls(connection)["bare_example"].stands
        savepoint.rollback()
