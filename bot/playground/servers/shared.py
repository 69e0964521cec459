"""Servers that any number of processes use together: the first starts them, the last ends them."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import structlog
from psycopg import sql
from redis import Redis
from redis.exceptions import RedisError

from bot.playground.servers import keeper
from bot.playground.servers.locks import is_locked, locked, take, try_take
from bot.playground.servers.place import Place, place_for, read_json
from bot.playground.servers.postgres import OWNER
from bot.playground.servers.processes import kill_leftovers
from bot.playground.servers.server import tail

log = structlog.get_logger(__name__)

ENTER_SECONDS = 120
LEAVE_SECONDS = 40
LOOK_SECONDS = 0.02


class ServersError(Exception):
    """The servers didn't come up; the argument is the end of the keeper's log, which says why."""


@dataclass(frozen=True, slots=True)
class Servers:
    """Addresses with their passwords, valid until the block that gave them ends."""

    place: Place
    database_url: str = field(repr=False)
    """The owner's login, as SQLAlchemy reads it: postgresql+psycopg://..."""
    redis_url: str = field(repr=False)

    @property
    def folder(self) -> Path:
        return self.place.root


@contextmanager
def shared_servers(folder: Path, *, fast: bool = False) -> Iterator[Servers]:
    """Give the servers whose files lie in a folder, started where they don't run yet.

    Within the block a server that dies comes back by itself, at the same address. What is `fast`
    is for tests: commits don't wait for the disk. The first process to come decides it.

    Raises:
        ServersError: They didn't come up.
    """
    place = place_for(folder)
    place.make()
    with take_part(place, fast=fast) as servers:
        yield servers


@contextmanager
def take_part(place: Place, *, fast: bool) -> Iterator[Servers]:
    started = None
    with locked(place.door):
        part = take(place.users, shared=True)
        try:
            if not is_locked(place.keeper):
                started = start_keeper(place, fast=fast)
            servers = await_servers(place, started)
        except BaseException:
            part.close()
            raise
    try:
        yield servers
    finally:
        part.close()
        leave(place, started)


def start_keeper(place: Place, *, fast: bool) -> int:
    place.state.unlink(missing_ok=True)
    pid = keeper.start(place, fast=fast)
    log.info("servers_starting", folder=str(place.root), fast=fast)
    return pid


def await_servers(place: Place, started: int | None) -> Servers:
    """Wait until the keeper says that its servers are up and they really answer."""
    limit = time.monotonic() + ENTER_SECONDS
    while time.monotonic() < limit and keeper_lives(place, started):
        if read_json(place.state):
            servers = addresses(place)
            if database_answers(servers) and redis_answers(servers):
                return servers
        time.sleep(LOOK_SECONDS)
    raise ServersError(tail(place.log("keeper")))


def keeper_lives(place: Place, started: int | None) -> bool:
    """Return whether there is a keeper: our child, or whoever holds its lock."""
    return is_locked(place.keeper) if started is None else not reaped(started, os.WNOHANG)


def addresses(place: Place) -> Servers:
    ports, password = read_json(place.ports), place.password()
    return Servers(
        place=place,
        database_url=f"postgresql+psycopg://{OWNER}:{password}@127.0.0.1:{ports['postgres']}/{OWNER}",
        redis_url=f"redis://:{password}@127.0.0.1:{ports['redis']}/0",
    )


def database_answers(servers: Servers) -> bool:
    """Return whether the owner can log in, and see to it that the database exists."""
    server = servers.database_url.replace("+psycopg", "").rsplit("/", 1)[0]
    try:
        with psycopg.connect(
            f"{server}/postgres", autocommit=True, connect_timeout=5
        ) as connection:
            known = "SELECT 1 FROM pg_database WHERE datname = %s"
            if connection.execute(known, (OWNER,)).fetchone() is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(OWNER)))
    except psycopg.OperationalError:
        return False
    return True


def redis_answers(servers: Servers) -> bool:
    with Redis.from_url(servers.redis_url, socket_timeout=5) as client:
        try:
            return bool(client.ping())
        except RedisError:
            return False


def leave(place: Place, started: int | None) -> None:
    """Wait until the servers are stopped, if nobody else uses them."""
    limit = time.monotonic() + LEAVE_SECONDS
    while is_ending(place) and time.monotonic() < limit:
        time.sleep(LOOK_SECONDS)
    if started is not None:
        reaped(started, os.WNOHANG if is_locked(place.keeper) else 0)


def is_ending(place: Place) -> bool:
    """Return whether nobody uses the servers and yet their keeper still runs."""
    with locked(place.door):
        lock = try_take(place.users)
        if lock is None:
            return False
        with lock:
            if is_locked(place.keeper):
                return True
            # The keeper may have been killed: then its servers are ours to end.
            for folder in (place.postgres, place.valkey):
                kill_leftovers(folder)
            return False


def reaped(pid: int, options: int) -> bool:
    """Return whether our child has ended; it is no zombie then."""
    try:
        return os.waitpid(pid, options)[0] == pid
    except ChildProcessError:
        return True
