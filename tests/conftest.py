"""What every test may ask for: a migrated database and a Redis of its process's own."""

import gc
import hashlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
import structlog
from hypothesis import HealthCheck, settings
from psycopg import sql
from redis import Redis

from app.core import migrate
from app.core.settings import Settings
from bot.playground.servers import Servers, servers_folder, shared_servers
from bot.playground.servers.locks import locked, try_take
from bot.playground.servers.valkey import DATABASES

PROJECT = Path(__file__).parents[1]

# A machine that does other things meanwhile says nothing about the code.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

LONG_FIRST = (
    "tests/requests",
    "tests/browser",
    "tests/faults",
    "tests/stories",
    "tests/contracts",
    "tests/tools",
    "tests/bench",
)
"""Begun first, so that no process sits over one of them when the others have nothing left."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A file's tests stay together: what is set up for a whole file is set up once."""
    items.sort(key=_place_in_line)


def pytest_collection_finish() -> None:
    """What is imported by now stays: looking through it for garbage was a sixth of the work."""
    gc.collect()
    gc.freeze()


def _place_in_line(item: pytest.Item) -> int:
    return next(
        (at for at, folder in enumerate(LONG_FIRST) if item.nodeid.startswith(folder)),
        len(LONG_FIRST),
    )


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """What a command or a test sets for its process counts for no other test."""
    kept = structlog.get_config()
    loggers = [logging.getLogger(name) for name in ("", "rq", "werkzeug", "app.web.errors")]
    before = [(one.handlers, one.propagate, one.level) for one in loggers]
    yield
    structlog.configure(**kept)
    for one, (handlers, passes, level) in zip(loggers, before, strict=True):
        one.handlers, one.propagate = handlers, passes
        one.setLevel(level)


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """One instance for all processes that test, here or in another terminal."""
    folder = servers_folder("tests", Settings().spotter_data)
    with shared_servers(folder, fast=True) as servers:
        yield servers


@pytest.fixture(scope="session")
def slot(servers: Servers) -> Iterator[int]:
    """A number that no other testing process has while this one lives."""
    for number in range(1, DATABASES):
        lock = try_take(servers.place.own / f"slot-{number}.lock")
        if lock is not None:
            with lock:
                yield number
            return
    pytest.fail("more processes test than there are Redis keyspaces")


@pytest.fixture(scope="session")
def database_url(servers: Servers, slot: int) -> Iterator[str]:
    """The owner's login to a database of this process, as the migrations make it."""
    name = f"test_{slot}"
    with locked(servers.place.own / "template.lock"):
        template = migrated_template(servers)
        recreate(servers, name, template)
    yield at(servers, name)
    execute(servers, "DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


@pytest.fixture(scope="session")
def redis_url(servers: Servers, slot: int) -> Iterator[str]:
    """The address of an empty keyspace of this process."""
    url = servers.redis_url.removesuffix("/0") + f"/{slot}"
    with Redis.from_url(url) as client:
        client.flushdb()
        yield url
        client.flushdb()


def migrated_template(servers: Servers) -> str:
    """Return the database to copy, migrated once for this state of the schema's sources."""
    name = f"schema_{schema_mark()}"
    known = named(servers, "schema_%")
    if name not in known:
        recreate(servers, "schema_draft")
        migrate.upgrade(at(servers, "schema_draft"))
        execute(servers, "ALTER DATABASE schema_draft RENAME TO {}", name)
        for outdated in known:
            execute(servers, "DROP DATABASE IF EXISTS {} WITH (FORCE)", outdated)
    return name


def schema_mark() -> str:
    sources = [*PROJECT.glob("migrations/**/*.py"), *PROJECT.glob("app/core/*.py")]
    content = b"".join(path.read_bytes() for path in sorted(sources))
    return hashlib.sha256(content).hexdigest()[:12]


def at(servers: Servers, name: str) -> str:
    return f"{servers.database_url.rpartition('/')[0]}/{name}"


def named(servers: Servers, pattern: str) -> list[str]:
    with connect(servers) as connection:
        query = "SELECT datname FROM pg_database WHERE datname LIKE %s"
        return [name for (name,) in connection.execute(query, (pattern,))]


def recreate(servers: Servers, name: str, template: str = "template1") -> None:
    execute(servers, "DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
    execute(servers, "CREATE DATABASE {} TEMPLATE {}", name, template)


def execute(servers: Servers, statement: LiteralString, *names: str) -> None:
    with connect(servers) as connection:
        connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def connect(servers: Servers) -> psycopg.Connection:
    return psycopg.connect(servers.database_url.replace("+psycopg", ""), autocommit=True)
