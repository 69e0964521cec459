"""The schema comes from the migrations alone: up, all the way down, and up again, as the models."""

import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from app.core import migrate
from bot.playground.servers import Servers
from tests.conftest import at, execute, recreate
from tests.requests.commerce import monthly
from tests.studio import open_studio

VERSIONS = Path(__file__).parents[2] / "migrations" / "versions"


@pytest.fixture(scope="module")
def empty(servers: Servers, slot: int) -> Iterator[str]:
    """A database without a schema."""
    name = f"empty_{slot}"
    recreate(servers, name)
    yield at(servers, name)
    execute(servers, "DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def tables(url: str) -> set[str]:
    query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        return {name for (name,) in connection.execute(query)} - {"alembic_version"}


def test_up_down_and_up_again_is_the_schema_of_the_models(empty: str) -> None:
    migrate.upgrade(empty)
    migrate.check(empty)
    whole = tables(empty)
    migrate.downgrade(empty, "base")
    assert tables(empty) == set()
    migrate.upgrade(empty)
    assert tables(empty) == whole != set()
    migrate.check(empty)


def test_an_upgrade_of_what_is_new_already_changes_nothing(empty: str) -> None:
    migrate.upgrade(empty)
    before = tables(empty)
    migrate.upgrade(empty)
    assert tables(empty) == before


def test_memberships_get_the_terms_that_their_plans_had(empty: str) -> None:
    migrate.upgrade(empty)
    studio = open_studio(empty)
    types, rules = (studio.class_type_id,), {"max_days": 20}
    studio.sell(
        studio.person(),
        monthly(studio, credits=8, weekly_visit_limit=3, class_type_ids=types, freeze_policy=rules),
    )
    migrate.downgrade(empty, "figures")
    migrate.upgrade(empty)
    terms = "credits_per_period, weekly_visit_limit, class_type_ids, freeze_policy"
    with psycopg.connect(empty.replace("+psycopg", "")) as connection:
        found = connection.execute(f"SELECT {terms} FROM membership").fetchall()  # noqa: S608 - columns of ours
    assert found == [(8, 3, [*types], rules)]


def test_a_migration_is_dated_in_its_name() -> None:
    names = [path.name for path in VERSIONS.glob("*.py")]
    assert names
    assert [name for name in names if not re.match(r"20\d\d_[01]\d_[0-3]\d_\w+\.py", name)] == []
