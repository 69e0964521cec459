"""One server as a child of the keeper: start, stop, kill, and the port it keeps for life."""

import os
import secrets
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, ClassVar

import structlog

from bot.playground.servers.binaries import Account, Binaries
from bot.playground.servers.place import Place, read_json, write_json
from bot.playground.servers.processes import kill_leftovers

log = structlog.get_logger(__name__)

PORTS = range(20_000, 30_000)
"""Below every system's range for outgoing connections: a port found free here stays ours."""
START_SECONDS = 60
STOP_SECONDS = 10
LOG_BYTES = 10_000_000
ENVIRONMENT: Mapping[str, str] = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
"""What servers get of ours: nothing, so that no locale, no PG* variable and no secret leaks in."""


class StartFailedError(Exception):
    """A server didn't come up; the arguments are its name and the end of its log."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What both servers are started with."""

    place: Place
    binaries: Binaries
    account: Account
    password: str
    fast: bool
    """Give up durability against a power cut (never against a crash) for quicker commits."""


class Server(ABC):
    """A server that runs as our direct child, so that its end is seen and reaped."""

    name: ClassVar[str]
    stop_signals: ClassVar[tuple[signal.Signals, ...]]
    """Asked politely first, each for STOP_SECONDS."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.process: subprocess.Popen[bytes] | None = None

    @property
    @abstractmethod
    def folder(self) -> Path:
        """The data folder, which is the working directory too."""

    @abstractmethod
    def prepare(self) -> None:
        """Create or clear what must be so before a start; nothing of ours runs in the folder."""

    @abstractmethod
    def spawn(self, port: int, output: IO[bytes]) -> subprocess.Popen[bytes]:
        """Start the program."""

    @abstractmethod
    def answers(self, port: int) -> bool:
        """Return whether the child accepts work."""

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start and wait until it answers; on another port if its own has been taken.

        Raises:
            StartFailedError: It ended or didn't answer within START_SECONDS.
        """
        killed = kill_leftovers(self.folder)
        self.prepare()
        for _ in range(3):
            port = self.choose_port()
            if self.come_up(port):
                log.info("server_started", server=self.name, port=port, killed_leftovers=killed)
                return
            self.kill()
        raise StartFailedError(self.name, tail(self.terms.place.log(self.name)))

    def choose_port(self) -> int:
        ports = read_json(self.terms.place.ports)
        port = free_port(ports.get(self.name))
        write_json(self.terms.place.ports, ports | {self.name: port})
        return port

    def come_up(self, port: int) -> bool:
        with open_log(self.terms.place.log(self.name)) as output:
            self.process = self.spawn(port, output)
        limit = time.monotonic() + START_SECONDS
        while self.alive and time.monotonic() < limit:
            if self.answers(port):
                return True
            time.sleep(0.01)
        return False

    def stop(self) -> None:
        """End it well; it is killed only when it doesn't end."""
        if self.process is None:
            return
        for number in self.stop_signals:
            self.process.send_signal(number)
            if self.ended():
                break
        self.kill()

    def ended(self) -> bool:
        if self.process is None:
            return True
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return True

    def kill(self) -> None:
        """Kill -9 the server, then what it has left behind."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.process = None
        kill_leftovers(self.folder)


def free_port(preferred: int | None) -> int:
    """Return the preferred port if nobody listens there, else a free one of PORTS."""
    while True:
        port = preferred or secrets.choice(PORTS)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                preferred = None
                continue
        return port


def open_log(path: Path) -> IO[bytes]:
    """Open a server's log to write on, begun anew when it has grown large."""
    grown = path.exists() and path.stat().st_size > LOG_BYTES
    return path.open("wb" if grown else "ab")


def tail(path: Path) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-15:]) if path.exists() else ""
