"""Servers of one test alone, to be stopped, killed and started while it looks on."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bot.playground.servers.place import place_for, read_json, write_json
from bot.playground.servers.shared import (
    LOOK_SECONDS,
    Servers,
    ServersError,
    database_answers,
    redis_answers,
    shared_servers,
)

FOLLOW_SECONDS = 60

Name = Literal["postgres", "redis"]


@dataclass(frozen=True, slots=True)
class PrivateServers(Servers):
    """Each call returns when what it asks for is so. Addresses stay the same throughout."""

    def stop_postgres(self) -> None:
        self.hold("postgres", "stop")

    def kill_postgres(self) -> None:
        """Kill -9 the server with its children; it stays down until it is started."""
        self.hold("postgres", "kill")

    def start_postgres(self) -> None:
        self.let_go("postgres")
        self.wait(lambda: database_answers(self))

    def restart_postgres(self) -> None:
        self.stop_postgres()
        self.start_postgres()

    def stop_redis(self) -> None:
        self.hold("redis", "stop")

    def kill_redis(self) -> None:
        """Kill -9 the server; it stays down until it is started."""
        self.hold("redis", "kill")

    def start_redis(self) -> None:
        self.let_go("redis")
        self.wait(lambda: redis_answers(self))

    def restart_redis(self) -> None:
        self.stop_redis()
        self.start_redis()

    def hold(self, name: Name, how: Literal["stop", "kill"]) -> None:
        write_json(self.place.held, read_json(self.place.held) | {name: how})
        self.wait(lambda: name in self.down())

    def let_go(self, name: Name) -> None:
        held = read_json(self.place.held)
        held.pop(name, None)
        write_json(self.place.held, held)
        self.wait(lambda: name not in self.down())

    def down(self) -> list[str]:
        names: list[str] = read_json(self.place.state).get("down", [])
        return names

    def wait(self, condition: Callable[[], bool]) -> None:
        limit = time.monotonic() + FOLLOW_SECONDS
        while not condition():
            if time.monotonic() > limit:
                raise ServersError("keeper doesn't follow")
            time.sleep(LOOK_SECONDS)


@contextmanager
def private_servers(folder: Path, *, fast: bool = True) -> Iterator[PrivateServers]:
    """Give servers of our own in an empty folder, which is removed where it had to be moved."""
    root = place_for(folder).root
    try:
        with shared_servers(root, fast=fast) as servers:
            yield PrivateServers(servers.place, servers.database_url, servers.redis_url)
    finally:
        if root != folder.absolute():
            shutil.rmtree(root)
