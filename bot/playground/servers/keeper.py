"""The process whose children the servers are: it lives while anybody uses them, and no longer.

It belongs to no user: whoever starts it may end first, even by kill -9. It sees users by the lock
they share, brings back a server that died, and stops both when the last user is gone.
"""

import os
import sys
import time
from types import FrameType

import structlog

from bot.playground.servers.binaries import find_binaries, servers_account
from bot.playground.servers.locks import try_take
from bot.playground.servers.place import PROJECT, Place, read_json, write_json
from bot.playground.servers.postgres import Postgres
from bot.playground.servers.server import Server, Terms
from bot.playground.servers.valkey import Valkey

log = structlog.get_logger(__name__)

LOOK_SECONDS = 0.05


class Keeper:
    """Keeps both servers as they shall be until nobody uses them or it is told to end."""

    def __init__(self, place: Place, *, fast: bool) -> None:
        account = servers_account()
        terms = Terms(place, find_binaries(account), account, place.password(), fast)
        self.place = place
        self.servers: tuple[Server, ...] = (Postgres(terms), Valkey(terms))
        self.told_to_end = False

    def run(self) -> None:
        self.place.held.unlink(missing_ok=True)
        try:
            while not self.told_to_end:
                self.settle()
                if self.stopped_unused():
                    return
                time.sleep(LOOK_SECONDS)
        finally:
            self.stop()

    def settle(self) -> None:
        """Bring each server into the state it shall be in, then say so."""
        held = read_json(self.place.held)
        for server in self.servers:
            wish = held.get(server.name)
            if server.alive and wish == "kill":
                server.kill()
            elif server.alive and wish == "stop":
                server.stop()
            elif not server.alive and not wish:
                server.start()
        self.say({"pid": os.getpid(), "down": sorted(held)})

    def say(self, state: dict[str, object]) -> None:
        if read_json(self.place.state) != state:
            write_json(self.place.state, state)

    def stopped_unused(self) -> bool:
        """Stop the servers if nobody uses them, behind the door, so that nobody comes meanwhile."""
        if not self.unused():
            return False
        door = try_take(self.place.door)
        if door is None:
            return False
        with door:
            if not self.unused():
                return False
            self.stop()
            return True

    def unused(self) -> bool:
        lock = try_take(self.place.users)
        if lock is None:
            return False
        lock.close()
        return True

    def stop(self) -> None:
        self.place.state.unlink(missing_ok=True)
        for server in self.servers:
            server.stop()

    def end(self, number: int, frame: FrameType | None) -> None:
        """Take SIGTERM and SIGINT: the loop ends after what it is doing."""
        del number, frame
        self.told_to_end = True


def start(place: Place, *, fast: bool) -> int:
    """Start a keeper in a session of its own, out of reach of our Ctrl-C; return its pid."""
    output = str(place.log("keeper"))
    return os.posix_spawn(
        sys.executable,
        [
            *(sys.executable, "-m", "bot.playground.servers"),
            *(str(place.root), *(["--fast"] if fast else [])),
        ],
        {"PATH": os.defpath, "PYTHONPATH": str(PROJECT), "PYTHONUTF8": "1"},
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )
